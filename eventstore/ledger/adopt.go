package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
)

// beginning is the subject of the record that follows the inherited rows. Its payload is a [Beginning].
var beginning = Subject{Kind: "ledger", Key: "beginning"}

// Beginning describes the state when the ledger began.
type Beginning struct {
	// StaffHistory is the last position of core_staff_history, where earlier releases stored the
	// changes of staff entries and mutes.
	StaffHistory int64 `json:"core_staff_history"`
}

// AsBeginning returns the Beginning in the record, or nil if it is another record.
func (r *Record) AsBeginning() (b *Beginning) {
	if r.Subject == beginning {
		_ = json.Unmarshal(r.Payload, &b) // a server has signed it
	}
	return b
}

// Begin records the existing rows of the tables, which no server has signed, as inherited, unless the ledger has
// already begun. Each server calls it at its start.
func (l Ledger) Begin(ctx context.Context, pool *pgxpool.Pool, tables ...*Table) error {
	if begun, err := l.begun(ctx, pool); err != nil || begun {
		return err
	}
	return postgres.Transact(ctx, pool, "begin the ledger", func(tx pgx.Tx) error {
		w, err := l.open(ctx, tx)
		if err != nil {
			return err
		}
		if begun, err := l.begun(ctx, tx); err != nil || begun {
			return err // by another server, meanwhile
		}
		if _, err := w.take(ctx, Inherited, nil, tables); err != nil {
			return err
		}
		stood, err := postgres.CollectOne(ctx, tx, "read the end of the staff history", pgx.RowTo[int64], `SELECT coalesce(max(position), 0) FROM core_staff_history`)
		if err != nil {
			return err
		}
		payload, err := json.Marshal(Beginning{stood})
		if err != nil {
			return err
		}
		return w.add(ctx, Record{Subject: beginning, Action: Inherited, Payload: payload}, nil)
	})
}

func (l Ledger) begun(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.CollectOne(ctx, db, "look for the ledger's beginning", pgx.RowTo[bool],
		`SELECT EXISTS (SELECT FROM core_ledger WHERE kind = $1 AND key = $2)`, beginning.Kind, beginning.Key)
}

// Adopt signs the present content of rows that differ from what was signed, on behalf of the operator, and returns the
// differences. If subjects are given, it adopts only these.
func (l Ledger) Adopt(ctx context.Context, pool *pgxpool.Pool, subjects []Subject, tables ...*Table) (adopted []Difference, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		w, err := l.open(ctx, tx)
		if err != nil {
			return err
		}
		adopted, err = w.take(ctx, Adopted, subjects, tables)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("adopt what is not signed: %w", err)
	}
	return adopted, nil
}

// take appends a record with the present content of each row that differs from what was signed.
func (w *writer) take(ctx context.Context, action Action, subjects []Subject, tables []*Table) (taken []Difference, err error) {
	var f Fold
	if err := Each(ctx, w.tx, func(r Record) error { f.Follow(r); return nil }); err != nil {
		return nil, err
	}
	differences, err := f.Differences(ctx, w.tx, tables...)
	if err != nil {
		return nil, err
	}
	present := map[Subject][]byte{} // by subject
	for _, d := range differences {
		if subjects != nil && !slices.Contains(subjects, d.Subject) {
			continue
		}
		taken = append(taken, d)
		if _, seen := present[d.Subject]; !seen {
			present[d.Subject] = f.Signed(d.Subject)
		}
		if d.Position == 0 {
			present[d.Subject] = d.Found
		}
	}
	for _, d := range taken {
		content, left := present[d.Subject]
		if delete(present, d.Subject); !left {
			continue // two differences of one row
		}
		if err := w.add(ctx, Record{Subject: d.Subject, Action: action, Payload: content}, nil); err != nil {
			return nil, err
		}
	}
	return taken, nil
}
