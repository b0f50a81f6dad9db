package cmd

import (
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/upkeep"
	"github.com/docketmod/docket/scripts/fill/history"
)

// Given a server that takes reports all the while, when a backup of it is restored into
// a fresh cluster, then everything that was acknowledged before the backup began is
// there, verified, served and delivered. DOCKET_BACKUP_REPORTS=300000 gives the server so
// many reports first: five minutes on two cores.
func TestABackupHoldsWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	source := newOwnCluster(t)
	audit := filepath.Join(t.TempDir(), "audit")
	source.environment = with(source.environment, "DOCKET_AUDIT_DIR", audit)
	p := startProcess(t, source.environment, "demo")
	if reports, err := strconv.Atoi(os.Getenv("DOCKET_BACKUP_REPORTS")); err == nil {
		source.fill(t, reports)
	}
	var acknowledged sync.Map
	var count, version atomic.Int64
	var filing sync.WaitGroup
	stop := make(chan struct{})
	for n := range 9 {
		client := p.signIn(fmt.Sprintf("member%d@demo.test", n+1))
		filing.Go(func() {
			for post := 1; post <= 20; post++ {
				select {
				case <-stop:
					return
				default:
				}
				status, answer, err := p.send(client, nethttp.MethodPost, "/moderation/reports",
					map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(post), "reason": "spam"})
				if err == nil && status == nethttp.StatusCreated {
					acknowledged.Store(answer["id"], true)
					count.Add(1)
				}
			}
		})
	}
	pgtest.Eventually(t, func() bool { return count.Load() >= 20 }, "reports are filed")
	var before []string
	acknowledged.Range(func(id, _ any) bool { before = append(before, id.(string)); return true })
	moderator := p.signIn("moderator@demo.test")
	version.Store(1)
	filing.Go(func() {
		for {
			for _, command := range []string{"claim", "unassign"} {
				select {
				case <-stop:
					return
				case <-time.After(10 * time.Millisecond):
				}
				status, answer, err := p.send(moderator, nethttp.MethodPost, "/moderation/reports/"+before[0]+"/"+command, map[string]int64{"expectedVersion": version.Load()})
				if err == nil && status == nethttp.StatusOK {
					version.Store(int64(answer["version"].(float64)))
				}
			}
		}
	})
	pgtest.Eventually(t, func() bool { return version.Load() >= 20 }, "a report is worked on")
	checkpoint := docket(t, source.environment, "audit", "checkpoint")
	require.Zero(t, checkpoint.status, checkpoint.stderr)
	least := version.Load()

	file := filepath.Join(t.TempDir(), "backup.zip")
	made := docket(t, source.environment, "backup", file)

	require.Greater(t, version.Load(), least, "the server is used meanwhile")
	close(stop)
	filing.Wait()
	require.Zero(t, made.status, made.stderr)
	require.Contains(t, made.stderr, "the private audit key is not in it")
	require.NotContains(t, made.stderr, "DOCKET_SECRETS_KEY")
	sealed := with(source.environment, "DOCKET_SECRETS_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
	require.Contains(t, docket(t, sealed, "backup", filepath.Join(t.TempDir(), "sealed.zip")).stderr, "nor is DOCKET_SECRETS_KEY")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	last, err := upkeep.Last(t.Context(), source.pool)
	require.NoError(t, err)
	require.Contains(t, last, upkeep.Backup)
	again := docket(t, source.environment, "backup", file)
	require.Equal(t, exitFailure, again.status)
	require.Contains(t, again.stderr, "a backup replaces nothing")
	refused := docket(t, with(source.environment, "DOCKET_AUDIT_DIR", t.TempDir()), "restore", file)
	require.Equal(t, exitFailure, refused.status)
	require.Contains(t, refused.stderr, "a database without any")

	fresh := newOwnCluster(t)
	restored := filepath.Join(t.TempDir(), "audit")
	fresh.environment = with(fresh.environment, "DOCKET_AUDIT_DIR", restored)
	require.Zero(t, docket(t, fresh.environment, "migrate", "up").status)
	back := docket(t, fresh.environment, "restore", file)
	require.Zero(t, back.status, back.stdout+back.stderr)
	require.Contains(t, back.stdout, "1 checkpoint checked, 0 findings")
	require.Zero(t, one[int](t, fresh.pool, `SELECT count(*) FROM core_servers`), "the backup's servers are elsewhere")
	known, err := upkeep.Last(t.Context(), fresh.pool)
	require.NoError(t, err)
	require.WithinDuration(t, last[upkeep.Backup].At, known[upkeep.Backup].At, time.Minute, "the doctor knows of the backup that it was restored from")
	require.NoFileExists(t, filepath.Join(restored, "key"), "whoever reads a backup cannot sign")
	require.Contains(t, back.stderr, "put it back into "+filepath.Join(restored, "key"))
	require.Contains(t, back.stderr, "DOCKET_SECRETS_KEY is not set")
	early := docket(t, fresh.environment, "audit", "checkpoint")
	require.Equal(t, exitFailure, early.status)
	require.Contains(t, early.stderr, "its public half is there")
	original, err := os.ReadFile(filepath.Join(audit, "key"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(restored, "key"), original, 0o600))

	served := startProcess(t, fresh.environment, "serve")
	moderator = served.signIn("moderator@demo.test")
	for _, id := range before {
		require.Equal(t, id, served.must(moderator, nethttp.MethodGet, "/moderation/reports/"+id, nil)["id"])
	}
	require.GreaterOrEqual(t, served.must(moderator, nethttp.MethodGet, "/moderation/reports/"+before[0], nil)["version"], float64(least))
	events := one[int](t, fresh.pool, `SELECT count(*) FROM core_moderation_report_events`)
	admin := served.signIn("admin@demo.test")
	pgtest.Eventually(t, func() bool { return served.projected(admin, events) }, "all events are projected")
}

// fill gives the demo on the cluster a history of so many reports.
func (c *ownCluster) fill(t *testing.T, reports int) {
	t.Helper()
	a := &app{environment: c.environment, stdout: io.Discard, stderr: io.Discard}
	cfg, err := a.config()
	require.NoError(t, err)
	key, err := cfg.signer()
	require.NoError(t, err)
	database, err := openDatabase(t.Context(), cfg, cfg.logger(io.Discard), postgres.Options{StatementTimeout: -1, IdleInTransactionTimeout: -1})
	require.NoError(t, err)
	defer func() { require.NoError(t, database.Close()) }()
	_, err = history.Forum(t.Context(), database.Pool, history.Size{Reports: reports}, key, nil)
	require.NoError(t, err)
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
