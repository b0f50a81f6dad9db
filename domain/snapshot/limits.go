package snapshot

// The limits of snapshots.
const (
	// MaxText is the longest text value, title, or text of a rich-text value, in code
	// points.
	MaxText = 20_000
	// MaxBytes is the size of the largest snapshot as JSON, in bytes.
	MaxBytes = 256 << 10
)

// The bounds of the other parts, in code points. They keep a snapshot without fields below
// MaxBytes even if every code point takes six bytes.
const (
	maxName    = 200 // names, labels, locales, revisions
	maxID      = 500
	maxURL     = 2048
	maxAuthors = 20
)

// maxValueDepth is how deep a value may nest.
const maxValueDepth = 64

// maxSize is the longest text of a file's size, in bytes.
const maxSize = 64
