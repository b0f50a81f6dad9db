package projections

// The limits of what is indexed and searched for.
const (
	MaxSearch     = 200 // characters of a search
	maxWordBytes  = 200
	maxRowWords   = 4000
	maxQueryWords = 16
)

// A search reads the list in its order (the walk) or the index of words. The walk soon fills
// a page with a word that many reports contain, for which the index would read all of them.
// The index is better for a rare word. The walk ends after walkedRows; if the page is not
// full by then, the word is rare.
const (
	walkedRows = 2000
	// commonWords is in how many of the walked reports a common word is. For a rarer word,
	// the index takes about as long as a walk.
	commonWords = 26
	// fewReports is the number of reports up to which the index is fast for every word.
	fewReports = 20_000
)

// examinedRows bounds how many rows are read to count the total of a list.
const examinedRows = 20_000

// maxCount is the number at which the total of a list stops.
const maxCount = 10_000

// countedByRows is the number of reports up to which rows are counted.
const countedByRows = 1000
