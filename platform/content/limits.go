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

// findTimeout bounds a batch; callers may leave earlier.
const findTimeout = 10 * time.Second
