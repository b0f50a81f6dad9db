package cmd

import (
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/target"
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
	status        string
	attempts, max int
	available     time.Time
}

// lastTask is the newest task of a requested action.
func lastTask(t testing.TB, pool *pgxpool.Pool) (task remoteTask) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT status, attempts, max_attempts, available_at
		FROM core_queue WHERE name = 'remote.action' ORDER BY id DESC LIMIT 1`).Scan(&task.status, &task.attempts, &task.max, &task.available))
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
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func requestHide(t testing.TB, p *process, admin *nethttp.Client, id string) {
	t.Helper()
	report := readReport(t, p, admin, id)
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]any{"expectedVersion": report["version"]})
}

var (
	asked = []string{"created", "action_requested"}
	done  = []string{"created", "action_requested", "action"}
)

// Whatever a platform does instead of answering, a filing gets its 503, and an action is done
// once as soon as the platform answers.
func TestPlatformsThatMisbehave(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	database := pgtest.URL(t)
	p := startWithShop(t, map[string]string{"DATABASE_URL": database}, s.server.URL)
	pool, admin := connectTo(t, database), p.signIn("admin@demo.test")
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for i, c := range []struct {
		name string
		does func(w nethttp.ResponseWriter) // nil: it acts and dies before it answers
	}{
		{"is slow", func(nethttp.ResponseWriter) { <-hang }},
		{"lies", func(w nethttp.ResponseWriter) {
			_, _ = io.WriteString(w, `{"changed": "yes", "fields": {"title": 7}}`)
		}},
		{"gives a huge answer", func(w nethttp.ResponseWriter) { _, _ = w.Write(make([]byte, 4<<20)) }},
		{"redirects", func(w nethttp.ResponseWriter) {
			w.Header().Set("Location", s.server.URL+"/docket/current")
			w.WriteHeader(nethttp.StatusTemporaryRedirect)
		}},
		{"answers HTML", func(w nethttp.ResponseWriter) { _, _ = io.WriteString(w, "<!doctype html><title>Maintenance</title>") }},
		{"fails", func(w nethttp.ResponseWriter) { w.WriteHeader(nethttp.StatusInternalServerError) }},
		{"dies before it acts", hangUp},
		{"dies after it acted", nil},
	} {
		member := p.signIn(fmt.Sprintf("member%d@demo.test", i+1))
		review := fmt.Sprint(2000 + i)
		status, filed := reportReview(t, p, member, review)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		id := filed["id"].(string)

		if c.does == nil {
			s.mu.Lock()
			s.loses = true
			s.mu.Unlock()
		} else {
			s.set(func(w nethttp.ResponseWriter, path string) bool {
				if path == "current" {
					return false
				}
				c.does(w)
				return true
			})
			status, refused := reportReview(t, p, member, fmt.Sprint(3000+i))
			require.Equal(t, nethttp.StatusServiceUnavailable, status, "%s: %v", c.name, refused)
			require.Equal(t, "unavailable", refused["error"], c.name)
		}
		requestHide(t, p, admin, id)
		pgtest.Eventually(t, func() bool {
			task := lastTask(t, pool)
			return task.status == "pending" && task.attempts == 1
		}, "a platform that %s fails the attempt", c.name)
		require.Equal(t, asked, timelineTypes(readReport(t, p, admin, id)), c.name)

		s.set(nil)
		s.mu.Lock()
		s.loses = false
		s.mu.Unlock()
		retryNow(t, pool)
		pgtest.Eventually(t, func() bool { return len(timelineTypes(readReport(t, p, admin, id))) == 3 }, "no outcome after a platform that %s", c.name)
		require.Equal(t, done, timelineTypes(readReport(t, p, admin, id)), c.name)
		s.mu.Lock()
		require.Equal(t, i+1, s.changes, c.name)
		require.True(t, s.hidden[review], c.name)
		s.mu.Unlock()
	}
}

// An action that is asked of a platform before it goes down for an hour is done once it is back.
// The waits between attempts are added up and not waited for.
func TestPlatformThatComesBackAfterAnHour(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	database := pgtest.URL(t)
	p := startWithShop(t, map[string]string{"DATABASE_URL": database}, s.server.URL)
	pool, admin := connectTo(t, database), p.signIn("admin@demo.test")
	_, filed := reportReview(t, p, p.signIn("member1@demo.test"), "7")
	id := filed["id"].(string)
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path == "actions/hide" {
			hangUp(w)
			return true
		}
		return false
	})
	requestHide(t, p, admin, id)
	up := s.down()
	s.set(nil)
	require.Equal(t, target.RemoteAttempts, lastTask(t, pool).max)

	var waited time.Duration
	for attempt := 1; waited < time.Hour; attempt++ {
		var task remoteTask
		pgtest.Eventually(t, func() bool {
			task = lastTask(t, pool)
			return task.status != "processing" && task.attempts == attempt
		}, "attempt %d", attempt)
		require.Equal(t, "pending", task.status, "there are more attempts after %s", waited)
		waited += time.Until(task.available)
		retryNow(t, pool)
	}
	require.Equal(t, asked, timelineTypes(readReport(t, p, admin, id)))
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/claim", map[string]any{"expectedVersion": 2})

	up()
	// The circuit breaker lets a question through every ten seconds.
	require.Eventually(t, func() bool {
		return readReport(t, p, admin, id)["target"].(map[string]any)["current"] != nil
	}, time.Minute, 500*time.Millisecond)
	retryNow(t, pool)
	pgtest.Eventually(t, func() bool {
		types := timelineTypes(readReport(t, p, admin, id))
		return types[len(types)-1] == "action"
	}, "the action is done")
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, 1, s.changes)
	require.True(t, s.hidden["7"])
}

// A server that goes away in the last attempt leaves a request that no task will settle. A job
// asks the platform once more: whether it answers or not, the request gets its outcome.
func TestRequestsOutliveTheLastAttempt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	database := pgtest.URL(t)
	environment := map[string]string{"DATABASE_URL": database}
	p := startWithShop(t, environment, s.server.URL)
	pool, admin := connectTo(t, database), p.signIn("admin@demo.test")
	reached, hang := make(chan struct{}, 2), make(chan struct{})
	t.Cleanup(func() { close(hang) })
	var ids []string
	for _, review := range []string{"7", "8"} {
		_, filed := reportReview(t, p, p.signIn("member1@demo.test"), review)
		ids = append(ids, filed["id"].(string))
	}
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" {
			return false
		}
		reached <- struct{}{}
		<-hang
		return true
	})
	for _, id := range ids {
		requestHide(t, p, admin, id)
		<-reached
	}
	p.kill()
	pgtest.Exec(t, pool, `UPDATE core_queue SET max_attempts = attempts, locked_until = now() - interval '1 minute' WHERE name = 'remote.action'`)

	// The first is answered; the second is not.
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" {
			return false
		}
		s.mu.Lock()
		first := s.changes == 0
		s.mu.Unlock()
		if !first {
			hangUp(w)
		}
		return !first
	})
	p = startWithShop(t, environment, s.server.URL)
	admin = p.signIn("admin@demo.test")
	pgtest.Eventually(t, func() bool { return lastTask(t, pool).status == "failed" }, "the queue gives the task up")
	for _, id := range ids {
		require.Equal(t, asked, timelineTypes(readReport(t, p, admin, id)))
	}
	jobs := p.must(admin, nethttp.MethodGet, "/admin/advanced/cron?first=100", nil)
	for _, edge := range jobs["edges"].([]any) {
		if job := edge.(map[string]any); job["name"] == "settle-requests" {
			p.must(admin, nethttp.MethodPost, "/admin/advanced/cron/"+job["id"].(string), nil)
		}
	}
	require.Equal(t, done, timelineTypes(readReport(t, p, admin, ids[0])))
	require.Equal(t, append(asked[:2:2], "action_failed"), timelineTypes(readReport(t, p, admin, ids[1])))
	require.Equal(t, true, readReport(t, p, admin, ids[1])["actions"].([]any)[0].(map[string]any)["available"])
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, 1, s.changes)
}
