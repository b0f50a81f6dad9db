package projections

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// endedDecision is a replaced decision with one author of the content: there is a row for each.
type endedDecision struct {
	author, reportID, pluginID string
	report.EndedDecision
}

// endedRow are the columns of core_moderation_ended_decisions, which a trigger writes when a decision is replaced.
var endedRow = []field[endedDecision]{
	column("author", "text", func(d *endedDecision) string { return d.author }),
	column("report_id", "uuid", func(d *endedDecision) string { return d.reportID }),
	column("sequence", "int", func(d *endedDecision) int { return d.Sequence }),
	column("plugin_id", "text", func(d *endedDecision) string { return d.pluginID }),
	column("policy_key", "text", func(d *endedDecision) string { return d.Policy.Key }),
	column("policy_version", "int", func(d *endedDecision) int { return d.Policy.Version }),
	column("decision_id", "text", func(d *endedDecision) string { return d.DecisionID }),
	column("decided_at", "timestamptz", func(d *endedDecision) time.Time { return d.DecidedAt }),
	column("ended_at", "timestamptz", func(d *endedDecision) time.Time { return d.EndedAt }),
}

const endedColumns = `d.author, d.report_id::text, d.sequence, d.plugin_id, d.policy_key, d.policy_version, d.decision_id, d.decided_at, d.ended_at`

func scanEnded(row pgx.CollectableRow) (d endedDecision, err error) {
	err = row.Scan(&d.author, &d.reportID, &d.Sequence, &d.pluginID, &d.Policy.Key, &d.Policy.Version, &d.DecisionID, &d.DecidedAt, &d.EndedAt)
	return d, err
}

// endedOf returns the replaced decisions of a report, one per author, in order.
func endedOf(c report.Contents) (all []endedDecision) {
	for _, author := range unique(c.Authors) {
		for _, d := range c.Ended {
			all = append(all, endedDecision{author, c.State.ID, c.State.Target.PluginID, d})
		}
	}
	return all
}
