package cmd

import (
	"crypto/rand"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/subscribers/webhook"
)

// witness receives checkpoints, as somebody does who keeps them for an auditor:
// each behind the other, in one text.
type witness struct {
	*httptest.Server
	mu       sync.Mutex
	away     bool
	requests int
	kept     strings.Builder
	heard    chan string // each note that was accepted
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{heard: make(chan string, 100)}
	w.Server = httptest.NewServer(nethttp.HandlerFunc(func(out nethttp.ResponseWriter, r *nethttp.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.requests++
		body, err := io.ReadAll(r.Body)
		if w.away || err != nil || r.Method != nethttp.MethodPost || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
			out.WriteHeader(nethttp.StatusServiceUnavailable)
			return
		}
		w.kept.Write(body)
		w.heard <- string(body)
	}))
	t.Cleanup(w.Server.Close)
	return w
}

func (w *witness) setAway(away bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.away = away
}

func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

func (w *witness) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kept.String()
}

// publications are their tasks' states, oldest first.
func publications(t *testing.T, pool *pgxpool.Pool) (states []string) {
	t.Helper()
	err := pool.QueryRow(t.Context(), `SELECT coalesce(array_agg(status || ' ' || attempts || ' ' || coalesce(last_error, '') ORDER BY created_at, id), '{}')
		FROM core_queue WHERE name = $1`, publishTask).Scan(&states)
	require.NoError(t, err)
	return states
}

func TestAFailingReceiverDelaysCheckpointsAndLosesNone(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	w := newWitness(t)
	environment := with(l.environment, "DOCKET_AUDIT_DIR", filepath.Join(t.TempDir(), "audit"), "DOCKET_AUDIT_URL", w.URL+"/checkpoints")
	due := func() {
		pgtest.Exec(t, l.pool, "UPDATE core_queue SET available_at = now() WHERE status = 'pending'")
	}
	newQueue := func(allowPrivate bool) *queue.Queue {
		q := queue.New(l.pool, queue.Config{Log: zerolog.Nop()})
		hooks := webhook.NewStore(l.pool, webhook.Config{Log: zerolog.Nop(), AllowPrivate: allowPrivate})
		require.NoError(t, handlePublications(q, environment["DOCKET_AUDIT_URL"], hooks.Post))
		return q
	}

	// Given two checkpoints while the receiver is away.
	w.setAway(true)
	first := docket(t, environment, "audit", "checkpoint")
	require.Equal(t, 0, first.status, first.stderr)
	require.Contains(t, first.stderr, "queued for DOCKET_AUDIT_URL")
	require.GreaterOrEqual(t, 54*time.Minute*time.Duration(one[int](t, l.pool, `SELECT max_attempts FROM core_queue`)), 30*24*time.Hour, "a month")
	l.claim(t)
	second := docket(t, environment, "audit", "checkpoint")
	require.Equal(t, 0, second.status, second.stderr)
	require.NoError(t, newQueue(true).Drain(t.Context()))
	require.Equal(t, []string{"pending 1 answered 503", "pending 1 answered 503"}, publications(t, l.pool))
	require.Empty(t, w.text())

	// When it is where no webhook may go, then nothing is sent.
	due()
	sent := w.count()
	require.NoError(t, newQueue(false).Drain(t.Context()))
	require.Equal(t, sent, w.count())
	for _, state := range publications(t, l.pool) {
		require.Contains(t, state, "pending 2 ")
		require.Contains(t, state, "is not public")
	}

	// When it is back, then it gets both, once each and as they were printed.
	w.setAway(false)
	due()
	require.NoError(t, newQueue(true).Drain(t.Context()))
	due()
	require.NoError(t, newQueue(true).Drain(t.Context()))
	got := []string{<-w.heard, <-w.heard}
	require.ElementsMatch(t, []string{strings.TrimSuffix(first.stdout, "\n"), strings.TrimSuffix(second.stdout, "\n")}, got)
	require.Empty(t, w.heard)
	for _, state := range publications(t, l.pool) {
		require.Contains(t, state, "completed 3 ")
	}
}

// Given a server that keeps checkpoints in a folder alone, then it leaves the posting of each to a server that can.
func TestACheckpointIsPostedByAServerThatCan(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	cfg, err := parseConfig(with(l.environment, "DOCKET_AUDIT_DIR", t.TempDir()))
	require.NoError(t, err)
	s := &Server{cfg: cfg, db: &Database{Pool: l.pool}, queue: queue.New(l.pool, queue.Config{Log: zerolog.Nop()})}
	require.NoError(t, s.checkpointJob().Run(t.Context()))
	require.Empty(t, publications(t, l.pool), "no server posts it")
	pgtest.Exec(t, l.pool, `INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at)
		VALUES (gen_random_uuid(), 'other', '{}', '{@platform/core:audit.publish}', now(), now())`)
	require.NoError(t, s.checkpointJob().Run(t.Context()))
	require.Equal(t, []string{"pending 0 "}, publications(t, l.pool))
}

// TestAReceiverAttestsTheLog audits by what a receiver of checkpoints kept.
func TestAReceiverAttestsTheLog(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	private, public := newAuditKey(t)
	taken := docket(t, with(l.environment, "DOCKET_AUDIT_DIR", t.TempDir(), "DOCKET_AUDIT_KEY", private), "audit", "checkpoint")
	require.Zero(t, taken.status, taken.stderr)

	// A whole log verifies by it, however the receiver kept it.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "1.checkpoint"), []byte(taken.stdout), 0o600))
	for name, args := range map[string][]string{
		"a file":         {"--kept", filepath.Join(dir, "1.checkpoint"), "--key", public},
		"a folder":       {"--kept", dir, "--key", public},
		"standard input": {"--kept", "-", "--key", public},
	} {
		// The first event was made without a key.
		got := docketWithInput(t, l.environment, taken.stdout, append([]string{"audit", "verify", "--signed-from", "2"}, args...)...)
		require.Equal(t, 0, got.status, name+got.stderr)
		require.Contains(t, got.stdout, " 1 checkpoint checked, 0 findings", name)
	}
	_, other := newAuditKey(t)
	for name, args := range map[string][]string{
		"an empty folder": {"--kept", t.TempDir(), "--key", public},
		"another's key":   {"--kept", dir, "--key", other},
		"nothing there":   {"--kept", filepath.Join(dir, "none"), "--key", public},
	} {
		require.Equal(t, 1, docket(t, l.environment, append([]string{"audit", "verify"}, args...)...).status, name)
	}
	require.Equal(t, 2, docket(t, with(l.environment, "DOCKET_DATA_DIR", t.TempDir()), "audit", "verify", "--kept", dir).status, "no key is known")
}

// runJob runs one of Docket's scheduled jobs now.
func (p *process) runJob(admin *nethttp.Client, name string) {
	p.t.Helper()
	status, body, err := p.send(admin, nethttp.MethodGet, "/admin/advanced/cron?first=100", nil)
	require.NoError(p.t, err)
	require.Equal(p.t, nethttp.StatusOK, status)
	for _, e := range body["edges"].([]any) {
		job := e.(map[string]any)
		if job["name"] == name {
			status, body, err := p.send(admin, nethttp.MethodPost, "/admin/advanced/cron/"+job["id"].(string), nil)
			require.NoError(p.t, err)
			require.Equal(p.t, nethttp.StatusOK, status, body)
			return
		}
	}
	p.t.Fatalf("there is no job %s", name)
}

// newAuditKey makes a key to sign checkpoints with, and the one to check them under.
func newAuditKey(t *testing.T) (private, public string) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "docket-audit")
	require.NoError(t, err)
	return private, public
}
