package paging

// The sizes of pages. A larger request gets MaxSize items.
const (
	DefaultSize = 25
	MaxSize     = 100
)

// maxNumberedRows is how many rows numbered pages reach, since a page costs as much as all pages
// before it. maxNumber is a page number beyond that.
const (
	maxNumberedRows = 10_000
	maxNumber       = maxNumberedRows + 1
)

// maxCursor bounds the input of decodeCursor: two texts of MaxText bytes in base64, if every byte
// needs the longest escape.
const maxCursor = 48 << 10

// MaxText is the longest text value in a cursor, in bytes. PostgreSQL cannot index longer
// texts either.
const MaxText = 2700
