package content

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/platform/rounds"
)

// asked is which record somebody wants, in which locale.
type asked struct{ id, locale string }

// findTimeout bounds a round of finding records; callers may leave earlier.
const findTimeout = 10 * time.Second

// finder finds single records by a statement, nil where there is none. Those who ask
// at the same time share a round trip.
type finder struct {
	store     *Store
	statement statement
	fields    []boundField
	rounds    rounds.Rounds[asked, *record]
}

func (s *Store) finder(st statement, fields []boundField) *finder {
	f := &finder{store: s, statement: st, fields: fields}
	f.rounds = rounds.Rounds[asked, *record]{Do: f.findAll, Apart: true, Most: 32, AtOnce: 4, Patience: 10 * time.Millisecond, Timeout: findTimeout}
	return f
}

func (f *finder) find(ctx context.Context, id, locale string) (*record, error) {
	return f.rounds.Ask(ctx, asked{id, locale})
}

// findAll finds the records of a round in one read-only transaction of one snapshot,
// which costs one round trip.
func (f *finder) findAll(ctx context.Context, round []asked) ([]*record, error) {
	found := make([]*record, len(round))
	batch := &pgx.Batch{}
	batch.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	for i, a := range round {
		batch.Queue(f.statement.sql, f.statement.values(a.id, a.locale)...).QueryRow(func(row pgx.Row) (err error) {
			found[i], err = scanRecord(row, f.fields)
			if errors.Is(err, pgx.ErrNoRows) {
				found[i], err = nil, nil
			}
			return err
		})
	}
	batch.Queue("COMMIT")
	if err := f.store.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return found, nil
}
