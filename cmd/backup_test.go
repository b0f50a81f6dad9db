package cmd

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	nethttp "net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/upkeep"
	"github.com/docketmod/docket/subscribers/webhook"
)

// Given a server that takes commands all the while, of which some are not sealed, not projected and not
// read by the webhooks' group, when a backup of it is restored into a cluster that is younger, then
// everything that was acknowledged before the backup began is there, verified and served at once, and
// each event is delivered once.
func TestABackupHoldsWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	heard := newDeliveries(t)
	audit := filepath.Join(t.TempDir(), "audit")
	source := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": audit, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}
	pool := pgtest.Open(t, source["DATABASE_URL"], postgres.Options{MaxConns: 4})
	pgtest.Exec(t, pool, `DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`)
	p := startProcess(t, source, "demo")
	p.must(p.signIn("admin@demo.test"), nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": heard.URL, "events": []string{"moderation.report.*"}})
	var before []string
	for post := range 9 {
		before = append(before, p.file(p.signIn("member1@demo.test"), fmt.Sprint(post+1)))
	}
	moderator := p.signIn("moderator@demo.test")
	var version atomic.Int64
	version.Store(1)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
			status, answer, err := p.send(moderator, nethttp.MethodPost, "/moderation/reports/"+before[0]+"/"+[]string{"claim", "unassign"}[n%2], map[string]int64{"expectedVersion": version.Load()})
			if err == nil && status == nethttp.StatusOK {
				version.Store(int64(answer["version"].(float64)))
			}
		}
	}()
	worked := func() {
		least := version.Load()
		pgtest.Eventually(t, func() bool { return version.Load() > least+10 }, "a report is worked on")
	}
	worked()
	checkpoint := docket(t, source, "audit", "checkpoint")
	require.Zero(t, checkpoint.status, checkpoint.stderr)
	hold := pgtest.Begin(t, pool)
	pgtest.Exec(t, hold, `SELECT FROM watermill_offsets_docket_events WHERE consumer_group = '`+webhook.Group+`' FOR UPDATE`)
	pgtest.Exec(t, hold, `SELECT pg_advisory_xact_lock(hashtextextended('docket:sealer', 0))`)
	worked()
	pgtest.Eventually(t, func() bool {
		return one[bool](t, pool, `SELECT NOT EXISTS (SELECT FROM core_webhook_deliveries WHERE status <> 'delivered')`)
	}, "what was read is delivered")
	least := version.Load()

	file := filepath.Join(t.TempDir(), "backup.zip")
	made := docket(t, source, "backup", file)

	require.Greater(t, version.Load(), least, "the server is used meanwhile")
	close(stop)
	<-stopped
	p.kill()
	require.NoError(t, hold.Rollback(t.Context()))
	require.Zero(t, made.status, made.stderr)
	require.Contains(t, made.stderr, "the private audit key is not in it")
	require.NotContains(t, made.stderr, "DOCKET_SECRETS_KEY")
	sealed := with(source, "DOCKET_SECRETS_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
	require.Contains(t, docket(t, sealed, "backup", filepath.Join(t.TempDir(), "sealed.zip")).stderr, "nor is DOCKET_SECRETS_KEY")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	last, err := upkeep.Last(t.Context(), pool)
	require.NoError(t, err)
	require.Contains(t, last, upkeep.Backup)
	again := docket(t, source, "backup", file)
	require.Equal(t, exitFailure, again.status)
	require.Contains(t, again.stderr, "a backup replaces nothing")
	refused := docket(t, with(source, "DOCKET_AUDIT_DIR", t.TempDir()), "restore", file)
	require.Equal(t, exitFailure, refused.status)
	require.Contains(t, refused.stderr, "a database without any")

	dir, url := newCluster(t)
	restored := filepath.Join(t.TempDir(), "audit")
	fresh := with(source, "DATABASE_URL", "", "DOCKET_DATA_DIR", dir, "DOCKET_AUDIT_DIR", restored)
	require.Zero(t, docket(t, fresh, "migrate", "up").status)
	back := docket(t, fresh, "restore", file)
	require.Zero(t, back.status, back.stdout+back.stderr)
	require.Contains(t, back.stdout, "1 checkpoint checked, 0 findings")
	pool = pgtest.Open(t, url, postgres.Options{MaxConns: 4})
	require.True(t, one[bool](t, pool, `SELECT min(transaction_id) >= pg_snapshot_xmax(pg_current_snapshot()) FROM core_moderation_report_events`), "the cluster is younger")
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM core_servers`), "the backup's servers are elsewhere")
	known, err := upkeep.Last(t.Context(), pool)
	require.NoError(t, err)
	require.WithinDuration(t, last[upkeep.Backup].At, known[upkeep.Backup].At, time.Minute, "the doctor knows of the backup that it was restored from")
	require.NoFileExists(t, filepath.Join(restored, "key"), "whoever reads a backup cannot sign")
	require.Contains(t, back.stderr, "put it back into "+filepath.Join(restored, "key"))
	require.Contains(t, back.stderr, "DOCKET_SECRETS_KEY is not set")
	early := docket(t, fresh, "audit", "checkpoint")
	require.Equal(t, exitFailure, early.status)
	require.Contains(t, early.stderr, "its public half is there")
	restoreKey(t, audit, restored)

	p = startProcess(t, fresh, "demo")
	for _, id := range before {
		require.Equal(t, id, p.must(moderator, nethttp.MethodGet, "/moderation/reports/"+id, nil)["id"])
	}
	require.GreaterOrEqual(t, p.must(moderator, nethttp.MethodGet, "/moderation/reports/"+before[0], nil)["version"], float64(least))
	p.claim(moderator, before[1])
	events := one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	admin := p.signIn("admin@demo.test")
	pgtest.Eventually(t, func() bool { return p.projected(admin, events) }, "all events are projected")
	require.Equal(t, events, one[int](t, pool, `SELECT max(position) FROM core_moderation_log`))
	messages := one[[]string](t, pool, `SELECT array_agg(uuid) FROM watermill_docket_events WHERE metadata->>'name' LIKE 'moderation.report.%'`)
	pgtest.Eventually(t, func() bool { return heard.events() == len(messages) }, "what was unread is delivered")
	for _, id := range messages {
		require.Equal(t, 1, heard.times(id), "event %s", id)
	}
	require.Zero(t, docket(t, fresh, "projections", "verify").status)
}

// restoreKey puts the private audit key back, which no backup holds.
func restoreKey(t *testing.T, from, to string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from, "key"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(to, "key"), key, 0o600))
}

// Wherever a backup is cut short, and wherever a byte of it changes, nothing is restored.
func TestADamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	file := filepath.Join(t.TempDir(), "backup.zip")
	made := docket(t, environment, "backup", file)
	require.Zero(t, made.status, made.stderr)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	target := map[string]string{"DATABASE_URL": pgtest.Empty(t), "DOCKET_AUDIT_DIR": environment["DOCKET_AUDIT_DIR"]}
	damaged := filepath.Join(t.TempDir(), "damaged.zip")
	refuse := func(content []byte, what string) {
		t.Helper()
		require.NoError(t, os.WriteFile(damaged, content, 0o600))
		got := docket(t, target, "restore", damaged)
		require.Equal(t, exitFailure, got.status, what)
		require.Contains(t, got.stderr, "damaged or was cut short", what)
	}
	for _, kept := range []int{0, 1, len(whole) / 3, len(whole) / 2, len(whole) - 1} {
		refuse(whole[:kept], fmt.Sprintf("%d of %d bytes", kept, len(whole)))
	}
	changed := append([]byte(nil), whole...)
	changed[len(changed)/2] ^= 1
	refuse(changed, "a changed byte")
	require.Contains(t, docket(t, target, "migrate", "status").stdout, "pending", "nothing was restored")

	got := docket(t, target, "restore", file)
	require.Zero(t, got.status, got.stdout+got.stderr)
	require.NotContains(t, docket(t, target, "migrate", "status").stdout, "pending")
}

func TestBackupThatFailsLeavesNoFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	got := docket(t, map[string]string{"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}, "backup", filepath.Join(folder, "backup.zip"))
	require.Equal(t, exitFailure, got.status)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
}
