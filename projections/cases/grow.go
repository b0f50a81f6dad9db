package cases

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/priority"
)

// grow adds filings to the cases that have earlier reports without reading those, which may be
// thousands. It returns the targets of the cases that grew by a filing of somebody whose record
// may weigh.
//
// A case may count a report before its event is told, since it was read from the reports. All
// that it counts was filed no later than its last one, so what was filed after that is new to
// it. Any other target is one to read, up to the last filing that was told: further ones would
// have to be read again when they are.
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
		if !found {
			c.read[t] = true
			continue
		}
		if !filings[0].at.After(r.last) {
			c.read[t] = true
			c.until[t] = r.last
			if last := filings[len(filings)-1].at; last.After(r.last) {
				c.until[t] = last
			}
			continue
		}
		for _, f := range filings {
			r.add(f)
		}
		r.parts = priority.Grow(r.parts, priority.Facts{Gravest: r.gravest(), Reporters: r.openReports()})
		grown = append(grown, r)
		if slices.ContainsFunc(filings, func(f filing) bool { return f.recorded }) {
			recorded = append(recorded, t)
		}
	}
	if grown == nil {
		return nil, nil
	}
	b := &pgx.Batch{}
	queueStore(b, grown)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("store cases: %w", err)
	}
	return recorded, nil
}

// add adds a later filing to the case.
func (r *row) add(f filing) {
	r.reasons[f.reason]++
	r.last, r.module, r.title, r.excerpt = f.at, f.module, f.title, f.excerpt
	if f.due != nil && (r.due == nil || f.due.Before(*r.due)) {
		r.due = f.due
	}
}
