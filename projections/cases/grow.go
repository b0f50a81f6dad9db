package cases

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/priority"
)

// grow adds filings to cases that have earlier reports without reading those, which may be thousands. It returns the
// targets of the cases that grew by a filing of somebody whose record may count. A case may include a report before
// the event of its filing is processed, since it was read from the reports. All its reports were filed no later than
// its last one, so later filings are new to it. Any other target must be read, up to its last filing that has been
// processed: later ones will be added with their events.
func (c changes) grow(ctx context.Context, tx pgx.Tx) (recorded []Target, err error) {
	if len(c.filed) == 0 {
		return nil, nil
	}
	cases, err := stored(ctx, tx, slices.Collect(maps.Keys(c.filed)))
	if err != nil {
		return nil, err
	}
	var grown []row
	for t, filings := range c.filed {
		slices.SortFunc(filings, func(a, b filing) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
		r, found := cases[t]
		switch {
		case !found:
			c.read[t] = true
		case !filings[0].at.After(r.last):
			c.read[t] = true
			c.until[t] = slices.MaxFunc([]time.Time{r.last, filings[len(filings)-1].at}, time.Time.Compare)
		default:
			r.add(filings)
			grown = append(grown, r)
			if slices.ContainsFunc(filings, func(f filing) bool { return f.recorded }) {
				recorded = append(recorded, t)
			}
		}
	}
	if grown == nil {
		return nil, nil
	}
	if _, err := tx.Exec(ctx, storeCases, columnsOf(grown)); err != nil {
		return nil, fmt.Errorf("store cases: %w", err)
	}
	return recorded, nil
}

// add adds to the case the filings that are later than all of its reports, in order.
func (r *row) add(filings []filing) {
	trusted := false
	for _, f := range filings {
		trusted = trusted || f.trusted
		r.reasons[f.reason]++
		r.last, r.module, r.title, r.excerpt = f.at, f.module, f.title, f.excerpt
		if f.due != nil && (r.due == nil || f.due.Before(*r.due)) {
			r.due = f.due
		}
	}
	r.parts = priority.Grow(r.parts, priority.Facts{Gravest: r.gravest(), Reporters: r.openReports(), Trusted: trusted})
}
