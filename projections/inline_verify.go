package projections

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// mismatch is a report whose rows differ from the fold of its events.
type mismatch struct {
	reportID string
	fields   []string // what differs
	problem  string   // "" if the report can be rebuilt
}

func (m mismatch) String() string {
	if m.problem != "" {
		return fmt.Sprintf("report %s: %s", m.reportID, m.problem)
	}
	return fmt.Sprintf("report %s: %v differ from the fold of its events", m.reportID, m.fields)
}

// projected is the inline projection of one report.
type projected struct {
	state   report.State
	family  *string // with scopeID the scope of its target, during the scan
	scopeID *string
	// escalatedTo is the account to which the report is escalated, during the scan.
	escalatedTo *string
	openKey     []byte
	tags        []string // of the row; those of its rules are in the state
	search      []string
	notes       map[string]report.Note
	appeals     map[string]report.Appeal
	ended       []endedDecision // by author and sequence
	// measures are the rows of their own table; the state has those of the report's row.
	measures map[string]measureOf
	authors  []string // sorted; empty unless the report is done
	kept     *string  // the column of authors: those of an erased snapshot
	behind   bool     // it lacks events, by the row's own columns
	located  bool     // its target has a row, which decides who may see the report
}

// errNoEvents means that a report cannot be folded because its events are missing.
var errNoEvents = errors.New("it has a row but no events")

// folded is the fold of a report's events so far.
type folded struct {
	report.Contents
	last  int   // sequence
	fault error // why it cannot be folded
}

func (f *folded) follow(r *eventstore.Record) {
	if f.fault != nil {
		return
	}
	if f.last++; r.Sequence != f.last {
		f.fault = &eventstore.Fault{ReportID: r.ReportID, Sequence: f.last, Problem: "the event is missing"}
		return
	}
	var e report.Event
	if e, f.fault = r.Event(); f.fault == nil {
		f.Add(e)
	}
}

// fold folds the events of reports. Memory holds one event at a time.
func fold(ctx context.Context, tx pgx.Tx, ids []string) (map[string]*folded, error) {
	all := make(map[string]*folded, len(ids))
	for _, id := range ids {
		all[id] = new(folded)
	}
	err := eventstore.EachRecord(ctx, tx, ids, func(r *eventstore.Record) error {
		all[r.ReportID].follow(r)
		return nil
	})
	return all, err
}

// projected returns the projection of the fold, or an error if the events cannot be folded.
func (f *folded) projected() (projected, error) {
	switch {
	case f.fault != nil:
		return projected{}, f.fault
	case f.last == 0:
		return projected{}, errNoEvents
	}
	return project(f.Contents), nil
}

// project returns the projection of a report's contents.
func project(c report.Contents) projected {
	s := c.State
	w := projected{state: s, openKey: openKeyOf(s), search: searchTerms(s, c.Authors), notes: c.Notes, appeals: c.Appeals, located: true,
		measures: measuresOf(s), ended: endedOf(c)}
	if s.Status == report.Done {
		w.authors = c.Authors
	}
	w.authors = unique(w.authors)
	if s.Snapshot == nil {
		w.kept = keptAuthors(c.Authors)
	}
	return w
}

// readProjected reads the rows of reports, and those in the tables besideReports.
func readProjected(ctx context.Context, tx pgx.Tx, ids []string) (map[string]projected, error) {
	var found []projected
	var notes []report.Note
	var appeals []report.Appeal
	var measures []measureOf
	var ended []endedDecision
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b) // as in lockAndRefresh
	postgres.QueueCollect(b, &found, func(row pgx.CollectableRow) (projected, error) {
		w := projected{notes: map[string]report.Note{}, appeals: map[string]report.Appeal{}, measures: map[string]measureOf{}}
		var snapshot []byte
		var reasons *string
		fields, done := stateFields(&w.state)
		err := row.Scan(append(fields, &w.state.Signals, &snapshot, &w.openKey, &w.tags, &w.search, &reasons, &w.kept, &w.behind, &w.authors, &w.located)...)
		if err == nil {
			_, err = done()
			w.state.Snapshot, w.state.Reasons, w.authors = snapshot, rawJSON(reasons), unique(w.authors)
		}
		return w, err
	}, `SELECT `+stateColumns+`, r.signals, r.snapshot, r.open_key, r.tags, tsvector_to_array(r.search), `+reasonsColumn+`, r.authors::text, coalesce(r.folded <> r.sequence, false),
			ARRAY(SELECT CASE WHEN (a.plugin_id, a.target_type, a.target_id, a.resolution) IS NOT DISTINCT FROM (r.plugin_id, r.target_type, r.target_id, r.resolution) THEN author ELSE '' END
				FROM core_moderation_report_authors a WHERE a.report_id = r.id),
			EXISTS (SELECT FROM core_moderation_targets t WHERE (t.plugin_id, t.target_type, t.target_id) = (r.plugin_id, r.target_type, r.target_id))
		FROM core_moderation_reports r WHERE r.id = ANY ($1::uuid[])`, ids)
	postgres.QueueCollect(b, &notes, scanNote, `SELECT `+noteColumns+` FROM core_moderation_report_notes n WHERE n.report_id = ANY ($1::uuid[])`, ids)
	postgres.QueueCollect(b, &appeals, scanAppeal, `SELECT `+appealColumns+` FROM core_moderation_appeals a WHERE a.report_id = ANY ($1::uuid[])`, ids)
	postgres.QueueCollect(b, &measures, scanMeasure, `SELECT `+measureColumns+` FROM core_moderation_measures m WHERE m.report_id = ANY ($1::uuid[])`, ids)
	postgres.QueueCollect(b, &ended, scanEnded, `SELECT `+endedColumns+` FROM core_moderation_ended_decisions d WHERE d.report_id = ANY ($1::uuid[])
		ORDER BY d.author COLLATE "C", d.sequence`, ids)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	byID := make(map[string]projected, len(found))
	for _, w := range found {
		byID[w.state.ID] = w
	}
	for _, n := range notes {
		if w, ok := byID[n.ReportID]; ok {
			w.notes[n.ID] = n
		}
	}
	for _, a := range appeals {
		if w, ok := byID[a.ReportID]; ok {
			w.appeals[a.ID] = a
		}
	}
	for _, m := range measures {
		if w, ok := byID[m.reportID]; ok {
			w.measures[m.ID] = m
		}
	}
	for _, d := range ended {
		if w, ok := byID[d.reportID]; ok {
			w.ended = append(w.ended, d)
			byID[d.reportID] = w
		}
	}
	return byID, nil
}

// compare reads rows, notes and events of reports in one snapshot, so that it needs no lock
// while commands run. It returns the folds of the reports that can be
// folded, and the reports that differ from their fold.
func compare(ctx context.Context, pool *pgxpool.Pool, ids []string) (folds []projected, mismatches []mismatch, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		rows, err := readProjected(ctx, tx, ids)
		if err != nil {
			return err
		}
		all, err := fold(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			want, err := all[id].projected()
			if err != nil {
				mismatches = append(mismatches, mismatch{reportID: id, problem: err.Error()})
				continue
			}
			folds = append(folds, want)
			if got, ok := rows[id]; !ok {
				mismatches = append(mismatches, mismatch{reportID: id, fields: []string{"Row"}})
			} else if fields := differences(want, got); len(fields) > 0 {
				mismatches = append(mismatches, mismatch{reportID: id, fields: fields})
			}
		}
		return nil
	})
	return folds, mismatches, err
}

// differences names the fields in which a report's row differs from its fold.
func differences(want, got projected) []string {
	var fields []string
	w, g := reflect.ValueOf(want.state), reflect.ValueOf(got.state)
	for i := range w.NumField() {
		if !reflect.DeepEqual(w.Field(i).Interface(), g.Field(i).Interface()) {
			fields = append(fields, w.Type().Field(i).Name)
		}
	}
	for _, beside := range []struct {
		name string
		same bool
	}{
		{"Folded", !got.behind},
		{"Tags", slices.Equal(want.state.Tags(), got.tags)},
		{"OpenKey", slices.Equal(want.openKey, got.openKey)},
		{"Search", slices.Equal(unique(want.search), unique(got.search))},
		{"Authors", slices.Equal(want.authors, got.authors) && domain.OrEmpty(want.kept) == domain.OrEmpty(got.kept)},
		{"TargetRow", want.located == got.located},
		{"Appeals", reflect.DeepEqual(want.appeals, got.appeals)},
		{"Measures", reflect.DeepEqual(want.measures, got.measures)},
		{"EndedDecisions", slices.Equal(want.ended, got.ended)},
		{"Notes", reflect.DeepEqual(want.notes, got.notes)},
	} {
		if !beside.same {
			fields = append(fields, beside.name)
		}
	}
	return fields
}

func unique(words []string) []string {
	sorted := slices.Sorted(slices.Values(words))
	return slices.Compact(sorted)
}
