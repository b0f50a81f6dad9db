package eventstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// filing is what one filing stores.
type filing struct {
	reporterID string
	target     report.Target
	statements []*pgx.QueuedQuery
}

// fileRound stores the filings of a round in one transaction, so that a wave of them
// shares round trips and commits. Where one of them is refused none is stored: then
// each is tried by itself, and has an error or none of its own.
func (s *Store) fileRound(ctx context.Context, round []*filing) ([]error, error) {
	refusals := make([]error, len(round))
	err := s.fileTogether(ctx, round)
	switch {
	case err == nil:
	case len(round) == 1:
		refusals[0] = err
	default:
		for i := range round {
			refusals[i] = s.fileTogether(ctx, round[i:i+1])
		}
	}
	return refusals, nil
}

// fileTogether stores filings in one batch, which is a transaction by itself. Two of
// them cannot deadlock: both take the locks of reporters in one order, then the rows
// of targets in another.
func (s *Store) fileTogether(ctx context.Context, filings []*filing) error {
	ordered := slices.SortedFunc(slices.Values(filings), func(a, b *filing) int {
		return cmp.Or(cmp.Compare(a.target.PluginID, b.target.PluginID), cmp.Compare(a.target.Type, b.target.Type), cmp.Compare(a.target.ID, b.target.ID))
	})
	reporters := make([]string, len(ordered))
	for i, f := range ordered {
		reporters[i] = f.reporterID
	}
	return s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		b := &pgx.Batch{}
		s.inline.QueueReporters(b, reporters)
		for _, f := range ordered {
			for _, q := range f.statements {
				b.Queue(q.SQL, q.Arguments...)
			}
		}
		return conn.SendBatch(ctx, b).Close()
	})
}
