//go:build cluster

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given PgBouncer in front of the primary, when a Docket starts, then it refuses and says
// why, whether PgBouncer refuses session settings or drops them, and doctor says so too.
func TestPoolersAreRefused(t *testing.T) {
	ctx := t.Context()
	for _, mode := range []string{"transaction", "session"} {
		for name, ignored := range map[string]string{"refuses settings": "", "drops settings": "statement_timeout,lock_timeout,idle_in_transaction_session_timeout,default_transaction_read_only"} {
			t.Run(mode+" mode, "+name, func(t *testing.T) {
				url := startPgBouncer(t, mode, ignored)
				for _, settings := range [][]string{{"DATABASE_URL=" + url}, {"DATABASE_URL=" + running.databaseURL("postgres", "postgres"), "DATABASE_READ_URL=" + url}} {
					out, err := docketFails(t, settings, "serve", "--migrate")
					require.Error(t, err)
					require.Contains(t, out, "a pooler such as PgBouncer answers for the database")
					out, err = docketFails(t, settings, "doctor")
					require.Error(t, err)
					require.Contains(t, out, "Docket pools its connections itself.")
				}
			})
		}
	}
	require.NoError(t, running.onPrimary(ctx, "postgres", "SELECT 1"))
}

// startPgBouncer returns a URL of the database postgres through PgBouncer.
func startPgBouncer(t *testing.T, mode, ignored string) string {
	t.Helper()
	plan, err := newPlan(t.TempDir()) // for a free port
	require.NoError(t, err)
	port := plan.Proxy.Port
	dir, err := os.MkdirTemp(running.Dir, "pgbouncer-") //nolint:usetesting // its server reads it as another account
	require.NoError(t, err)
	settings := fmt.Sprintf(`[databases]
postgres = host=127.0.0.1 port=%d user=postgres password=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = %s
ignore_startup_parameters = %s
`, running.Proxy.Primary, running.Password, port, mode, ignored)
	config := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(t, os.WriteFile(config, []byte(settings), 0o600))
	if running.account != nil { // it does not run as root either
		for _, path := range []string{dir, config} {
			require.NoError(t, os.Chown(path, int(running.account.uid), int(running.account.gid)))
		}
	}
	n := &node{name: "pgbouncer", args: []string{running.programs["pgbouncer"], config}, account: running.account,
		log: filepath.Join(running.logs, "pgbouncer.log"), ready: listens(port)}
	t.Cleanup(n.kill)
	require.NoError(t, n.start(context.WithoutCancel(t.Context())))
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
}
