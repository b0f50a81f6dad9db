package backtest

import (
	"context"

	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections/rules"
)

// How much of the log a trial reads, since a request waits for it.
const (
	tried      = 50   // filings
	triedRange = 2000 // positions
)

// Try judges the last filings by an expression, the newest first: at most 50 of the last 2,000 positions of
// the log. What they say is exact; records of reporters and authors and numbers of reports are once there is a
// rule, and before count only what these positions hold.
func (r *Runs) Try(ctx context.Context, when *rule.Expression) ([]rule.Judged, error) {
	strikes, err := rules.Strikes(ctx, r.log)
	if err != nil {
		return nil, err
	}
	through, err := eventstore.LastPosition(ctx, r.log)
	if err != nil {
		return nil, err
	}
	recent := &rule.Recent{History: rule.NewHistory(strikes), Max: tried}
	if err := each(ctx, r.log, through-triedRange, through, recent); err != nil {
		return nil, err
	}
	if err := rules.Recall(ctx, r.log, recent.Facts()); err != nil {
		return nil, err
	}
	return recent.Judge(when), nil
}
