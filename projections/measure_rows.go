package projections

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// measureOf is a measure with the report that imposed it.
type measureOf struct {
	reportID string
	report.Measure
}

// measureRow is a measure's row, its id first.
var measureRow = []field[measureOf]{
	column("id", "uuid", func(m *measureOf) string { return m.ID }),
	column("report_id", "uuid", func(m *measureOf) string { return m.reportID }),
	column("plugin_id", "text", func(m *measureOf) string { return m.Author.PluginID }),
	column("author", "text", func(m *measureOf) string { return m.Author.ID }),
	column("kind", "text", func(m *measureOf) string { return string(m.Kind) }),
	column("until", "timestamptz", func(m *measureOf) *time.Time { return m.Until }),
	column("policy_key", "text", func(m *measureOf) *string { key, _ := citedColumns(m.Policy); return key }),
	column("policy_version", "int", func(m *measureOf) *int { _, version := citedColumns(m.Policy); return version }),
	column("because", "text", func(m *measureOf) string { return string(m.Because) }),
	column("threshold", "int", func(m *measureOf) int { return m.Threshold }),
	column("imposed_at", "timestamptz", func(m *measureOf) time.Time { return m.ImposedAt }),
	column("imposed_by", "uuid", func(m *measureOf) *string { return m.ImposedBy }),
	column("ended_at", "timestamptz", func(m *measureOf) *time.Time { return m.EndedAt }),
	column("ended_by", "text", func(m *measureOf) string { return string(m.EndedBy) }),
	column("delivery", "text", func(m *measureOf) string { return string(m.Delivery) }),
}

const measureColumns = `m.id::text, m.report_id::text, m.plugin_id, m.author, m.kind, m.until, m.policy_key, m.policy_version,
	m.because, m.threshold, m.imposed_at, m.imposed_by::text, m.ended_at, m.ended_by, m.delivery`

// measureFields returns the destinations of measureColumns. done must be called after the scan.
func measureFields(m *measureOf) (fields []any, done func()) {
	var key *string
	var version *int
	return []any{&m.ID, &m.reportID, &m.Author.PluginID, &m.Author.ID, &m.Kind, &m.Until, &key, &version,
			&m.Because, &m.Threshold, &m.ImposedAt, &m.ImposedBy, &m.EndedAt, &m.EndedBy, &m.Delivery}, func() {
			if key != nil && version != nil {
				m.Policy = &policy.Ref{Key: *key, Version: *version}
			}
		}
}

func scanMeasure(row pgx.CollectableRow) (m measureOf, err error) {
	fields, done := measureFields(&m)
	err = row.Scan(fields...)
	done()
	return m, err
}

func citedColumns(ref *policy.Ref) (key *string, version *int) {
	if ref == nil {
		return nil, nil
	}
	return &ref.Key, &ref.Version
}

// measuresOf returns the measures of a report by id.
func measuresOf(s report.State) map[string]measureOf {
	all := make(map[string]measureOf, len(s.Measures))
	for _, m := range s.Measures {
		all[m.ID] = measureOf{s.ID, m}
	}
	return all
}

// queueMeasures stores an event's changes of a report's measures.
func queueMeasures(b *pgx.Batch, after report.State, e report.Event) {
	_, removed := e.Fact.(*report.AccountRemoved)
	id := report.MeasureOf(e)
	for _, m := range after.Measures {
		if removed || m.ID == id {
			queueRows(b, "core_moderation_measures", measureRow, []measureOf{{after.ID, m}})
		}
	}
}
