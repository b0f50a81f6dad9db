package projections

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/fingerprints"
)

// rewriteAttempts is how often a rewrite is run because of deadlocks.
const rewriteAttempts = 5

// rewrite replaces the rows of reports, which are sorted by id, by their folds. Since the folds were made without
// locks, it folds reports with new events again under their locks.
func rewrite(ctx context.Context, pool *pgxpool.Pool, folds []projected) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if err := lockAndRefresh(ctx, tx, folds); err != nil {
				return err
			}
			b := &pgx.Batch{}
			queueRewrite(b, folds)
			return tx.SendBatch(ctx, b).Close()
		})
		if attempt < rewriteAttempts && postgres.Repeatable(err) {
			continue
		}
		return err
	}
}

// lockAndRefresh locks the reports and folds those with new events again.
func lockAndRefresh(ctx context.Context, tx pgx.Tx, folds []projected) error {
	ids, at := make([]string, len(folds)), make(map[string]int, len(folds))
	for i, w := range folds {
		ids[i], at[w.state.ID] = w.state.ID, i
	}
	var moved []string
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b) // by outdated statistics from before a rebuild, the tables may be empty
	b.Queue(`SELECT FROM core_moderation_reports WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`, ids)
	// This must be a separate statement: one statement would use the snapshot from before
	// the locks.
	b.Queue(`SELECT report_id::text, max(sequence) FROM core_moderation_report_events WHERE report_id = ANY ($1::uuid[]) GROUP BY report_id`, ids).
		Query(func(rows pgx.Rows) error {
			var id string
			var last int
			_, err := pgx.ForEachRow(rows, []any{&id, &last}, func() error {
				if folds[at[id]].state.Sequence != last {
					moved = append(moved, id)
				}
				return nil
			})
			return err
		})
	if err := tx.SendBatch(ctx, b).Close(); err != nil || len(moved) == 0 {
		return err
	}
	all, err := fold(ctx, tx, moved)
	if err != nil {
		return err
	}
	for _, id := range moved {
		if folds[at[id]], err = all[id].projected(); err != nil {
			return err
		}
	}
	return nil
}

// QueueErased implements eventstore.Inline. The report's lock must be held.
func (Inline) QueueErased(b *pgx.Batch, c report.Contents) {
	queueRewrite(b, []projected{project(c)})
	cases.QueueErased(b, moderation.CaseOf(c.State.Target))
	fingerprints.QueueErased(b, c.State.ID)
}

// queueRewrite inserts or replaces all rows of reports. The reports' locks must be held.
func queueRewrite(b *pgx.Batch, reports []projected) {
	queueReports(b, reports)
	// The present scope of a target cannot be folded. An existing row stays; a lost one begins with
	// the scope of a filing, and is marked as moved if the reports' scopes differ. The order
	// prevents deadlocks of transactions that add the same rows.
	b.Queue(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported, moved)
		SELECT DISTINCT ON (plugin_id, target_type, target_id) n.*, true, EXISTS (SELECT FROM core_moderation_reports r
			WHERE (r.plugin_id, r.target_type, r.target_id) = (n.plugin_id, n.target_type, n.target_id)
			  AND (r.scope_family, r.scope_id) IS DISTINCT FROM (n.scope_family, n.scope_id))
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) n (plugin_id, target_type, target_id, scope_family, scope_id)
		WHERE NOT EXISTS (SELECT FROM core_moderation_targets t
			WHERE (t.plugin_id, t.target_type, t.target_id) = (n.plugin_id, n.target_type, n.target_id))
		ORDER BY plugin_id, target_type, target_id ON CONFLICT DO NOTHING`, valuesOf(targetRow, reports)...)
}

// queueReports inserts or replaces the rows of reports, their notes, appeals and authors.
func queueReports(b *pgx.Batch, reports []projected) {
	queueRows(b, "core_moderation_reports", reportRow, reports)
	ids := domain.Map(reports, func(w projected) string { return w.state.ID })
	queueOwned(b, "core_moderation_report_notes", noteRow, ids, reports, func(w projected) map[string]report.Note { return w.notes })
	queueOwned(b, "core_moderation_appeals", appealRow, ids, reports, func(w projected) map[string]report.Appeal { return w.appeals })
	queueOwned(b, "core_moderation_measures", measureRow, ids, reports, func(w projected) map[string]measureOf { return w.measures })
	b.Queue(`DELETE FROM core_moderation_ended_decisions WHERE report_id = ANY ($1::uuid[])`, ids) // including what rewriting the rows has kept
	var ended []endedDecision
	for _, w := range reports {
		ended = append(ended, w.ended...)
	}
	if len(ended) > 0 {
		b.Queue(insertRows("core_moderation_ended_decisions", endedRow), valuesOf(endedRow, ended)...)
	}
	b.Queue(`DELETE FROM core_moderation_report_authors WHERE report_id = ANY ($1::uuid[])`, ids)
	b.Queue(insertRows("core_moderation_report_authors", authorRow), valuesOf(authorRow, authorsOf(reports))...)
}

// queueOwned replaces the rows of a table that belong to reports. of returns the rows of a report by id.
func queueOwned[T any](b *pgx.Batch, table string, row []field[T], reportIDs []string, reports []projected, of func(projected) map[string]T) {
	var ids []string
	var all []T
	for _, w := range reports {
		some := of(w)
		for _, id := range slices.Sorted(maps.Keys(some)) {
			ids, all = append(ids, id), append(all, some[id])
		}
	}
	b.Queue(`DELETE FROM `+table+` WHERE report_id = ANY ($1::uuid[]) AND id <> ALL (coalesce($2::uuid[], '{}'))`, reportIDs, ids)
	if len(all) > 0 {
		queueRows(b, table, row, all)
	}
}

// field is a column of a row, with its value computed from a T.
type field[T any] struct {
	name  string
	kind  string // the type of the column
	value func(*T) any
	all   func([]T) any // the values of several rows, as an array for unnest
}

func column[T, V any](name, kind string, value func(*T) V) field[T] {
	return field[T]{name, kind, func(of *T) any { return value(of) }, func(all []T) any {
		out := make([]V, len(all))
		for i := range all {
			out[i] = value(&all[i])
		}
		return out
	}}
}

// targetRow are the columns of a target that its report sets.
var targetRow = []field[projected]{
	column("plugin_id", "text", func(w *projected) string { return w.state.Target.PluginID }),
	column("target_type", "text", func(w *projected) string { return w.state.Target.Type }),
	column("target_id", "text", func(w *projected) string { return w.state.Target.ID }),
	column("scope_family", "text", scopeFamily),
	column("scope_id", "text", scopeID),
}

// noteRow is a note's row, its id first.
var noteRow = []field[report.Note]{
	column("id", "uuid", func(n *report.Note) string { return n.ID }),
	column("report_id", "uuid", func(n *report.Note) string { return n.ReportID }),
	column("author_id", "uuid", func(n *report.Note) *string { return n.AuthorID }),
	column("kind", "text", func(n *report.Note) string { return string(n.Kind) }),
	column("body", "json", func(n *report.Note) *string { return document(n.Body) }),
	column("erased", "boolean", func(n *report.Note) bool { return n.Erased }),
	column("created_at", "timestamptz", func(n *report.Note) time.Time { return n.CreatedAt }),
	column("edited_at", "timestamptz", func(n *report.Note) *time.Time { return n.EditedAt }),
	column("deleted_at", "timestamptz", func(n *report.Note) *time.Time { return n.DeletedAt }),
}

// queueRows inserts or replaces rows. Table and columns must be constants.
func queueRows[T any](b *pgx.Batch, table string, row []field[T], of []T) {
	var names, excluded []string
	for _, f := range row[1:] {
		names, excluded = append(names, f.name), append(excluded, "EXCLUDED."+f.name)
	}
	b.Queue(insertRows(table, row)+fmt.Sprintf(` ON CONFLICT (id) DO UPDATE SET (%s) = (%s)`, strings.Join(names, ", "), strings.Join(excluded, ", ")),
		valuesOf(row, of)...)
}

// insertRows returns the statement that inserts rows n, with the arguments of valuesOf. beside are further columns of n
// that are not in the table, each as its name and its type.
func insertRows[T any](table string, row []field[T], beside ...string) string {
	var names, values, arrays []string
	for i, f := range row {
		value, sent := "n."+f.name, f.kind
		if sent == "json" || sent == "tsvector" { // sent as text, since pgx has no arrays of them
			value, sent = value+"::"+f.kind, "text"
		}
		names, values, arrays = append(names, f.name), append(values, value), append(arrays, fmt.Sprintf("$%d::%s[]", i+1, sent))
	}
	columns := strings.Join(names, ", ")
	for i, other := range beside {
		name, kind, _ := strings.Cut(other, " ")
		names, arrays = append(names, name), append(arrays, fmt.Sprintf("$%d::%s[]", len(row)+i+1, kind))
	}
	return fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS n (%s)`, table, columns, strings.Join(values, ", "),
		strings.Join(arrays, ", "), strings.Join(names, ", "))
}

func valuesOf[T any](row []field[T], of []T) []any {
	return domain.Map(row, func(f field[T]) any { return f.all(of) })
}

func scopeFamily(w *projected) *string {
	family, _ := resourceColumns(w.state.Target.Scope)
	return family
}

func scopeID(w *projected) *string {
	_, id := resourceColumns(w.state.Target.Scope)
	return id
}

func escalatedTo(w *projected) *string {
	if w.state.Escalation == nil {
		return nil
	}
	return w.state.Escalation.To
}

// document returns JSON as text, or nil if there is none.
func document(raw []byte) *string {
	if len(raw) == 0 {
		return nil
	}
	return new(string(raw))
}

// vector returns lexemes in the input form of the tsvector type.
func vector(lexemes []string) string {
	return strings.Join(domain.Map(lexemes, quoteLexeme), " ")
}
