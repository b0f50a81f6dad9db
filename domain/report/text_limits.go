package report

// The limits of texts, in Unicode code points after trimming.
const (
	MaxDescription      = 2000
	MinDescriptionOther = 10
	MinText             = 3 // plain notes and reopen reasons
	MaxText             = 2000
	MaxExplanation      = 2000

	MaxReasons = 10_000 // of plain text
	MaxAppeal  = 5000   // texts of appeals and replies to them
)
