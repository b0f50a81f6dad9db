// Package rule evaluates conditions on reports: an Expression is evaluated on the Facts of a filing, as known at its
// position in the log, and a Backtest counts the decisions on those that match. Other modules must not import it.
package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// MaxExamples is how many matches a back-test lists, spread over its time range.
const MaxExamples = 100

// Example is a report that matched.
type Example struct {
	ReportID string  `json:"reportId"`
	Outcome  Outcome `json:"outcome"`
}

// Result is what an expression would have matched, and how those reports were decided. The same expression, range and
// position give the same result, as long as no evidence is erased.
type Result struct {
	Evaluated int `json:"evaluated"` // filings of the range
	Erased    int `json:"erased"`    // and those whose words are erased, which are not evaluated
	Failed    int `json:"failed"`    // evaluated ones on which the expression failed, which are no match
	Matched   int `json:"matched"`
	Figures       // of those that matched
	// Precision is Upheld / (Upheld + Rejected); nil if both are 0.
	Precision *float64  `json:"precision"`
	Examples  []Example `json:"examples"`

	// Both, OnlyNew and OnlyOld count the filings that both expressions match, only this one, and only the one that it
	// is compared with; nil without a comparison.
	Both    *int `json:"both,omitempty"`
	OnlyNew *int `json:"onlyNew,omitempty"`
	OnlyOld *int `json:"onlyOld,omitempty"`

	ThroughPosition int64  `json:"throughPosition"` // of the log
	RootHash        string `json:"rootHash"`        // of the log's tree up to there, in hexadecimal
	WhenHash        string `json:"whenHash"`        // SHA-256 of the expression, in hexadecimal
}

// Backtest evaluates an expression on each filing of a log, which must be given in order.
type Backtest struct {
	*History // to which Apply adds the other events
	When     *Expression
	Against  *Expression // that When is compared with; nil without a comparison
	// The range of filing times, Until exclusive; nil means unbounded.
	Since, Until *time.Time

	result  Result
	matched []*Filing
	old     int // matched by Against
	both    int
}

// Filed folds the event that opened a report. It evaluates the filing unless it is outside of the range or its evidence
// was erased.
func (b *Backtest) Filed(e *report.Event, facts *Facts, erased bool) {
	f := b.History.Filed(e, facts)
	switch {
	case b.Since != nil && f.At.Before(*b.Since), b.Until != nil && !f.At.Before(*b.Until):
		return
	case erased:
		b.result.Erased++
		return
	}
	b.result.Evaluated++
	matched, err := b.When.Matches(facts)
	if err != nil {
		b.result.Failed++
	}
	if matched {
		b.matched = append(b.matched, f)
	}
	if b.Against == nil {
		return
	}
	if old, _ := b.Against.Matches(facts); old { // a failed evaluation is no match
		b.old++
		if matched {
			b.both++
		}
	}
}

// Result returns the matches, with their decisions so far.
func (b *Backtest) Result() Result {
	r := b.result
	r.Matched, r.Examples = len(b.matched), []Example{}
	for _, f := range b.matched {
		r.count(f.outcome, +1)
	}
	for i := range min(len(b.matched), MaxExamples) {
		f := b.matched[i*len(b.matched)/min(len(b.matched), MaxExamples)]
		r.Examples = append(r.Examples, Example{f.ReportID, f.outcome})
	}
	if judged := r.Upheld + r.Rejected; judged > 0 {
		r.Precision = new(float64(r.Upheld) / float64(judged))
	}
	if b.Against != nil {
		both, onlyNew, onlyOld := b.both, len(b.matched)-b.both, b.old-b.both
		r.Both, r.OnlyNew, r.OnlyOld = &both, &onlyNew, &onlyOld
	}
	hash := sha256.Sum256([]byte(b.When.Text()))
	r.WhenHash = hex.EncodeToString(hash[:])
	return r
}
