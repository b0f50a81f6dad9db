package projections

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// rewriteAttempts is how often a rewrite runs that meets a deadlock.
const rewriteAttempts = 5

// rewrite makes the rows of some reports, by id in order, the fold of their
// events, whatever stood there. They were folded without their locks, which are
// taken now: those that have moved on meanwhile are folded again under them.
func rewrite(ctx context.Context, pool *pgxpool.Pool, folds []whole) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if err := lockAndRefresh(ctx, tx, folds); err != nil {
				return err
			}
			b := &pgx.Batch{}
			queueRewrite(b, folds)
			return tx.SendBatch(ctx, b).Close()
		})
		var pg *pgconn.PgError
		if attempt < rewriteAttempts && errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001") {
			continue
		}
		return err
	}
}

// lockAndRefresh locks the reports and folds those again that have events since.
func lockAndRefresh(ctx context.Context, tx pgx.Tx, folds []whole) error {
	ids, at := make([]string, len(folds)), make(map[string]int, len(folds))
	for i, w := range folds {
		ids[i], at[w.state.ID] = w.state.ID, i
	}
	var moved []string
	b := &pgx.Batch{}
	b.Queue(`SELECT FROM core_moderation_reports WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`, ids)
	// In a statement of its own: one would look from before the locks.
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
	streams, err := eventstore.LoadStreams(ctx, tx, moved)
	if err != nil {
		return err
	}
	for _, id := range moved {
		if folds[at[id]], err = foldWhole(streams[id]); err != nil {
			return err
		}
	}
	return nil
}

// QueueRewrite implements eventstore.Inline: it makes the report's row and its
// notes exactly the fold of its events, whatever stood there, also where
// nothing did. The caller holds the report's lock.
func (Inline) QueueRewrite(b *pgx.Batch, s report.State, notes map[string]report.Note) {
	queueRewrite(b, []whole{wholeOf(s, notes)})
}

// queueRewrite is QueueRewrite for several reports: four statements, however
// many there are.
func queueRewrite(b *pgx.Batch, reports []whole) {
	queueRows(b, "core_moderation_reports", reportRow, reports)
	// The present scope of a target is no fold: what is known stays, and what is
	// lost begins with a scope at filing, moved where another report has another.
	// In order, so that two who add the same ones do not wait for each other.
	b.Queue(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported, moved)
		SELECT DISTINCT ON (plugin_id, target_type, target_id) n.*, true, EXISTS (SELECT FROM core_moderation_reports r
			WHERE (r.plugin_id, r.target_type, r.target_id) = (n.plugin_id, n.target_type, n.target_id)
			  AND (r.scope_family, r.scope_id) IS DISTINCT FROM (n.scope_family, n.scope_id))
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) n (plugin_id, target_type, target_id, scope_family, scope_id)
		WHERE NOT EXISTS (SELECT FROM core_moderation_targets t
			WHERE (t.plugin_id, t.target_type, t.target_id) = (n.plugin_id, n.target_type, n.target_id))
		ORDER BY plugin_id, target_type, target_id ON CONFLICT DO NOTHING`, valuesOf(targetRow, reports)...)
	var ids, noteIDs []string
	var notes []report.Note
	for _, w := range reports {
		ids = append(ids, w.state.ID)
		for _, id := range slices.Sorted(maps.Keys(w.notes)) {
			noteIDs, notes = append(noteIDs, id), append(notes, w.notes[id])
		}
	}
	b.Queue(`DELETE FROM core_moderation_report_notes WHERE report_id = ANY ($1::uuid[]) AND id <> ALL (coalesce($2::uuid[], '{}'))`, ids, noteIDs)
	if len(notes) > 0 {
		queueRows(b, "core_moderation_report_notes", noteRow, notes)
	}
}

// A field is a column of a row that is made of a T.
type field[T any] struct {
	name string
	kind string // as it is sent
	cast string // to the column's type, where that cannot be sent
	of   func([]T) any
}

func each[T, V any](value func(*T) V) func([]T) any {
	return func(all []T) any {
		out := make([]V, len(all))
		for i := range all {
			out[i] = value(&all[i])
		}
		return out
	}
}

// reportRow is a report's row, its id first.
var reportRow = []field[whole]{
	{"id", "uuid", "", each(func(w *whole) string { return w.state.ID })},
	{"status", "text", "", each(func(w *whole) string { return string(w.state.Status) })},
	{"version", "int", "", each(func(w *whole) int { return w.state.Version })},
	{"sequence", "int", "", each(func(w *whole) int { return w.state.Sequence })},
	{"plugin_id", "text", "", each(func(w *whole) string { return w.state.Target.PluginID })},
	{"target_type", "text", "", each(func(w *whole) string { return w.state.Target.Type })},
	{"target_id", "text", "", each(func(w *whole) string { return w.state.Target.ID })},
	{"permission_module", "text", "", each(func(w *whole) string { return w.state.Target.PermissionModule })},
	{"scope_family", "text", "", each(scopeFamily)},
	{"scope_id", "text", "", each(scopeID)},
	{"locale", "text", "", each(func(w *whole) string { return w.state.Locale })},
	{"requested_locale", "text", "", each(func(w *whole) string { return w.state.RequestedLocale })},
	{"reason", "text", "", each(func(w *whole) string { return string(w.state.Reason) })},
	{"description", "text", "", each(func(w *whole) *string { return w.state.Description })},
	{"snapshot", "text", "json", each(func(w *whole) *string { return document(w.state.Snapshot) })},
	{"title", "text", "", each(func(w *whole) string { return w.state.Title })},
	{"excerpt", "text", "", each(func(w *whole) string { return w.state.Excerpt })},
	{"reporter_name", "text", "", each(func(w *whole) *string { return w.state.ReporterName })},
	{"reporter_id", "uuid", "", each(func(w *whole) *string { return w.state.ReporterID })},
	{"assignee_id", "uuid", "", each(func(w *whole) *string { return w.state.AssigneeID })},
	{"resolver_id", "uuid", "", each(func(w *whole) *string { return w.state.ResolverID })},
	{"resolution", "text", "", each(func(w *whole) *report.Resolution { return w.state.Resolution })},
	{"explanation", "text", "", each(func(w *whole) *string { return w.state.Explanation })},
	{"shared", "boolean", "", each(func(w *whole) bool { return w.state.Shared })},
	{"open_key", "bytea", "", each(func(w *whole) []byte { return w.openKey })},
	{"note_count", "int", "", each(func(w *whole) int { return w.state.NoteCount })},
	{"erased", "boolean", "", each(func(w *whole) bool { return w.state.Erased })},
	{"search", "text", "tsvector", each(func(w *whole) string { return vector(w.search) })},
	{"created_at", "timestamptz", "", each(func(w *whole) time.Time { return w.state.CreatedAt })},
	{"updated_at", "timestamptz", "", each(func(w *whole) time.Time { return w.state.UpdatedAt })},
	{"resolved_at", "timestamptz", "", each(func(w *whole) *time.Time { return w.state.ResolvedAt })},
}

// targetRow is what a report tells of its target.
var targetRow = []field[whole]{
	{"plugin_id", "text", "", each(func(w *whole) string { return w.state.Target.PluginID })},
	{"target_type", "text", "", each(func(w *whole) string { return w.state.Target.Type })},
	{"target_id", "text", "", each(func(w *whole) string { return w.state.Target.ID })},
	{"scope_family", "text", "", each(scopeFamily)},
	{"scope_id", "text", "", each(scopeID)},
}

// noteRow is a note's row, its id first.
var noteRow = []field[report.Note]{
	{"id", "uuid", "", each(func(n *report.Note) string { return n.ID })},
	{"report_id", "uuid", "", each(func(n *report.Note) string { return n.ReportID })},
	{"author_id", "uuid", "", each(func(n *report.Note) *string { return n.AuthorID })},
	{"kind", "text", "", each(func(n *report.Note) string { return string(n.Kind) })},
	{"body", "text", "json", each(func(n *report.Note) *string { return document(n.Body) })},
	{"erased", "boolean", "", each(func(n *report.Note) bool { return n.Erased })},
	{"created_at", "timestamptz", "", each(func(n *report.Note) time.Time { return n.CreatedAt })},
	{"edited_at", "timestamptz", "", each(func(n *report.Note) *time.Time { return n.EditedAt })},
	{"deleted_at", "timestamptz", "", each(func(n *report.Note) *time.Time { return n.DeletedAt })},
}

// queueRows makes the rows what they are to be, whether they exist or not.
// Names are the code's own.
func queueRows[T any](b *pgx.Batch, table string, row []field[T], of []T) {
	var names, values, arrays, excluded []string
	for i, f := range row {
		value := "n." + f.name
		if f.cast != "" {
			value += "::" + f.cast
		}
		names, values, excluded = append(names, f.name), append(values, value), append(excluded, "EXCLUDED."+f.name)
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, f.kind))
	}
	columns := strings.Join(names, ", ")
	b.Queue(fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS n (%s) ON CONFLICT (id) DO UPDATE SET (%s) = (%s)`,
		table, columns, strings.Join(values, ", "), strings.Join(arrays, ", "), columns,
		strings.Join(names[1:], ", "), strings.Join(excluded[1:], ", ")), valuesOf(row, of)...)
}

func valuesOf[T any](row []field[T], of []T) []any {
	values := make([]any, len(row))
	for i, f := range row {
		values[i] = f.of(of)
	}
	return values
}

func scopeFamily(w *whole) *string {
	if w.state.Target.Scope == nil {
		return nil
	}
	return &w.state.Target.Scope.Family
}

func scopeID(w *whole) *string {
	if w.state.Target.Scope == nil {
		return nil
	}
	return &w.state.Target.Scope.ID
}

// document is JSON as text; no document is null, and not the JSON value null.
func document(raw []byte) *string {
	if len(raw) == 0 {
		return nil
	}
	text := string(raw)
	return &text
}

// vector writes lexemes for the tsvector type, as array_to_tsvector would make it.
func vector(lexemes []string) string {
	quoted := make([]string, len(lexemes))
	for i, l := range lexemes {
		quoted[i] = quoteLexeme(l)
	}
	return strings.Join(quoted, " ")
}
