package eventstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// filing is a report to file and the statements that store it.
type filing struct {
	created    *report.Created
	statements []*pgx.QueuedQuery
}

// fileTogether stores all filings or none, in one batch that is a transaction by itself.
// It takes the rows of targets in the order of the targets, so two batches cannot
// deadlock.
func (s *Store) fileTogether(ctx context.Context, filings []*filing) ([]struct{}, error) {
	ordered := slices.SortedFunc(slices.Values(filings), func(a, b *filing) int {
		x, y := a.created.Target, b.created.Target
		return cmp.Or(cmp.Compare(x.PluginID, y.PluginID), cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID))
	})
	all := make([]*report.Created, len(ordered))
	for i, f := range ordered {
		all[i] = f.created
	}
	return make([]struct{}, len(filings)), s.transact(postgres.Untracked(ctx), func(ctx context.Context, conn *pgx.Conn) error {
		b := &pgx.Batch{}
		s.inline.QueueAdmission(b, all, s.now().Add(-report.FilingWindow), report.FilingsPerHour)
		s.inline.QueueTargets(b, all)
		for _, f := range ordered {
			for _, q := range f.statements {
				b.Queue(q.SQL, q.Arguments...)
			}
		}
		return conn.SendBatch(ctx, b).Close()
	})
}
