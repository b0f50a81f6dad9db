package projections_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// Given an author with more decided reports than a record reads, then the newest are counted
// and the record says that there are more.
func TestTheRecordOfAnAuthorIsBounded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	run := func(sql string, args ...any) {
		t.Helper()
		pgtest.Exec(t, pool, sql, args...)
	}
	decide := func(from, to int, resolution report.Resolution) {
		t.Helper()
		run(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
				requested_locale, reason, title, excerpt, search, resolution, created_at, updated_at, resolved_at)
			SELECT lpad(n::text, 32, '0')::uuid, 'done', 1, 1, 'forum', 'forum.post', n, 'posts', 'en', 'en', 'spam', '', '', '', $3, now(), now(), now()
			FROM generate_series($1::int, $2::int) n`, from, to, resolution)
		run(`INSERT INTO core_moderation_report_authors (report_id, plugin_id, author) SELECT id, plugin_id, 'writer' FROM core_moderation_reports ON CONFLICT DO NOTHING`)
	}
	reports := projections.NewReports(pool)
	read := func(pluginID string) projections.AuthorRecord {
		t.Helper()
		record, err := reports.AuthorRecord(t.Context(), permission.Coverage{All: true}, "writer", pluginID, time.Now())
		require.NoError(t, err)
		return record
	}
	decide(1, 1000, report.NoViolation)
	require.Equal(t, []any{1000, false}, []any{read("").Decided, read("").Capped})
	decide(1001, 1400, report.ActionTaken)
	for _, pluginID := range []string{"", "forum"} {
		record := read(pluginID)
		require.Equal(t, []any{1000, true}, []any{record.Decided, record.Capped})
		require.Equal(t, map[report.Resolution]int{report.NoViolation: 600, report.ActionTaken: 400, report.Duplicate: 0}, record.Outcomes)
	}
	require.Equal(t, []any{0, false}, []any{read("shop").Decided, read("shop").Capped})
}

// A name of an account can be somebody else's on another platform.
func TestTheRecordOfAnAccountHasNothingOfNamesakes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const account = "00000000-0000-0000-0000-00000000000a"
	pgtest.Exec(t, pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Ada', now())`, account)
	pgtest.Exec(t, pool, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ('plugin:shop', '7', $1, now())`, account)
	pgtest.Exec(t, pool, `INSERT INTO core_policy_strikes (key, version, strikes, days) VALUES ('spam', 1, 3, 30)`)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
			requested_locale, reason, title, excerpt, search, resolution, created_at, updated_at, resolved_at, decision)
		SELECT gen_random_uuid(), 'done', 1, 1, p, p || '.post', '1', 'posts', 'en', 'en', 'spam', '', '', '', 'action_taken', now(), now(), now(),
			'{"sequence": 1, "policy": {"key": "spam", "version": 1}}' FROM unnest(ARRAY['forum', 'shop']) p`)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_report_authors (report_id, plugin_id, author) SELECT id, plugin_id, '7' FROM core_moderation_reports`)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_measures (id, report_id, plugin_id, author, kind, because, threshold, imposed_at, ended_by)
		SELECT gen_random_uuid(), id, plugin_id, '7', 'warn', 'moderator', 0, now(), '' FROM core_moderation_reports`)
	reports := projections.NewReports(pool)
	for author, pluginID := range map[string]string{account: "", "7": "forum"} {
		record, err := reports.AuthorRecord(t.Context(), permission.Coverage{All: true}, author, pluginID, time.Now().Add(time.Minute))
		require.NoError(t, err)
		require.Equal(t, []any{3, 1}, []any{record.Strikes, len(record.Measures)}, author)
	}
}
