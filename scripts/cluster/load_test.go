//go:build cluster

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// load is clients that file, claim and resolve reports, look for each on the board after
// each write, and repeat what fails until it is done, as long as the load runs.
type load struct {
	t       *testing.T
	site    *site
	pause   time.Duration // of a client between two requests
	browse  bool          // clients also read what no write asks for
	bars    bool          // each decision restricts the author for a minute
	stopped context.CancelFunc
	working sync.WaitGroup

	mu       sync.Mutex
	acks     [][]ack // by client
	failures []answer
	wrong    []string          // answers that no failure explains
	finished map[string]string // post, by report that went through its whole life
	reads    int               // that looked for a write

	requests atomic.Int64
}

// ack is an acknowledged write.
type ack struct{ began, ended time.Time }

// filings is how many reports one member files, well below what a member may.
const filings = 10

// start starts that many clients, until the load is stopped or the test ends.
func (l *load) start(t *testing.T, clients int) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	l.t, l.stopped, l.acks, l.finished = t, stop, make([][]ack, clients), map[string]string{}
	for client := range clients {
		l.working.Go(func() {
			var member string
			for n := 0; ctx.Err() == nil; n++ {
				if n%filings == 0 {
					member = l.site.member(fmt.Sprintf("%d-%d", client, n/filings))
				}
				l.life(client, member, l.site.posts[(client*1231+n)%len(l.site.posts)])
			}
		})
	}
	t.Cleanup(l.stop)
}

// stop lets each client finish its report.
func (l *load) stop() {
	l.stopped()
	l.working.Wait()
}

// life takes a report from filed to resolved.
func (l *load) life(client int, member, post string) {
	var id string
	done := l.write(client, "/moderation/reports", member,
		map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": "spam", "description": "Advertising again."},
		func(a answer, repeated bool) bool {
			id = a.object.ID
			if repeated && a.status == http.StatusConflict && a.object.ReportID != "" {
				id = a.object.ReportID // the attempt that seemed to fail
				return true
			}
			return a.status == http.StatusCreated
		}) && l.listed(id, post, "new") && l.browsed(id) &&
		l.write(client, "/moderation/reports/"+id+"/claim", l.site.moderator, map[string]any{"expectedVersion": 1},
			func(a answer, _ bool) bool { return a.status == http.StatusOK }) &&
		l.write(client, "/moderation/reports/"+id+"/resolve", l.site.moderator,
			l.decision(),
			func(a answer, repeated bool) bool {
				return a.status == http.StatusOK || repeated && a.status == http.StatusConflict && a.object.Current != nil && a.object.Current.Status == "done"
			}) && l.listed(id, post, "done")
	if done {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.finished[id] = post
	}
}

func (l *load) decision() map[string]any {
	if !l.bars {
		return map[string]any{"expectedVersion": 2, "resolution": "no_violation"}
	}
	return map[string]any{"expectedVersion": 2, "resolution": "action_taken",
		"measures": []any{map[string]any{"authorId": l.site.author, "kind": "restrict", "until": time.Now().Add(time.Minute)}}} // longer than writes may be away
}

// write repeats a write until it is answered as it should be.
func (l *load) write(client int, path, credentials string, body any, expected func(a answer, repeated bool) bool) bool {
	for repeated := false; ; repeated = true {
		a := l.send(http.MethodPost, path, credentials, body)
		if l.failed(a) {
			continue
		}
		if !expected(a, repeated) {
			l.complain("POST %s: %s", path, a)
			return false
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.acks[client] = append(l.acks[client], ack{a.began, time.Now()})
		return true
	}
}

// listed looks for the report on the board, where the write before must be seen.
func (l *load) listed(id, post, status string) bool {
	query := url.Values{"targetType": {"forum.post"}, "targetId": {post}, "status": {status}, "first": {"100"}}
	for {
		a := l.send(http.MethodGet, "/moderation/reports?"+query.Encode(), l.site.moderator, nil)
		if l.failed(a) {
			continue
		}
		l.mu.Lock()
		l.reads++
		l.mu.Unlock()
		for _, e := range a.object.Edges {
			if e.ID == id {
				return true
			}
		}
		l.complain("the board misses report %s as %s: %s", id, status, a)
		return false
	}
}

// browsed reads around the report, as a moderator's panel does.
func (l *load) browsed(id string) bool {
	if !l.browse {
		return true
	}
	for _, path := range []string{"/users/session", "/moderation/reports?first=10", "/moderation/reports/counts", "/moderation/reports/" + id, "/moderation/reports/" + id + "/timeline"} {
		a := l.send(http.MethodGet, path, l.site.moderator, nil)
		if !l.failed(a) && a.status != http.StatusOK {
			l.complain("GET %s: %s", path, a)
			return false
		}
	}
	return true
}

func (l *load) send(method, path, credentials string, body any) answer {
	time.Sleep(l.pause)
	l.requests.Add(1)
	return l.site.send(context.Background(), method, path, credentials, body)
}

func (l *load) failed(a answer) bool {
	if !a.failed() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures = append(l.failures, a)
	return true
}

func (l *load) complain(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

// readsReplica waits until the standby has served reads of the Dockets.
func (l *load) readsReplica(ctx context.Context) {
	l.t.Helper()
	conn, err := pgx.Connect(ctx, running.replicaURL("postgres", "postgres"))
	require.NoError(l.t, err)
	defer func() { _ = conn.Close(ctx) }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		var standby bool
		var served int
		require.NoError(l.t, conn.QueryRow(ctx, `SELECT pg_is_in_recovery(), xact_commit FROM pg_stat_database WHERE datname = 'docket'`).Scan(&standby, &served))
		if standby && served > 100 {
			l.t.Logf("the standby has served %d statements since it came back", served)
			return
		}
		require.True(l.t, time.Now().Before(deadline), "a standby (%t) has served %d statements", standby, served)
	}
}

// calm is how long nothing may fail before a recovery counts as one.
const calm = 3 * time.Second

// recovered waits until every client has had a write acknowledged that it began after the
// moment, and nothing has failed for a while. It returns how long after the moment that
// came about, and how many requests failed meanwhile.
func (l *load) recovered(since time.Time) (took time.Duration, failures int) {
	l.t.Helper()
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		took, failures, whole := l.sinceThen(since)
		if whole && time.Since(since) > took+calm {
			return took, failures
		}
		if time.Now().After(deadline) {
			l.mu.Lock()
			defer l.mu.Unlock()
			require.FailNow(l.t, "writes are not back", "%d failures, the last %v", len(l.failures), l.failures[max(len(l.failures)-3, 0):])
		}
	}
}

func (l *load) sinceThen(since time.Time) (took time.Duration, failures int, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	whole = true
	for _, acks := range l.acks {
		first := -1
		for i := len(acks) - 1; i >= 0 && acks[i].began.After(since); i-- {
			first = i
		}
		if first < 0 {
			return 0, 0, false
		}
		took = max(took, acks[first].ended.Sub(since))
	}
	for _, f := range l.failures {
		if f.began.After(since) {
			failures++
			took = max(took, f.began.Sub(since))
		}
	}
	return took, failures, whole
}
