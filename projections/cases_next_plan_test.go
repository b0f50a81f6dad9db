package projections_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// Given many cases of which some are parked or passed, then the next one is found by walking the
// index on the rank, and what keeps a case out by its key.
func TestTheNextCaseIsFoundByItsRank(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, sql := range []string{
		`INSERT INTO core_moderation_cases (plugin_id, target_type, target_id, permission_module, title, excerpt, open_reports, reasons, assignees, authors, first_at, last_at, parts, rank)
			SELECT 'forum', 'forum.post', n, 'posts', '', '', 1, '{}', '{}', '{}', now(), now(), '[]', n FROM generate_series(1, 20000) n`,
		`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id) SELECT plugin_id, target_type, target_id FROM core_moderation_cases`,
		`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
			SELECT gen_random_uuid(), 'new', 1, 1, plugin_id, target_type, target_id, 'posts', 'en', 'en', 'spam', '', '', '', now(), now() FROM core_moderation_cases`,
		`INSERT INTO core_moderation_parked SELECT id, now() + interval '1 day', NULL, now() FROM core_moderation_cases ORDER BY rank DESC LIMIT 500`,
		`INSERT INTO core_moderation_passes SELECT sha256(uuid_send(gen_random_uuid())), now() + interval '1 day' FROM generate_series(1, 5000)`,
		`ANALYZE`,
	} {
		pgtest.Exec(t, pool, sql)
	}
	me := projections.WaitsFor{UserID: uuid.NewString(), Leads: permission.Coverage{All: true}}
	explain := func(f projections.Filter) string {
		t.Helper()
		sql, args, err := projections.NewReports(pool).ReserveQuery(permission.Coverage{All: true}, f, me)
		require.NoError(t, err)
		return strings.Join(pgtest.All[string](t, pool, "EXPLAIN "+sql, args...), "\n")
	}
	plan := explain(projections.Filter{})
	require.Contains(t, plan, "Index Scan Backward using core_moderation_cases_rank", plan)
	require.NotContains(t, plan, "Seq Scan on core_moderation_cases", plan)
	require.NotContains(t, plan, "Sort", plan)

	t.Log("and what waits for the caller by its own index")
	plan = explain(projections.Filter{Escalated: &me})
	require.Contains(t, plan, "core_moderation_reports_escalated", plan)
	require.NotContains(t, plan, "core_moderation_cases_rank", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
}
