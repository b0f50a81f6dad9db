package postgres_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/internal/server"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// replication is a primary with a table of one column and a replica that streams from it.
type replication struct {
	t                *testing.T
	primary, replica *pgxpool.Pool
	standby          *server.Server
	reads            *postgres.Replica
	written          int
}

func newReplication(t *testing.T) *replication {
	t.Helper()
	ctx := t.Context()
	installation, err := server.Find(ctx, 0)
	require.NoError(t, err)
	account, err := server.ServerAccount()
	require.NoError(t, err)
	dir, err := os.MkdirTemp("", "dkt") //nolint:usetesting // t.TempDir's path is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o711))
	servers := map[string]*server.Server{}
	for _, name := range []string{"a", "b"} {
		servers[name] = &server.Server{Installation: installation, Account: account, DataDir: filepath.Join(dir, name), SocketDir: filepath.Join(dir, name+"s"),
			LogFile: filepath.Join(dir, name+".log"), Settings: map[string]string{"fsync": "off", "shared_buffers": "16MB"}}
		require.NoError(t, account.MakeDir(servers[name].SocketDir))
	}
	primary, standby := servers["a"], servers["b"]
	require.NoError(t, account.MakeDir(primary.DataDir))
	require.NoError(t, primary.InitDB(ctx, "--no-sync"))
	// A copy of a server that is stopped is a base backup.
	out, err := exec.CommandContext(ctx, "cp", "-a", primary.DataDir, standby.DataDir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.WriteFile(filepath.Join(standby.DataDir, "standby.signal"), nil, 0o644))
	standby.Settings["primary_conninfo"] = "host=" + primary.SocketDir + " user=" + server.Superuser
	for _, s := range []*server.Server{primary, standby} {
		require.NoError(t, s.Start(ctx))
		t.Cleanup(func() { _ = s.Stop(context.Background()) })
	}
	r := &replication{t: t, standby: standby}
	r.primary, r.replica = open(t, primary), open(t, standby)
	r.reads = postgres.NewReplica(r.primary, r.replica)
	pgtest.Exec(t, r.primary, `CREATE TABLE written (n int)`)
	return r
}

func open(t *testing.T, s *server.Server) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), s.URL("postgres"), postgres.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(func() { postgres.Close(pool) })
	return pool
}

// writeAndRead writes a row and reads it at once. It reports whether the replica gave it.
func (r *replication) writeAndRead() (fromReplica bool) {
	r.t.Helper()
	r.written++
	pgtest.Exec(r.t, r.primary, `INSERT INTO written VALUES ($1)`, r.written)
	var n int
	require.NoError(r.t, r.reads.QueryRow(r.t.Context(), `SELECT max(n), pg_is_in_recovery() FROM written`).Scan(&n, &fromReplica))
	require.Equal(r.t, r.written, n, "the read missed the write before it")
	rows, err := r.reads.Query(r.t.Context(), `SELECT n FROM written WHERE n = $1`, r.written)
	require.NoError(r.t, err)
	require.True(r.t, rows.Next())
	require.False(r.t, rows.Next())
	require.NoError(r.t, rows.Err())
	return fromReplica
}

func (r *replication) eventuallyFromReplica() {
	r.t.Helper()
	pgtest.Eventually(r.t, r.writeAndRead, "the replica is read")
}

func (r *replication) exec(pool *pgxpool.Pool, sql string) {
	r.t.Helper()
	pgtest.Exec(r.t, pool, sql)
}

// Given a replica that streams, stops replaying, replays again, and is killed, when each
// read follows a write, then none misses its write, and the replica is read while it can.
func TestReplicaNeverMissesAWrite(t *testing.T) {
	t.Parallel()
	r := newReplication(t)
	r.eventuallyFromReplica()
	fromReplica := 0
	for range 300 {
		if r.writeAndRead() {
			fromReplica++
		}
	}
	require.Positive(t, fromReplica)
	t.Logf("%d of 300 reads were the replica's", fromReplica)

	r.exec(r.replica, `SELECT pg_wal_replay_pause()`)
	pgtest.Eventually(t, func() bool {
		state := pgtest.One[string](t, r.replica, `SELECT pg_get_wal_replay_pause_state()`)
		return state == "paused"
	}, "the replay is paused")
	for range 10 {
		require.False(t, r.writeAndRead())
	}
	r.exec(r.replica, `SELECT pg_wal_replay_resume()`)
	r.eventuallyFromReplica()

	require.NoError(t, r.standby.Stop(t.Context()))
	for range 10 {
		require.False(t, r.writeAndRead())
	}
	require.NoError(t, r.standby.Start(t.Context()))
	r.eventuallyFromReplica()
	require.Zero(t, r.replica.Stat().AcquiredConns(), "each connection was given back")
}

// Given reads whose rows the primary locks, or whose replica is killed, while they are under way, then they are the
// primary's.
func TestAReadThatTheReplicaCannotFinishIsThePrimarys(t *testing.T) {
	t.Parallel()
	r := newReplication(t)
	r.exec(r.replica, `ALTER SYSTEM SET max_standby_streaming_delay = 0`)
	r.exec(r.replica, `SELECT pg_reload_conf()`)
	interrupt := map[string]func(){
		"locked": func() { r.exec(r.primary, `BEGIN; LOCK written; COMMIT`) },
		"killed": func() {
			r.exec(r.replica, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%-- slow' AND pid <> pg_backend_pid()`)
		},
	}
	const slow = `SELECT pg_is_in_recovery() FROM (SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(60)::text END FROM written LIMIT 1) w -- slow`
	for name, interrupt := range interrupt {
		for _, read := range []func() (bool, error){
			func() (replica bool, err error) { return replica, r.reads.QueryRow(t.Context(), slow).Scan(&replica) },
			func() (bool, error) {
				return postgres.CollectOne(t.Context(), r.reads, "read", pgx.RowTo[bool], slow)
			},
		} {
			r.eventuallyFromReplica()
			var replica bool
			done := make(chan error)
			go func() {
				var err error
				replica, err = read()
				done <- err
			}()
			pgtest.Eventually(t, func() bool {
				return pgtest.One[bool](t, r.replica, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')`)
			}, "the replica reads")
			interrupt()
			require.NoError(t, <-done, name)
			require.False(t, replica, name)
		}
	}
	require.Zero(t, r.replica.Stat().AcquiredConns(), "each connection was given back")
}

// Given a replica that stands still, as on a machine that is overloaded, then a read waits for it for a second.
func TestAReplicaThatStandsStillIsLeft(t *testing.T) {
	t.Parallel()
	r := newReplication(t)
	r.eventuallyFromReplica()
	for _, conn := range r.replica.AcquireAllIdle(t.Context()) {
		pid := int(conn.Conn().PgConn().PID())
		conn.Release()
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
		time.AfterFunc(10*time.Second, func() { _ = syscall.Kill(pid, syscall.SIGCONT) }) // so that the test ends
	}
	began := time.Now()
	for range 2 {
		require.False(t, r.writeAndRead())
	}
	require.Less(t, time.Since(began), 5*time.Second)
}

// A replica that was promoted has a log of its own, whose end says nothing about the
// primary's.
func TestReplicaIsNotReadOnceItIsPromoted(t *testing.T) {
	t.Parallel()
	r := newReplication(t)
	r.eventuallyFromReplica()
	r.exec(r.replica, `SELECT pg_promote()`)
	r.exec(r.replica, `INSERT INTO written SELECT generate_series(1000000, 1010000)`)

	for range 50 {
		require.False(t, r.writeAndRead())
	}
}

// Without the right to see the replication nothing proves that the replica is current.
func TestReplicaIsNotReadWithoutTheRightToSeeItsReplication(t *testing.T) {
	t.Parallel()
	r := newReplication(t)
	r.exec(r.primary, `CREATE ROLE member LOGIN`)
	r.exec(r.primary, `GRANT ALL ON written TO member`)
	r.eventuallyFromReplica() // and so the role is there too
	member, err := postgres.Open(t.Context(), strings.Replace(r.standby.URL("postgres"), server.Superuser+"@", "member@", 1), postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { postgres.Close(member) })
	r.reads = postgres.NewReplica(r.primary, member)

	for range 10 {
		require.False(t, r.writeAndRead())
	}

	r.exec(r.primary, `GRANT pg_read_all_stats TO member`)
	r.eventuallyFromReplica()
}
