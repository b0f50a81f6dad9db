package eventstore

import (
	"context"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// File implements moderation.Log in one round trip. Concurrent filings share it, and each is stored or refused by
// itself.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	now := s.now()
	created := report.DecideFiling(f.Created, f.Deadlines, now)
	filing, err := s.newFiling(f.ID, created, nil, now)
	if err != nil {
		return report.State{}, err
	}
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		filing.Hasty = attempt == maxAttempts // signals arrive so fast that it is always late
		stored, err := s.fileOnce(ctx, filing)
		if err != nil {
			return filing.State, err
		}
		if stored {
			s.appended()
			return filing.State, nil
		}
		kept, err := s.refused(ctx, created, now)
		if err == nil && !slices.Equal(kept, filing.Signals) {
			filing, err = s.newFiling(f.ID, created, kept, now)
		}
		if err != nil {
			return report.State{}, err
		}
	}
	return report.State{}, alreadyReported("")
}

// fileOnce reports whether the filing was stored. If the connection is lost or a batch ends early, the filing runs
// again with the same ids: if it was stored after all, it conflicts with itself and is found by the id of its event.
func (s *Store) fileOnce(ctx context.Context, f *filing) (stored bool, err error) {
	postgres.AddWrites(ctx, 1)
	for _, pause := range lostPauses {
		time.Sleep(pause)
		if stored, err = s.filings.Do(ctx, f); !postgres.Lost(err) {
			break
		}
		s.Reconnect()
	}
	if err == nil && !stored {
		err = s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_report_events WHERE event_id = $1)`, f.records[0].EventID).Scan(&stored)
	}
	if !stored && (err == nil || postgres.NotCommitted(err)) {
		postgres.AddWrites(ctx, -1)
	}
	return stored, err
}
