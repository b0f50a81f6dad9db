package cmd

import (
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// down ends the shop: its port refuses connections until up is called.
func (s *shop) down() (up func()) {
	address := s.server.Listener.Addr().String()
	s.server.CloseClientConnections()
	s.server.Close()
	return func() {
		listener, err := net.Listen("tcp", address)
		require.NoError(s.t, err)
		s.server = httptest.NewUnstartedServer(nethttp.HandlerFunc(s.serve))
		_ = s.server.Listener.Close()
		s.server.Listener = listener
		s.server.Start()
	}
}

// hangUp ends a connection without an answer.
func hangUp(w nethttp.ResponseWriter) {
	if conn, _, err := w.(nethttp.Hijacker).Hijack(); err == nil {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

// remoteTask is the task of a requested action.
type remoteTask struct {
	status   string
	attempts int
	failed   bool // an attempt has failed
}

// lastTask is the newest task of a requested action.
func lastTask(t testing.TB, pool *pgxpool.Pool) (task remoteTask) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT status, attempts, last_error IS NOT NULL
		FROM core_queue WHERE name = 'remote.action' ORDER BY id DESC LIMIT 1`).Scan(&task.status, &task.attempts, &task.failed))
	return task
}

// retryNow ends the wait of every task that failed.
func retryNow(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	pgtest.Exec(t, pool, "UPDATE core_queue SET available_at = now() WHERE name = 'remote.action' AND status = 'pending'")
}

// connectTo returns connections to a server's database.
func connectTo(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, url, postgres.Options{})
}

var (
	asked = []string{"created", "action_requested"}
	done  = []string{"created", "action_requested", "action"}
)

// Given a platform whose answer cannot be read, when its task has failed for good, then no column
// of any table holds the answer.
func (a *atShop) answersNothingReadable() {
	t := a.t
	id := a.file("61", "member1@demo.test")
	a.s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" {
			return false
		}
		if conn, _, err := w.(nethttp.Hijacker).Hijack(); err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 xanswered\r\n\r\n")
			_ = conn.Close()
		}
		return true
	})
	a.must(id, "/actions/hide", nil)
	pgtest.Eventually(t, func() bool { return lastTask(t, a.pool).failed }, "the first attempt fails")
	require.Empty(t, kept(t, a.pool, "xanswered"))
	pgtest.Exec(t, a.pool, "UPDATE core_queue SET max_attempts = attempts + 1 WHERE name = 'remote.action' AND status = 'pending'")
	retryNow(t, a.pool)
	pgtest.Eventually(t, func() bool { return lastTask(t, a.pool).status == "failed" }, "the last attempt fails")
	require.Empty(t, kept(t, a.pool, "xanswered"))
}

// A server that goes away in the last attempt leaves a request that no task will settle. A job
// asks the platform once more: whether it answers or not, the request gets its outcome.
func (a *atShop) outlivesTheLastAttempt() {
	t, s := a.t, a.s
	reached, hang := make(chan struct{}, 2), make(chan struct{})
	hangNoLonger := sync.OnceFunc(func() { close(hang) })
	t.Cleanup(hangNoLonger)
	ids := []string{a.file("71", "member1@demo.test"), a.file("72", "member1@demo.test")}
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" {
			return false
		}
		reached <- struct{}{}
		<-hang
		return true
	})
	for _, id := range ids {
		a.must(id, "/actions/hide", nil)
		<-reached
	}
	a.p.kill()
	hangNoLonger()
	pgtest.Exec(t, a.pool, `UPDATE core_queue SET max_attempts = attempts, locked_until = now() - interval '1 minute' WHERE name = 'remote.action' AND status = 'processing'`)

	t.Log("a server without the plugin leaves the requests to one that has it")
	before := s.did()
	other := startProcess(t, a.environment, "demo")
	pgtest.Eventually(t, func() bool { return lastTask(t, a.pool).status == "failed" }, "the queue gives the task up")
	other.runJob(other.signIn("admin@demo.test"), "settle-requests")
	for _, id := range ids {
		require.Equal(t, asked, timelineTypes(readReport(t, other, other.signIn("admin@demo.test"), id)))
	}
	other.end(syscall.SIGTERM)

	// The first is answered; the second is not.
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" || s.did() == before {
			return false
		}
		hangUp(w)
		return true
	})
	a.start()
	a.p.runJob(a.admin, "settle-requests")
	require.Equal(t, done, a.timeline(ids[0]))
	require.Equal(t, append(asked[:2:2], "action_failed"), a.timeline(ids[1]))
	require.Equal(t, true, a.read(ids[1])["actions"].([]any)[0].(map[string]any)["available"])
	require.Equal(t, before+1, s.did())
}
