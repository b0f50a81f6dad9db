package projections_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// An overturn can be recorded between the proposal of a measure and its imposition, or by a server
// whose clock is behind.
func TestAMeasureOfTheLadderIsFoundWheneverADecisionWasReplaced(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
			requested_locale, reason, title, excerpt, search, resolution, created_at, updated_at, resolved_at)
		VALUES (gen_random_uuid(), 'done', 1, 1, 'forum', 'forum.post', '1', 'posts', 'en', 'en', 'spam', '', '', '', 'action_taken', now(), now(), now())`)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_measures (id, report_id, plugin_id, author, kind, because, threshold, imposed_at, ended_by)
		SELECT gen_random_uuid(), id, 'forum', author, 'suspend', because, 2, now(), ''
		FROM core_moderation_reports, (VALUES ('ada', 'ladder'), ('ada', 'moderator'), ('bob', 'ladder')) v (author, because)`)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_ended_decisions (author, report_id, sequence, plugin_id, policy_key, policy_version, decision_id, decided_at, ended_at)
		VALUES ('ada', gen_random_uuid(), 2, 'forum', 'spam', 1, 'd', now() - interval '2 hours', now() - interval '1 minute')`)
	found, err := projections.NewReports(pool).LadderMeasures(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, []any{"ada", 2}, []any{found[0].Author.ID, found[0].Threshold})
}

// A server of the release before ends nothing where it replaces a decision.
func TestAMeasureWhoseDecisionStandsNoMoreIsDue(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	stands, replaced := h.File(t, 0, "1"), h.File(t, 1, "2")
	h.Resolve(t, stands, 2, report.ActionTaken)
	pgtest.Exec(t, h.Pool, `INSERT INTO core_moderation_measures (id, report_id, plugin_id, author, kind, because, threshold, imposed_at, ended_by)
		SELECT gen_random_uuid(), id, 'forum', 'ada', 'suspend', 'moderator', 0, now(), '' FROM core_moderation_reports`)
	due, err := projections.NewReports(h.Pool).DueMeasures(t.Context(), time.Now(), nil, 10)
	require.NoError(t, err)
	require.Equal(t, []string{replaced}, due)
}
