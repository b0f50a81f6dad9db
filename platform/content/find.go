package content

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/batch"
)

// question is a query for a record in a locale.
type question struct{ id, locale string }

// finder finds single records by a statement; the result is nil if there is none. Concurrent calls
// share a round trip.
type finder struct {
	store     *Store
	statement statement
	fields    []boundField
	batches   batch.Batcher[question, *record]
}

func (s *Store) finder(st statement, fields []boundField) *finder {
	f := &finder{store: s, statement: st, fields: fields}
	f.batches = batch.Batcher[question, *record]{Run: f.findAll, MaxSize: 32, MaxConcurrent: 4, Patience: 10 * time.Millisecond, Timeout: batchTimeout, Alone: findTimeout}
	return f
}

func (f *finder) find(ctx context.Context, id, locale string) (*record, error) {
	return f.batches.Do(ctx, question{id, locale})
}

// findAll finds the records of a batch in one snapshot and one round trip. A single statement
// needs no transaction for that.
func (f *finder) findAll(ctx context.Context, wanted []question) ([]*record, error) {
	found := make([]*record, len(wanted))
	b := &pgx.Batch{}
	if len(wanted) > 1 {
		b.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	}
	for i, a := range wanted {
		b.Queue(f.statement.sql, f.statement.values(a.id, a.locale)...).QueryRow(func(row pgx.Row) (err error) {
			found[i], err = scanRecord(row, f.fields)
			if errors.Is(err, pgx.ErrNoRows) {
				found[i], err = nil, nil
			}
			return err
		})
	}
	if len(wanted) > 1 {
		b.Queue("COMMIT")
	}
	if err := f.store.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, err
	}
	return found, nil
}
