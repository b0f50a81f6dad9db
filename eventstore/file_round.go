package eventstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// filing is a report to open and the statements that store it.
type filing struct {
	created    *report.Created
	statements []*pgx.QueuedQuery
}

// fileTogether stores filings in one batch, which is a transaction by itself: all of
// them or none. Two batches cannot deadlock: they take the rows of targets in the order
// of the targets.
func (s *Store) fileTogether(ctx context.Context, filings []*filing) ([]struct{}, error) {
	ordered := slices.SortedFunc(slices.Values(filings), func(a, b *filing) int {
		x, y := a.created.Target, b.created.Target
		return cmp.Or(cmp.Compare(x.PluginID, y.PluginID), cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID))
	})
	all := make([]*report.Created, len(ordered))
	for i, f := range ordered {
		all[i] = f.created
	}
	return make([]struct{}, len(filings)), s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		b := &pgx.Batch{}
		s.inline.QueueAdmission(b, all, s.now().Add(-time.Hour), report.FilingsPerHour)
		s.inline.QueueTargets(b, all)
		for _, f := range ordered {
			for _, q := range f.statements {
				b.Queue(q.SQL, q.Arguments...)
			}
		}
		return conn.SendBatch(ctx, b).Close()
	})
}
