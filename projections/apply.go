package projections

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
)

// readSteps reads the next events of the log with their reports before and
// after them, and the position of the last. An event that is missing or cannot
// be read is an *eventstore.PoisonError.
func readSteps(ctx context.Context, tx pgx.Tx, after int64, limit int) ([]step, int64, error) {
	facts, err := eventstore.ReadFacts(ctx, tx, after, limit)
	if err != nil {
		return nil, after, err
	}
	if len(facts) == 0 {
		end, err := eventstore.LastPosition(ctx, tx)
		if err == nil && end > after {
			err = &eventstore.PoisonError{Position: after + 1, Err: errMissing}
		}
		return nil, after, err
	}
	before := map[string]int{} // by report, how many of its events come before these
	for i, f := range facts {
		if f.Position != after+int64(i)+1 {
			return nil, after, &eventstore.PoisonError{Position: after + int64(i) + 1, Err: errMissing}
		}
		if _, ok := before[f.ReportID]; !ok {
			before[f.ReportID] = f.Sequence - 1
		}
	}
	folded, err := foldThrough(ctx, tx, before)
	if err != nil {
		return nil, after, err
	}
	steps := make([]step, len(facts))
	for i, f := range facts {
		h := folded[f.ReportID]
		if h.Sequence != f.Sequence-1 {
			return nil, after, &eventstore.PoisonError{Position: f.Position, Err: errMissing}
		}
		now := h.evolve(f.Event)
		steps[i] = step{event: f.Event, before: h, after: now}
		folded[f.ReportID] = now
	}
	return steps, after + int64(len(facts)), nil
}

// foldThrough folds reports up to a sequence of each.
func foldThrough(ctx context.Context, tx pgx.Tx, through map[string]int) (map[string]history, error) {
	maps.DeleteFunc(through, func(_ string, sequence int) bool { return sequence < 1 })
	if len(through) == 0 {
		return map[string]history{}, nil
	}
	streams, err := eventstore.LoadFacts(ctx, tx, through)
	if err != nil {
		return nil, err
	}
	folded := make(map[string]history, len(streams))
	for id, events := range streams {
		var h history
		for _, e := range events {
			h = h.evolve(e)
		}
		folded[id] = h
	}
	return folded, nil
}

var errMissing = errors.New("an event is missing: see docket audit verify")

// apply adds what the steps count to the table, each row once.
func (p Projection) apply(ctx context.Context, tx pgx.Tx, table string, steps []step) error {
	rows := map[string]*addition{}
	var order []string
	for _, s := range steps {
		for _, a := range p.count(s) {
			key := strings.Join(append(a.dimensions[:], a.keys...), "\x00")
			if row, ok := rows[key]; ok {
				for i := range a.counters {
					row.counters[i] += a.counters[i]
				}
				continue
			}
			rows[key] = &a
			order = append(order, key)
		}
	}
	keys := append(append([]column(nil), dimensions...), p.keys...)
	args := make([][]string, len(keys))
	counts := make([][]int64, len(p.counters))
	fewer := false // a row may have come to count nothing
	for _, key := range order {
		row := rows[key]
		if isZero(row.counters) {
			continue
		}
		fewer = fewer || row.counters[0] < 0
		for i, value := range append(row.dimensions[:], row.keys...) {
			args[i] = append(args[i], value)
		}
		for i, n := range row.counters {
			counts[i] = append(counts[i], n)
		}
	}
	if len(args[0]) == 0 {
		return nil
	}
	all := make([]any, 0, len(args)+len(counts))
	for _, a := range args {
		all = append(all, a)
	}
	for _, c := range counts {
		all = append(all, c)
	}
	if _, err := tx.Exec(ctx, p.upsert(table, keys), all...); err != nil {
		return fmt.Errorf("project into %s: %w", table, err)
	}
	if fewer {
		if _, err := tx.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE %s = 0`, table, p.counters[0])); err != nil {
			return fmt.Errorf("project into %s: %w", table, err)
		}
	}
	return nil
}

// upsert is the statement of apply. Names are the code's own.
func (p Projection) upsert(table string, keys []column) string {
	var names, values, arrays, sums, unique []string
	for i, k := range keys {
		names, unique = append(names, k.name), append(unique, k.name)
		values = append(values, fmt.Sprintf("n.%s::%s", k.name, k.kind))
		arrays = append(arrays, fmt.Sprintf("$%d::text[]", i+1))
	}
	for i, c := range p.counters {
		names, values = append(names, c), append(values, "n."+c)
		arrays = append(arrays, fmt.Sprintf("$%d::bigint[]", len(keys)+i+1))
		sums = append(sums, fmt.Sprintf("%[1]s = t.%[1]s + EXCLUDED.%[1]s", c))
	}
	columns := strings.Join(names, ", ")
	return fmt.Sprintf(`INSERT INTO %s AS t (%s) SELECT %s FROM unnest(%s) AS n (%s) ON CONFLICT (%s) DO UPDATE SET %s`,
		table, columns, strings.Join(values, ", "), strings.Join(arrays, ", "), columns, strings.Join(unique, ", "), strings.Join(sums, ", "))
}

func isZero(n []int64) bool {
	for _, v := range n {
		if v != 0 {
			return false
		}
	}
	return true
}
