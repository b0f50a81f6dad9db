package projections

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// A Mismatch is a report whose row or notes are not the fold of its events.
type Mismatch struct {
	ReportID string
	Fields   []string // what differs
	Problem  string   // "" when the report can be rebuilt
}

func (m Mismatch) String() string {
	if m.Problem != "" {
		return fmt.Sprintf("report %s: %s", m.ReportID, m.Problem)
	}
	return fmt.Sprintf("report %s: %v differ from the fold of its events", m.ReportID, m.Fields)
}

// whole is all that is projected inline of one report.
type whole struct {
	state   report.State
	openKey []byte
	search  []string
	notes   map[string]report.Note
}

// errNoEvents says why a report cannot be folded.
var errNoEvents = errors.New("it has a row and no events")

// foldWhole is what a report's events make of it.
func foldWhole(records []eventstore.Record) (whole, error) {
	if len(records) == 0 {
		return whole{}, errNoEvents
	}
	events := make([]report.Event, len(records))
	for i := range records {
		if records[i].Sequence != i+1 {
			return whole{}, &eventstore.Fault{ReportID: records[i].ReportID, Sequence: i + 1, Problem: "the event is missing"}
		}
		var err error
		if events[i], err = records[i].Event(); err != nil {
			return whole{}, err
		}
	}
	return wholeOf(report.Fold(events), report.FoldNotes(events)), nil
}

func wholeOf(s report.State, notes map[string]report.Note) whole {
	return whole{state: s, openKey: openKeyOf(s), search: searchTerms(s), notes: notes}
}

// readWhole reads the rows and notes of reports.
func readWhole(ctx context.Context, tx pgx.Tx, ids []string) (map[string]whole, error) {
	rows, err := tx.Query(ctx, `SELECT `+stateColumns+`, r.snapshot, r.open_key, tsvector_to_array(r.search)
		FROM core_moderation_reports r WHERE r.id = ANY ($1::uuid[])`, ids)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (whole, error) {
		w := whole{notes: map[string]report.Note{}}
		var snapshot []byte
		fields, done := stateFields(&w.state)
		err := row.Scan(append(fields, &snapshot, &w.openKey, &w.search)...)
		if err == nil {
			done()
			w.state.Snapshot = snapshot
		}
		return w, err
	})
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	byID := make(map[string]whole, len(found))
	for _, w := range found {
		byID[w.state.ID] = w
	}
	rows, err = tx.Query(ctx, `SELECT `+noteColumns+` FROM core_moderation_report_notes n WHERE n.report_id = ANY ($1::uuid[])`, ids)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	notes, err := pgx.CollectRows(rows, scanNote)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	for _, n := range notes {
		if w, ok := byID[n.ReportID]; ok {
			w.notes[n.ID] = n
		}
	}
	return byID, nil
}

// compare reads rows, notes and events of reports in one snapshot, so that a
// command in between makes no difference, and takes no lock. It gives the folds
// of those that can be folded, and what is not as they say.
func compare(ctx context.Context, pool *pgxpool.Pool, ids []string) (folds []whole, mismatches []Mismatch, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		rows, err := readWhole(ctx, tx, ids)
		if err != nil {
			return err
		}
		streams, err := eventstore.LoadStreams(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			want, err := foldWhole(streams[id])
			if err != nil {
				mismatches = append(mismatches, Mismatch{ReportID: id, Problem: err.Error()})
				continue
			}
			folds = append(folds, want)
			if got, ok := rows[id]; !ok {
				mismatches = append(mismatches, Mismatch{ReportID: id, Fields: []string{"Row"}})
			} else if fields := differences(want, got); len(fields) > 0 {
				mismatches = append(mismatches, Mismatch{ReportID: id, Fields: fields})
			}
		}
		return nil
	})
	return folds, mismatches, err
}

// differences names the fields in which a report's row is not what it is to be.
func differences(want, got whole) []string {
	var fields []string
	w, g := reflect.ValueOf(want.state), reflect.ValueOf(got.state)
	for i := range w.NumField() {
		if !reflect.DeepEqual(w.Field(i).Interface(), g.Field(i).Interface()) {
			fields = append(fields, w.Type().Field(i).Name)
		}
	}
	if !slices.Equal(want.openKey, got.openKey) {
		fields = append(fields, "OpenKey")
	}
	if !slices.Equal(unique(want.search), unique(got.search)) {
		fields = append(fields, "Search")
	}
	if !maps.EqualFunc(want.notes, got.notes, sameNote) {
		fields = append(fields, "Notes")
	}
	return fields
}

func unique(words []string) []string {
	sorted := slices.Sorted(slices.Values(words))
	return slices.Compact(sorted)
}

func sameNote(a, b report.Note) bool {
	return reflect.DeepEqual(plainNote(a), plainNote(b))
}

// plainNote brings a note's times to one form.
func plainNote(n report.Note) report.Note {
	n.CreatedAt = n.CreatedAt.UTC()
	if n.EditedAt != nil {
		t := n.EditedAt.UTC()
		n.EditedAt = &t
	}
	if n.DeletedAt != nil {
		t := n.DeletedAt.UTC()
		n.DeletedAt = &t
	}
	if len(n.Body) == 0 {
		n.Body = nil
	}
	return n
}
