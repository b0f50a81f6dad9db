package content

import (
	"time"

	"github.com/docketmod/docket/domain/richtext"
)

// The bounds on one value, in characters. They exceed the limits of a snapshot, so that the
// snapshot records a truncation.
const (
	maxText     = 100_000
	maxRichText = richtext.MaxInputBytes + 1
	maxFileKey  = 4_000
	maxFiles    = 5_000
	maxAuthors  = 100
)

// maxPageBytes bounds the public fields of a page, unless one record alone exceeds it.
const maxPageBytes = 1 << 20

// batchTimeout bounds a batch of records, and findTimeout the read of a single record after its
// batch failed; callers may return earlier. A batch is short, so that a record that is slow to read
// leaves the others most of a target's default timeout.
const (
	batchTimeout = time.Second
	findTimeout  = 10 * time.Second
)
