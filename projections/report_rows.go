package projections

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
)

// reportColumn is a column of core_moderation_reports.
type reportColumn struct {
	field[projected]
	when written
	into func(*projected) any // the destination of a scan; nil if it is not read with the state
}

// written says which statements write a column, besides a rebuild, which writes all of them.
type written int

const (
	atFiling  written = 1 << iota // when a report is filed
	byCommand                     // by each later command
)

// reportColumns are the columns of a report's row, its id first. All statements that read or write
// reports use them.
var reportColumns = []reportColumn{
	stored("id", "uuid", atFiling, func(w *projected) *string { return &w.state.ID }),
	stored("status", "text", atFiling|byCommand, func(w *projected) *report.Status { return &w.state.Status }),
	stored("version", "int", atFiling|byCommand, func(w *projected) *int { return &w.state.Version }),
	stored("sequence", "int", atFiling|byCommand, func(w *projected) *int { return &w.state.Sequence }),
	{column("folded", "int", func(w *projected) int { return w.state.Sequence }), atFiling | byCommand, nil},
	stored("plugin_id", "text", atFiling, func(w *projected) *string { return &w.state.Target.PluginID }),
	stored("target_type", "text", atFiling, func(w *projected) *string { return &w.state.Target.Type }),
	stored("target_id", "text", atFiling, func(w *projected) *string { return &w.state.Target.ID }),
	stored("permission_module", "text", atFiling, func(w *projected) *string { return &w.state.Target.PermissionModule }),
	{column("scope_family", "text", scopeFamily), atFiling, func(w *projected) any { return &w.family }},
	{column("scope_id", "text", scopeID), atFiling, func(w *projected) any { return &w.scopeID }},
	stored("locale", "text", atFiling, func(w *projected) *string { return &w.state.Locale }),
	stored("requested_locale", "text", atFiling, func(w *projected) *string { return &w.state.RequestedLocale }),
	stored("reason", "text", atFiling, func(w *projected) *report.Reason { return &w.state.Reason }),
	encoded("alleged_policy", atFiling, func(w *projected) **policy.Ref { return &w.state.Alleged }),
	stored("source", "text", atFiling, func(w *projected) *report.Source { return &w.state.Source }),
	stored("description", "text", atFiling, func(w *projected) **string { return &w.state.Description }),
	{column("snapshot", "json", func(w *projected) *string { return document(w.state.Snapshot) }), atFiling, nil},
	{column("authors", "json", func(w *projected) *string { return w.kept }), 0, nil},
	stored("title", "text", atFiling, func(w *projected) *string { return &w.state.Title }),
	stored("excerpt", "text", atFiling, func(w *projected) *string { return &w.state.Excerpt }),
	stored("reporter_name", "text", atFiling|byCommand, func(w *projected) **string { return &w.state.ReporterName }),
	stored("reporter_id", "uuid", atFiling|byCommand, func(w *projected) **string { return &w.state.ReporterID }),
	stored("assignee_id", "uuid", byCommand, func(w *projected) **string { return &w.state.AssigneeID }),
	stored("resolver_id", "uuid", byCommand, func(w *projected) **string { return &w.state.ResolverID }),
	stored("resolution", "text", byCommand, func(w *projected) **report.Resolution { return &w.state.Resolution }),
	stored("explanation", "text", byCommand, func(w *projected) **string { return &w.state.Explanation }),
	stored("shared", "boolean", byCommand, func(w *projected) *bool { return &w.state.Shared }),
	{column("open_key", "bytea", func(w *projected) []byte { return w.openKey }), atFiling | byCommand, nil},
	encoded("decision", byCommand, func(w *projected) **report.Decision { return &w.state.Decision }),
	encoded("standing", byCommand, func(w *projected) *[]string { return &w.state.Standing }),
	encoded("measures", byCommand, func(w *projected) *[]report.Measure { return &w.state.Measures }),
	{column("measured", "int", func(w *projected) int { return w.state.Sequence }), byCommand, nil},
	stored("note_count", "int", byCommand, func(w *projected) *int { return &w.state.NoteCount }),
	stored("erased", "boolean", 0, func(w *projected) *bool { return &w.state.Erased }),
	stored("muted", "boolean", atFiling, func(w *projected) *bool { return &w.state.Muted }),
	stored("due_at", "timestamptz", atFiling|byCommand, func(w *projected) **time.Time { return &w.state.DueAt }),
	stored("overdue", "boolean", byCommand, func(w *projected) *bool { return &w.state.Overdue }),
	encoded("pending_actions", byCommand, func(w *projected) *[]report.PendingAction { return &w.state.Pending }),
	encoded("pins", byCommand, func(w *projected) *[]report.Pin { return &w.state.Pins }),
	encoded("held", byCommand, func(w *projected) **report.HeldDecision { return &w.state.HeldDecision }),
	encoded("escalation", byCommand, func(w *projected) **report.Escalation { return &w.state.Escalation }),
	{column("escalated_to", "uuid", escalatedTo), byCommand, func(w *projected) any { return &w.escalatedTo }},
	{column("escalated", "int", func(w *projected) int { return w.state.Sequence }), byCommand, nil},
	{column("signals", "json", func(w *projected) *string { return jsonColumn(w.state.Signals) }), atFiling | byCommand, nil},
	encoded("rules", byCommand, func(w *projected) *[]report.MatchAt { return &w.state.Rules }),
	{column("tags", "jsonb", func(w *projected) *string { return jsonColumn(w.state.Tags()) }), byCommand, nil},
	{column("ruled", "int", func(w *projected) int { return w.state.Sequence }), byCommand, nil},
	stored("hidden_by", "text", byCommand, func(w *projected) *string { return &w.state.HiddenBy }),
	{column("search", "tsvector", func(w *projected) string { return vector(w.search) }), atFiling, nil},
	stored("created_at", "timestamptz", atFiling, func(w *projected) *time.Time { return &w.state.CreatedAt }),
	stored("updated_at", "timestamptz", atFiling|byCommand, func(w *projected) *time.Time { return &w.state.UpdatedAt }),
	stored("resolved_at", "timestamptz", byCommand, func(w *projected) **time.Time { return &w.state.ResolvedAt }),
}

// stored is a column with a field of the state.
func stored[V any](name, kind string, when written, at func(*projected) *V) reportColumn {
	return reportColumn{column(name, kind, func(w *projected) V { return *at(w) }), when, func(w *projected) any { return at(w) }}
}

// encoded is a column with a field of the state as JSON.
func encoded[V any](name string, when written, at func(*projected) *V) reportColumn {
	return reportColumn{column(name, "json", func(w *projected) *string { return jsonColumn(*at(w)) }), when, func(w *projected) any { return at(w) }}
}

// columnsWritten returns the columns that these statements write; 0 means all.
func columnsWritten(when written) (row []field[projected]) {
	for _, c := range reportColumns {
		if c.when&when == when {
			row = append(row, c.field)
		}
	}
	return row
}

var (
	reportRow  = columnsWritten(0)
	filedRow   = columnsWritten(atFiling)
	changedRow = columnsWritten(byCommand)
)

// stateColumns select the folded state without its snapshot and signals, in the order of stateFields.
var stateColumns = func() string {
	var names []string
	for _, c := range reportColumns {
		switch {
		case c.into == nil:
		case c.kind == "uuid":
			names = append(names, "r."+c.name+"::text")
		default:
			names = append(names, "r."+c.name)
		}
	}
	return strings.Join(append(names, BehindColumn), ", ")
}()

// stateFields returns the destinations of stateColumns. done must be called after the scan. whole
// reports whether the state includes every event that the row counts.
func stateFields(s *report.State) (fields []any, done func() (whole bool, err error)) {
	var row projected
	var behind Behind
	for _, c := range reportColumns {
		if c.into != nil {
			fields = append(fields, c.into(&row))
		}
	}
	return append(fields, &behind), func() (bool, error) {
		row.state.Snapshot, row.state.Reasons, row.state.Signals = s.Snapshot, s.Reasons, s.Signals // which other columns have
		*s = row.state
		s.Target.Scope = resource(row.family, row.scopeID)
		if row.escalatedTo != nil {
			if s.Escalation == nil {
				s.Escalation = new(report.Escalation)
			}
			s.Escalation.To = row.escalatedTo
		}
		return behind.Fold(s)
	}
}

// updateReport stores what commands can change in the report $1. The snapshot never changes.
var updateReport = func() string {
	set := make([]string, len(changedRow))
	for i, f := range changedRow {
		set[i] = fmt.Sprintf("%s = $%d", f.name, i+2)
	}
	return `UPDATE core_moderation_reports SET ` + strings.Join(set, ", ") + ` WHERE id = $1`
}()

func queueUpdate(b *pgx.Batch, s report.State, reindex bool) {
	w := projected{state: s, openKey: openKeyOf(s)}
	args := []any{s.ID}
	for _, f := range changedRow {
		args = append(args, f.value(&w))
	}
	b.Queue(updateReport, args...)
	if reindex {
		b.Queue(`UPDATE core_moderation_reports SET search = `+forgetName+` WHERE id = $1`, s.ID, termsBefore(s))
	}
}

// openKey returns the key whose unique index allows one open report per reporter and target.
func openKey(reporterID *string, t report.Target) []byte {
	if reporterID == nil {
		return nil
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", *reporterID, t.PluginID, t.Type, t.ID))
	return key[:]
}

// openKeyOf returns the open key of a report, or nil if it is done.
func openKeyOf(s report.State) []byte {
	if s.Status == report.Done {
		return nil
	}
	return openKey(s.ReporterID, s.Target)
}

func resource(family, id *string) *scope.Resource {
	if family == nil {
		return nil
	}
	return &scope.Resource{Family: *family, ID: domain.OrEmpty(id)}
}

// resourceColumns converts a resource to columns.
func resourceColumns(r *scope.Resource) (family, id *string) {
	if r == nil {
		return nil, nil
	}
	return &r.Family, &r.ID
}

func escalatedTo(w *projected) *string {
	if w.state.Escalation == nil {
		return nil
	}
	return w.state.Escalation.To
}
