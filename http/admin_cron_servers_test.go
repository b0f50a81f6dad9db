package http_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/platformtest"
)

// Given two servers of which one sends mail and statements and releases claims, when the other one always runs
// the jobs first, then it leaves these to the server that has their settings.
func TestAServerLeavesAJobWithoutItsSettingToOthers(t *testing.T) {
	t.Parallel()
	_, settings := receiver(t)
	inbox := platformtest.NewMailServer(t)
	settings["DATABASE_URL"], settings["SMTP_URL"], settings["DOCKET_CLAIM_TIMEOUT"] = pgtest.URL(t), inbox.URL, "1h"
	b := newBundleWith(t, settings)
	without, err := cmd.NewServer(t.Context(), map[string]string{"DATABASE_URL": settings["DATABASE_URL"], "DOCKET_BASE_URL": "http://docket.test",
		"DOCKET_DATA_DIR": t.TempDir(), "CRON_SECRET": cronSecret, "LOG_LEVEL": "error"}, b.errors, source(forum.Plugin))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, without.Close()) })
	elsewhere := *b
	elsewhere.docket, elsewhere.server = without, httptest.NewServer(without.Handler())
	t.Cleanup(elsewhere.server.Close)
	b.moderator("Moderator", nil, everyPermission...).put("/users/digest", map[string]any{"every": "hourly", "urgent": false}).status(nethttp.StatusOK)
	b.file(0, "1")

	tick := func(b *bundle) {
		trigger := &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + cronSecret}}}
		trigger.undescribed(nethttp.MethodPost, "/cron", "application/json", []byte("{}")).status(nethttp.StatusOK)
	}
	tick(&elsewhere)
	require.Equal(t, []string{"release-lapsed", "send-digests", "send-statements"},
		pgtest.One[[]string](t, b.pool, `SELECT array_agg(name ORDER BY name) FROM core_cron WHERE last_run IS NULL AND schedule = '* * * * *'`))
	tick(b)
	tick(b) // the mail, unless it was enqueued in time
	require.Equal(t, "moderator@example.test", inbox.Next().Recipient)
}
