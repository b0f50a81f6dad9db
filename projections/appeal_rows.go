package projections

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

const appealColumns = `a.id::text, a.report_id::text, a.by_role, a.appellant_id::text, a.status, a.decision_sequence, a.sequence,
	a.created_at, a.decided_sequence, a.decided_at, a.decider_id::text, a.superseded`

// appealFields returns the destinations of appealColumns.
func appealFields(a *report.Appeal) []any {
	return []any{&a.ID, &a.ReportID, &a.By, &a.AppellantID, &a.Status, &a.Decision, &a.Sequence,
		&a.CreatedAt, &a.DecidedSequence, &a.DecidedAt, &a.DeciderID, &a.Superseded}
}

func scanAppeal(row pgx.CollectableRow) (a report.Appeal, err error) {
	err = row.Scan(appealFields(&a)...)
	return a, err
}

// appealRow is an appeal's row, its id first.
var appealRow = []field[report.Appeal]{
	column("id", "uuid", func(a *report.Appeal) string { return a.ID }),
	column("report_id", "uuid", func(a *report.Appeal) string { return a.ReportID }),
	column("by_role", "text", func(a *report.Appeal) string { return string(a.By) }),
	column("appellant_id", "uuid", func(a *report.Appeal) *string { return a.AppellantID }),
	column("status", "text", func(a *report.Appeal) string { return string(a.Status) }),
	column("decision_sequence", "int", func(a *report.Appeal) int { return a.Decision }),
	column("sequence", "int", func(a *report.Appeal) int { return a.Sequence }),
	column("created_at", "timestamptz", func(a *report.Appeal) time.Time { return a.CreatedAt }),
	column("decided_sequence", "int", func(a *report.Appeal) int { return a.DecidedSequence }),
	column("decided_at", "timestamptz", func(a *report.Appeal) *time.Time { return a.DecidedAt }),
	column("decider_id", "uuid", func(a *report.Appeal) *string { return a.DeciderID }),
	column("superseded", "boolean", func(a *report.Appeal) bool { return a.Superseded }),
}

// queueAppeal stores an appeal after an event.
func queueAppeal(b *pgx.Batch, after report.State, e report.Event) {
	switch f := e.Fact.(type) {
	case *report.Appealed:
		decision := 0
		if after.Decision != nil {
			decision = after.Decision.Sequence
		}
		queueRows(b, "core_moderation_appeals", appealRow, []report.Appeal{report.EvolveAppeal(report.Appeal{}, decision, e)})
	case *report.AppealDecided:
		b.Queue(`UPDATE core_moderation_appeals SET status = $2, decided_sequence = $3, decided_at = $4, decider_id = $5, superseded = $6 WHERE id = $1`,
			f.AppealID, f.Outcome, e.Sequence, e.OccurredAt, e.ActorID, f.Superseded)
	case *report.AccountRemoved:
		b.Queue(`UPDATE core_moderation_appeals SET appellant_id = nullif(appellant_id, $2), decider_id = nullif(decider_id, $2)
			WHERE report_id = $1 AND $2 IN (appellant_id, decider_id)`, e.ReportID, f.UserID)
	}
}
