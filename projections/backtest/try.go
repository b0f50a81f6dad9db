package backtest

import (
	"context"

	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections/rules"
)

// How much of the log a trial reads, which is little since a request waits for it.
const (
	tried      = 50   // filings
	triedRange = 2000 // positions
	triedKnown = 2000 // earlier reports by a reporter, on a target or of an author
)

// Try evaluates an expression on the last filings, the newest first: at most 50 of the last 2,000 positions of the log.
// whole means that their facts are complete, so that a back-test would see the same ones; see rules.Newest.
func (r *Runs) Try(ctx context.Context, when *rule.Expression) (judged []rule.Judged, whole bool, err error) {
	through, err := eventstore.LastPosition(ctx, r.log)
	if err != nil {
		return nil, false, err
	}
	recent, whole, err := rules.Newest(ctx, r.log, tried, triedKnown, through-triedRange, through)
	if err != nil {
		return nil, false, err
	}
	return recent.Judge(when), whole, nil
}
