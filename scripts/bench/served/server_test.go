// Package served measures a server process over HTTP, with clients, PostgreSQL and the browser
// on the same machine: `make bench`, or `go test -run '^$' -bench . ./scripts/bench/served`.
package served

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

// benchServer is a running demo with content to report and accounts to do it.
type benchServer struct {
	b        *testing.B
	program  string // the path of docket
	cmd      *exec.Cmd
	url      string
	database *cmd.Database
	accounts *account.Store
	entries  *staff.Store
	posts    []string
	// reporters are sessions that have filed nothing yet, moderators one each client, and workers
	// moderators who take turns.
	reporters  chan string
	moderators []string
	workers    []string
	turn       atomic.Int64
	pgbench    *pgbench
	key        proof.Key

	mu sync.Mutex
	// filed are reports that nobody has claimed.
	filed []string
}

// benchReporters bounds what a run can file: 20 each.
const benchReporters = 8000

func startBenchServer(b *testing.B) *benchServer {
	b.Helper()
	return startBenchServerWith(b, map[string]string{})
}

// startBenchServerWith also sets variables of the environment and gives the command arguments.
func startBenchServerWith(b *testing.B, environment map[string]string, args ...string) *benchServer {
	b.Helper()
	dir := reachableDir(b)
	tunePostgres(b, dir)
	b.Setenv("DOCKET_DATA_DIR", dir)
	b.Setenv("DATABASE_URL", "")
	s := &benchServer{b: b, program: filepath.Join(b.TempDir(), "docket")}
	out, err := exec.Command("go", "build", "-o", s.program, "../../../cmd/docket").CombinedOutput()
	require.NoError(b, err, "%s", out)
	s.url, s.cmd = s.start(environment, append([]string{"demo"}, args...)...)
	s.database, s.key, err = cmd.Open(context.Background(), io.Discard)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.database.Close()) })

	s.addPosts(b, 2000)
	s.accounts = account.New(s.database.Pool, account.Config{})
	s.entries = staff.New(s.database.Pool, staff.Config{Catalog: permission.NewCatalog(nil, nil), Scopes: registry.NewScopes(), Signer: s.key})
	sessions := s.sessions("reporter", benchReporters)
	s.reporters = make(chan string, len(sessions))
	for _, session := range sessions {
		s.reporters <- session.ID
	}
	s.moderators = s.staff("moderator", 32)
	s.pgbench = newPgbench(b, s)
	return s
}

// start starts a docket, which ends with the benchmark, and waits until it is ready.
func (s *benchServer) start(environment map[string]string, args ...string) (url string, process *exec.Cmd) {
	s.b.Helper()
	process = exec.Command(s.program, args...)
	process.Env = append(os.Environ(), "DOCKET_LISTEN=127.0.0.1:0", "LOG_LEVEL=warn")
	for name, value := range environment {
		process.Env = append(process.Env, name+"="+value)
	}
	process.Stderr = os.Stderr
	stdout, err := process.StdoutPipe()
	require.NoError(s.b, err)
	require.NoError(s.b, process.Start())
	s.b.Cleanup(func() { _, _ = process.Process.Kill(), process.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(s.b, err)
	return strings.TrimPrefix(strings.TrimSpace(line), "docket ready "), process
}

// docket runs a command on the server's database, and gives what it said.
func (s *benchServer) docket(b *testing.B, args ...string) string {
	b.Helper()
	command := exec.CommandContext(b.Context(), s.program, args...)
	command.Env = append(os.Environ(), "LOG_LEVEL=warn")
	out, err := command.Output()
	require.NoError(b, err, "docket %v: %s", args, out)
	return string(out)
}

// reachableDir is a data directory with a short path, which the account of the database
// server may enter, also when the benchmarks run as root.
func reachableDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "dkt") //nolint:usetesting // TempDir's path is too long for a socket
	require.NoError(b, err)
	b.Cleanup(func() {
		require.Eventually(b, func() bool { return os.RemoveAll(dir) == nil }, time.Minute, 100*time.Millisecond, "remove %s", dir)
	})
	return dir
}

// tunePostgres gives a new cluster the settings that scripts/deploy/GROWTH.md recommends.
func tunePostgres(b *testing.B, dir string) {
	b.Helper()
	ctx := context.Background()
	cluster, err := local.Start(ctx, dir, zerolog.Nop())
	require.NoError(b, err)
	conn, err := pgx.Connect(ctx, cluster.URL())
	require.NoError(b, err)
	for _, setting := range []string{"shared_buffers = '1GB'", "max_wal_size = '16GB'", "checkpoint_timeout = '30min'"} {
		_, err = conn.Exec(ctx, "ALTER SYSTEM SET "+setting)
		require.NoError(b, err)
	}
	require.NoError(b, conn.Close(ctx))
	require.NoError(b, cluster.Stop())
}

// addPosts adds content to report.
func (s *benchServer) addPosts(b *testing.B, n int) {
	b.Helper()
	s.posts = append(s.posts, pgtest.One[[]string](b, s.database.Pool, `WITH added AS (
		INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT t.id, t.category_id, t.author_id, 'Re. ' || t.title, '<p>Post number ' || i || ' of those to report.</p>', now(), now()
		FROM (SELECT * FROM forum_topics WHERE status = 'published' ORDER BY id LIMIT 1) t, generate_series(1, $1) i RETURNING id::text)
		SELECT array_agg(id) FROM added`, n)...)
}

// staff signs n new moderators of everything in.
func (s *benchServer) staff(name string, n int) (sessions []string) {
	s.b.Helper()
	for _, session := range s.sessions(name, n) {
		require.NoError(s.b, s.entries.Ensure(context.Background(), permission.Moderator, session.User.ID, permission.Entry{Unrestricted: true}))
		sessions = append(sessions, session.ID)
	}
	return sessions
}

// sessions signs n new accounts in.
func (s *benchServer) sessions(name string, n int) []account.Session {
	s.b.Helper()
	all := make([]account.NewUser, n)
	for i := range all {
		all[i] = account.NewUser{Email: fmt.Sprintf("%s%d@bench.test", name, i), Name: fmt.Sprintf("%s %d", name, i)}
	}
	users, err := s.accounts.EnsureUsers(context.Background(), all)
	require.NoError(s.b, err)
	sessions := make([]account.Session, n)
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for part := range errs {
		wg.Go(func() {
			for i := part; i < n && errs[part] == nil; i += len(errs) {
				sessions[i], errs[part] = s.accounts.StartSession(context.Background(), users[i].ID)
			}
		})
	}
	wg.Wait()
	require.NoError(s.b, errors.Join(errs...))
	return sessions
}
