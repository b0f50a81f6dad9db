package served

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pgbench commits what a filing stores in the log, the projection and the
// outbox, row for row as a real filing left them, into tables of its own.
type pgbench struct {
	program string
	equal   string // the script for tables with the same columns, indexes and constraints
	bare    string // the script for tables with primary keys only, in one pipeline
	url     string
}

const pgbenchTables = `
	CREATE TABLE bare_events (LIKE core_moderation_report_events INCLUDING DEFAULTS);
	ALTER TABLE bare_events ADD PRIMARY KEY (event_id);
	CREATE TABLE bare_reports (LIKE core_moderation_reports INCLUDING DEFAULTS);
	ALTER TABLE bare_reports ADD PRIMARY KEY (id);
	CREATE TABLE bare_messages (LIKE watermill_docket_events INCLUDING DEFAULTS);
	ALTER TABLE bare_messages ADD PRIMARY KEY (transaction_id, "offset");
	CREATE TABLE bench_events (LIKE core_moderation_report_events INCLUDING ALL);
	CREATE TABLE bench_reports (LIKE core_moderation_reports INCLUDING ALL);
	ALTER TABLE bench_reports ADD FOREIGN KEY (reporter_id) REFERENCES core_users (id),
		ADD FOREIGN KEY (assignee_id) REFERENCES core_users (id), ADD FOREIGN KEY (resolver_id) REFERENCES core_users (id);
	CREATE TABLE bench_messages (LIKE watermill_docket_events INCLUDING ALL);
	CREATE TABLE bench_reporters AS SELECT (row_number() OVER () - 1)::int AS n, id FROM core_users LIMIT 32;
	ALTER TABLE bench_reporters ADD PRIMARY KEY (n);`

// What differs from row to row, and what the tables fill in by themselves. Each
// client has a reporter of its own, or the lock of the foreign key would be shared. pgbench takes
// :false for a variable.
const (
	pgbenchInsert = `SELECT format('INSERT INTO %s (%s) VALUES (%s);', $2::text,
			string_agg(quote_ident(key), ', '),
			string_agg(CASE WHEN key IN ('id', 'event_id', 'report_id', 'uuid') THEN 'gen_random_uuid()'
				WHEN key = 'open_key' THEN 'sha256(gen_random_uuid()::text::bytea)'
				WHEN key = 'reporter_id' THEN '(SELECT id FROM bench_reporters WHERE n = :client_id)'
				WHEN key = 'transaction_id' THEN 'pg_current_xact_id()'
				ELSE regexp_replace(quote_nullable(value), ':([a-z])', ': \1', 'gi') END, ', '))
		FROM (ROW) r, jsonb_each_text(to_jsonb(r)) WHERE key <> 'offset'`
	oneEvent   = `SELECT * FROM core_moderation_report_events WHERE report_id = $1::uuid`
	oneReport  = `SELECT * FROM core_moderation_reports WHERE id = $1::uuid`
	oneMessage = `SELECT * FROM watermill_docket_events WHERE metadata->>'report_id' = $1`
)

func newPgbench(b *testing.B, s *benchServer) *pgbench {
	b.Helper()
	dir := b.TempDir()
	p := &pgbench{program: pgbenchProgram(b), url: s.database.URL, equal: filepath.Join(dir, "equal.sql"), bare: filepath.Join(dir, "bare.sql")}
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	_, err = s.file(0, c, time.Now().Add(10*time.Millisecond))
	require.NoError(b, err)
	require.NotEmpty(b, s.filed)

	ctx := context.Background()
	_, err = s.database.Pool.Exec(ctx, pgbenchTables)
	require.NoError(b, err)
	script := func(path, prefix, begin, end string) {
		for _, table := range []struct{ name, row string }{{"events", oneEvent}, {"reports", oneReport}, {"messages", oneMessage}} {
			var insert string
			err := s.database.Pool.QueryRow(ctx, strings.Replace(pgbenchInsert, "ROW", table.row, 1), s.filed[0], prefix+table.name).Scan(&insert)
			require.NoError(b, err)
			begin += insert + "\n"
		}
		require.NoError(b, os.WriteFile(path, []byte(begin+end), 0o600))
	}
	script(p.equal, "bench_", "BEGIN;\n", "COMMIT;\n")
	script(p.bare, "bare_", "\\startpipeline\nBEGIN;\n", "COMMIT;\n\\endpipeline\n")
	return p
}

var transactionsPerSecond = regexp.MustCompile(`tps = ([0-9.]+)`)

// run gives the transactions a second of a script.
func (p *pgbench) run(b *testing.B, script string, clients int, d time.Duration) float64 {
	b.Helper()
	out, err := exec.Command(p.program, "-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", strconv.Itoa(min(clients, 2)),
		"-T", strconv.Itoa(int(d.Seconds())), "-f", script, p.url).CombinedOutput()
	require.NoError(b, err, "%s", out)
	found := transactionsPerSecond.FindSubmatch(out)
	require.NotNil(b, found, "%s", out)
	rate, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return rate
}

func pgbenchProgram(b *testing.B) string {
	b.Helper()
	if path, err := exec.LookPath("pgbench"); err == nil {
		return path
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	require.NoError(b, err)
	require.NotEmpty(b, found, "pgbench comes with PostgreSQL")
	return found[len(found)-1]
}
