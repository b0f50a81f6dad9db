package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

// roundTime is how long each side of a round runs. An iteration of a benchmark
// is a round: pgbench, then Docket, on one PostgreSQL that syncs. A steadier
// figure comes from more rounds: -benchtime 5x.
const roundTime = 3 * time.Second

// BenchmarkRepeats files with 32 clients, and by turns with one of them that files what it
// has filed already and is refused: the others must not wait for it.
func BenchmarkRepeats(b *testing.B) {
	s := startBenchServer(b)
	const clients = 32
	repeating := s.sessions("repeating", 2000)
	var rates [2]float64
	var took [2][]time.Duration
	for b.Loop() {
		rate, all := s.timed(b, clients, s.file)
		rates[0], took[0] = rates[0]+rate, append(took[0], all...)
		rate, all = s.timed(b, clients, func(client int, c *wire, until time.Time) (int, error) {
			if client > 0 {
				return s.file(client, c, until)
			}
			for n := 0; time.Now().Before(until); n++ {
				status := nethttp.StatusConflict
				if n%report.AttemptsPerHour == 0 {
					if len(repeating) < 2 {
						return 0, fmt.Errorf("no account is left that may be refused")
					}
					status, repeating = nethttp.StatusCreated, repeating[1:]
				}
				if _, err := c.post(repeating[0].ID, "/moderation/reports", status, fmt.Sprintf(benchFiling, s.posts[0])); err != nil {
					return 0, err
				}
			}
			return 0, nil
		})
		rates[1], took[1] = rates[1]+rate, append(took[1], all...)
	}
	b.ReportMetric(rates[0]/float64(b.N), "ops/s")
	b.ReportMetric(rates[1]/float64(b.N), "repeated-ops/s")
	b.ReportMetric(p99(took[0]), "p99-ms")
	b.ReportMetric(p99(took[1]), "repeated-p99-ms")
	b.ReportMetric(p99(took[1])/p99(took[0]), "p99-ratio")
}

// benchFiling is the body of a filing; the id of a post is missing.
const benchFiling = `{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam","description":"Advertising again."}`

// BenchmarkHTTP files reports and works them over HTTP with sessions, against a
// server process of its own, beside pgbench committing the three inserts of a
// filing at the same number of clients. The load shares the machine with the
// server, as pgbench's does.
func BenchmarkHTTP(b *testing.B) {
	s := startBenchServer(b)
	s.addWorkers()
	for _, clients := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("file/clients=%d", clients), func(b *testing.B) {
			s.round(b, clients, 1, s.file)
		})
		b.Run(fmt.Sprintf("claim-note-resolve/clients=%d", clients), func(b *testing.B) {
			s.round(b, clients, 3, s.work)
		})
	}
}

// benchServer is a running demo with content to report and accounts to do it.
type benchServer struct {
	*process
	environment map[string]string
	database    *Database
	accounts    *account.Store
	entries     *staff.Store
	posts       []string
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
	ctx := context.Background()
	dir := reachableDir(b)
	tunePostgres(b, dir)
	environment = with(environment, "DOCKET_DATA_DIR", dir, "DATABASE_URL", "")
	s := &benchServer{environment: environment, process: startProcess(b, environment, append([]string{"demo"}, args...)...)}

	a := &app{environment: map[string]string{"DOCKET_DATA_DIR": dir}, stdout: io.Discard, stderr: io.Discard}
	cfg, err := a.config()
	require.NoError(b, err)
	s.database, err = openDatabase(ctx, cfg, cfg.logger(io.Discard), postgres.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.database.Close()) })

	s.addPosts(b, 2000)
	s.accounts, err = account.New(s.database.Pool, account.Config{})
	require.NoError(b, err)
	scopes := registry.NewScopes()
	catalog, err := permission.NewCatalog(nil, nil)
	require.NoError(b, err)
	s.key, err = cfg.signer()
	require.NoError(b, err)
	s.entries, err = staff.New(s.database.Pool, staff.Config{Catalog: catalog, Scopes: scopes, Signer: s.key})
	require.NoError(b, err)
	sessions := s.sessions("reporter", benchReporters)
	s.reporters = make(chan string, len(sessions))
	for _, session := range sessions {
		s.reporters <- session.ID
	}
	s.moderators = s.staff("moderator", 32)
	s.pgbench = newPgbench(b, s)
	return s
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
	s.posts = append(s.posts, one[[]string](b, s.database.Pool, `WITH added AS (
		INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT t.id, t.category_id, t.author_id, 'Re. ' || t.title, '<p>Post number ' || i || ' of those to report.</p>', now(), now()
		FROM (SELECT * FROM forum_topics WHERE status = 'published' ORDER BY id LIMIT 1) t, generate_series(1, $1) i RETURNING id::text)
		SELECT array_agg(id) FROM added`, n)...)
}

// staff signs n new moderators of everything in.
func (s *benchServer) staff(name string, n int) (sessions []string) {
	s.t.Helper()
	for _, session := range s.sessions(name, n) {
		require.NoError(s.t, s.entries.Ensure(context.Background(), permission.Moderator, session.User.ID, permission.Entry{Unrestricted: true}))
		sessions = append(sessions, session.ID)
	}
	return sessions
}

// sessions signs n new accounts in.
func (s *benchServer) sessions(name string, n int) []account.Session {
	s.t.Helper()
	return newSessions(s.t, s.accounts, name, n)
}

// newSessions signs n new accounts in.
func newSessions(t testing.TB, accounts *account.Store, name string, n int) []account.Session {
	t.Helper()
	all := make([]account.NewUser, n)
	for i := range all {
		all[i] = account.NewUser{Email: fmt.Sprintf("%s%d@bench.test", name, i), Name: fmt.Sprintf("%s %d", name, i)}
	}
	users, err := accounts.EnsureUsers(context.Background(), all)
	require.NoError(t, err)
	sessions := make([]account.Session, n)
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for part := range errs {
		wg.Go(func() {
			for i := part; i < n && errs[part] == nil; i += len(errs) {
				sessions[i], errs[part] = accounts.StartSession(context.Background(), users[i].ID)
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	return sessions
}

// round measures both sides by turns and reports how they compare: commands of Docket to
// transactions of pgbench, each a commit of three inserts or so. server-ms and postgres-ms
// are the processor time that one operation takes.
func (s *benchServer) round(b *testing.B, clients, commands int, load func(client int, c *wire, until time.Time) (int, error)) {
	var docket, equal, bare, server, database float64
	var latencies []time.Duration
	rounds := 0.0
	for b.Loop() {
		bare += s.pgbench.run(b, s.pgbench.bare, clients, roundTime)
		equal += s.pgbench.run(b, s.pgbench.equal, clients, roundTime)
		serverBefore, databaseBefore := s.processorTime(b), s.postgresTime(b)
		rate, took := s.timed(b, clients, load)
		docket += rate
		latencies = append(latencies, took...)
		n := rate * roundTime.Seconds()
		server += (s.processorTime(b) - serverBefore).Seconds() * 1000 / n
		database += (s.postgresTime(b) - databaseBefore).Seconds() * 1000 / n
		rounds++
	}
	b.ReportMetric(docket/rounds, "ops/s")
	b.ReportMetric(equal/rounds, "pgbench/s")
	b.ReportMetric(docket*float64(commands)/equal, "ratio")
	b.ReportMetric(bare/rounds, "bare/s")
	b.ReportMetric(docket*float64(commands)/bare, "bare-ratio")
	b.ReportMetric(server/rounds, "server-ms")
	b.ReportMetric(database/rounds, "postgres-ms")
	b.ReportMetric(p99(latencies), "p99-ms")
	b.ReportMetric(s.peakMemory(b), "server-MB")
}

// load runs clients side by side and gives how much they did in a second.
func (s *benchServer) load(b *testing.B, clients int, run func(client int, c *wire, until time.Time) (int, error)) float64 {
	b.Helper()
	rate, _ := s.timed(b, clients, run)
	return rate
}

// timed is load that also gives how long each request took.
func (s *benchServer) timed(b *testing.B, clients int, run func(client int, c *wire, until time.Time) (int, error)) (float64, []time.Duration) {
	b.Helper()
	var wg sync.WaitGroup
	done, errs, latencies := make([]int, clients), make([]error, clients), make([][]time.Duration, clients)
	start := time.Now()
	for i := range clients {
		wg.Go(func() {
			c, err := dialWire(s.url)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.close()
			done[i], errs[i] = run(i, c, start.Add(roundTime))
			latencies[i] = c.took
		})
	}
	wg.Wait()
	took := time.Since(start)
	total := 0
	for i := range clients {
		require.NoError(b, errs[i])
		total += done[i]
	}
	return float64(total) / took.Seconds(), slices.Concat(latencies...)
}

// file reports posts, no account more than it may.
func (s *benchServer) file(client int, c *wire, until time.Time) (n int, err error) {
	return s.fileOn(c, until, func(n int) string {
		post := s.posts[(n*7+client*101)%len(s.posts)]
		return fmt.Sprintf(benchFiling, post)
	})
}

// fileOn sends the nth filing of a client, no account more than it may.
func (s *benchServer) fileOn(c *wire, until time.Time, filing func(n int) string) (int, error) {
	return s.fileAs(s.reporters, until, func(session string, n int) ([]byte, error) {
		return c.post(session, "/moderation/reports", nethttp.StatusCreated, filing(n))
	})
}

// fileAs files as one reporter after another, as none more often than it may.
func (s *benchServer) fileAs(reporters <-chan string, until time.Time, file func(reporter string, n int) (answer []byte, err error)) (n int, err error) {
	for {
		var reporter string
		select {
		case reporter = <-reporters:
		default:
			return n, fmt.Errorf("all %d reporters have filed what they may", cap(reporters))
		}
		for range report.FilingsPerHour {
			if time.Now().After(until) {
				return n, nil
			}
			answer, err := file(reporter, n)
			if err != nil {
				return n, err
			}
			id := answeredID.FindSubmatch(answer)
			if id == nil {
				return n, fmt.Errorf("no id in %s", answer)
			}
			s.mu.Lock()
			s.filed = append(s.filed, string(id[1]))
			s.mu.Unlock()
			n++
		}
	}
}

var answeredID = regexp.MustCompile(`"id":"([^"]+)"`)

// addWorkers signs in moderators who take turns, since one may write only so many notes a
// minute.
func (s *benchServer) addWorkers() { s.workers = s.staff("worker", 300) }

// worker returns the next of them.
func (s *benchServer) worker() string { return s.workers[int(s.turn.Add(1))%len(s.workers)] }

// work claims reports, notes something and resolves them: three commands each.
func (s *benchServer) work(_ int, c *wire, until time.Time) (n int, err error) {
	for time.Now().Before(until) {
		session := s.worker()
		s.mu.Lock()
		if len(s.filed) == 0 {
			s.mu.Unlock()
			return n, fmt.Errorf("no filed report is left to work")
		}
		id := s.filed[len(s.filed)-1]
		s.filed = s.filed[:len(s.filed)-1]
		s.mu.Unlock()
		path := "/moderation/reports/" + id
		for _, command := range []struct {
			path   string
			status int
			body   string
		}{
			{path + "/claim", nethttp.StatusOK, `{"expectedVersion":1}`},
			{path + "/notes", nethttp.StatusCreated, `{"body":"Same text as the others."}`},
			{path + "/resolve", nethttp.StatusOK, `{"expectedVersion":2,"resolution":"action_taken","explanation":"Advertising."}`},
		} {
			if _, err := c.post(session, command.path, command.status, command.body); err != nil {
				return n, err
			}
		}
		n++
	}
	return n, nil
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most memory that the server has held so far, in MB.
func (p *process) peakMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	require.NoError(b, err)
	found := highWater.FindSubmatch(status)
	require.NotNil(b, found)
	kb, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kb / 1000
}
