package policy

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// LadderLedger declares what the ledger proves about the ladder.
var LadderLedger = &ledger.Table{Kind: "ladder", Name: "core_ladder", Key: "id", Columns: []string{"id", "steps"}}

// Ladder returns the ladder, which has no steps by default.
func (s *Store) Ladder(ctx context.Context) (l measure.Ladder, err error) {
	return l, postgres.ForEach(ctx, s.pool, "read the ladder", []any{&l}, func() error { return nil }, `SELECT steps FROM core_ladder`)
}

// SetLadder replaces the ladder. Measures that the old one proposed keep their threshold.
func (s *Store) SetLadder(ctx context.Context, actorID string, l measure.Ladder) error {
	if l == nil {
		l = measure.Ladder{}
	}
	return postgres.Transact(ctx, s.pool, "set the ladder", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock the ladder", `SELECT pg_advisory_xact_lock(hashtextextended('docket:ladder', 0))`); err != nil {
			return err
		}
		change := ledger.Change{Table: LadderLedger, Key: "1"}
		found, err := LadderLedger.Find(ctx, tx, "true")
		if err != nil {
			return err
		}
		if len(found) > 0 {
			change = found[0]
		}
		change.After = ledger.Row{"id": 1, "steps": l}
		if err := postgres.Exec(ctx, tx, "store it", `INSERT INTO core_ladder (id, steps) VALUES (1, $1)
			ON CONFLICT (id) DO UPDATE SET steps = EXCLUDED.steps`, l); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actorID, change)
	})
}
