package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// Given many reports, those that the facts of a few filings depend on are found by indexes.
func TestReportsThatFactsDependOnAreFoundByIndexes(t *testing.T) {
	t.Parallel()
	d, _ := logtest.NewLong(t, 1500)
	_, err := projections.Inline{}.Rebuild(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
	pgtest.Exec(t, d.Pool, `VACUUM ANALYZE core_moderation_report_events, core_moderation_reports, core_moderation_report_authors`)
	plan := strings.Join(pgtest.All[string](t, d.Pool, `EXPLAIN `+selectConcerning,
		d.Users[:2], []string{"forum"}, []string{"forum.post"}, []string{"7"}, []string{"forum"}, []string{d.Users[5]}, 100), "\n")
	for _, index := range []string{"core_moderation_report_events_by_actor", "core_moderation_reports_target", "core_moderation_report_authors_pkey"} {
		require.Contains(t, plan, index)
	}
	require.NotContains(t, plan, "Seq Scan")
}
