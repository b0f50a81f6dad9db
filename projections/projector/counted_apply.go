package projector

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// readSteps returns the next events of the log, each with its report before and after it, and the
// position of the last. For an event that is missing or cannot be decoded, it returns an
// *eventstore.PoisonError.
func readSteps(ctx context.Context, tx pgx.Tx, after int64, limit int) ([]Step, int64, error) {
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
	before := map[string]int{} // by report, the number of its earlier events
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
	steps := make([]Step, len(facts))
	for i, f := range facts {
		h := folded[f.ReportID]
		if h.Sequence != f.Sequence-1 {
			return nil, after, &eventstore.PoisonError{Position: f.Position, Err: errMissing}
		}
		steps[i] = Step{Event: f.Event, Before: h, After: h.evolve(f.Event)}
		folded[f.ReportID] = steps[i].After
	}
	return steps, after + int64(len(facts)), nil
}

// foldThrough folds reports, each up to a sequence.
func foldThrough(ctx context.Context, tx pgx.Tx, through map[string]int) (map[string]History, error) {
	maps.DeleteFunc(through, func(_ string, sequence int) bool { return sequence < 1 })
	if len(through) == 0 {
		return map[string]History{}, nil
	}
	streams, err := eventstore.LoadFacts(ctx, tx, through)
	if err != nil {
		return nil, err
	}
	folded := make(map[string]History, len(streams))
	for id, events := range streams {
		var h History
		for _, e := range events {
			h = h.evolve(e)
		}
		folded[id] = h
	}
	return folded, nil
}

var errMissing = errors.New("an event is missing: see docket audit verify")

// apply adds the counters of the steps to the table. It writes each row once.
func (c Counted) apply(ctx context.Context, tx pgx.Tx, table string, steps []Step) error {
	sums := rowSums{rows: map[string]*Addition{}}
	for _, s := range steps {
		sums.add(c.Count(s))
	}
	return c.store(ctx, tx, table, sums)
}

// rowSums sums additions by row, in the order in which the rows first occur.
type rowSums struct {
	rows  map[string]*Addition
	order []*Addition
	last  *Addition // the last row that was added to
	key   []byte    // of that row
}

func (t *rowSums) add(all []Addition) {
	for _, a := range all {
		if t.last == nil || t.last.Dimensions != a.Dimensions || !slices.Equal(t.last.Keys, a.Keys) {
			t.key = t.key[:0]
			for _, values := range [][]string{a.Dimensions[:], a.Keys} {
				for _, value := range values {
					t.key = append(append(t.key, value...), 0)
				}
			}
			t.last = t.rows[string(t.key)]
		}
		if t.last == nil {
			row := a // a itself would be on the heap for every addition
			t.last, t.rows[string(t.key)] = &row, &row
			t.order = append(t.order, &row)
			continue
		}
		for i := range a.Counters {
			t.last.Counters[i] += a.Counters[i]
		}
	}
}

// store adds the sums to the table.
func (c Counted) store(ctx context.Context, tx pgx.Tx, table string, t rowSums) error {
	keys := slices.Concat(dimensions, c.Keys)
	args := make([][]string, len(keys))
	counts := make([][]int64, len(c.Counters))
	fewer := false // a row's counters may all be zero now
	for _, row := range t.order {
		if !slices.ContainsFunc(row.Counters, func(n int64) bool { return n != 0 }) {
			continue
		}
		fewer = fewer || row.Counters[0] < 0
		for i, value := range append(row.Dimensions[:], row.Keys...) {
			args[i] = append(args[i], value)
		}
		for i, n := range row.Counters {
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
	for _, n := range counts {
		all = append(all, n)
	}
	task := "project into " + table
	if err := postgres.Exec(ctx, tx, task, c.upsert(table, keys), all...); err != nil || !fewer {
		return err
	}
	return postgres.Exec(ctx, tx, task, fmt.Sprintf(`DELETE FROM %s WHERE %s = 0`, table, c.Counters[0]))
}

// upsert returns the statement of apply. Table and columns must be constants.
func (c Counted) upsert(table string, keys []Column) string {
	var names, values, arrays, sums, unique []string
	for i, k := range keys {
		names, unique = append(names, k.Name), append(unique, k.Name)
		values = append(values, fmt.Sprintf("n.%s::%s", k.Name, k.Type))
		arrays = append(arrays, fmt.Sprintf("$%d::text[]", i+1))
	}
	for i, name := range c.Counters {
		names, values = append(names, name), append(values, "n."+name)
		arrays = append(arrays, fmt.Sprintf("$%d::bigint[]", len(keys)+i+1))
		sums = append(sums, fmt.Sprintf("%[1]s = t.%[1]s + EXCLUDED.%[1]s", name))
	}
	columns := strings.Join(names, ", ")
	return fmt.Sprintf(`INSERT INTO %s AS t (%s) SELECT %s FROM unnest(%s) AS n (%s) ON CONFLICT (%s) DO UPDATE SET %s`,
		table, columns, strings.Join(values, ", "), strings.Join(arrays, ", "), columns, strings.Join(unique, ", "), strings.Join(sums, ", "))
}
