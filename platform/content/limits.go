package content

import (
	"time"

	"github.com/docketmod/docket/domain/richtext"
)

// The bounds on one value, in characters. They exceed the limits of a snapshot, so that
// the snapshot notices that it truncates.
const (
	maxText     = 100_000
	maxRichText = richtext.MaxInputBytes + 1
	maxFileKey  = 4_000
	maxFiles    = 5_000
	maxAuthors  = 100
)

// maxPageBytes bounds the public fields of a page, unless one record alone has more.
const maxPageBytes = 1 << 20

// batchTimeout bounds a batch of records, and findTimeout the reading of one whose batch
// failed; callers may leave earlier. A batch is short, so that a record that is slow to read leaves
// the others the most of a target's default time.
const (
	batchTimeout = time.Second
	findTimeout  = 10 * time.Second
)
