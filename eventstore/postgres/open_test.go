package postgres_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestOpenSetsPoolAndSession(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	cases := []struct {
		name     string
		url      string
		opts     postgres.Options
		maxConns int32
		want     map[string]string
	}{
		{"defaults", url, postgres.Options{}, 16, map[string]string{
			"statement_timeout": "30s", "lock_timeout": "10s",
			"idle_in_transaction_session_timeout": "1min",
			"TimeZone":                            "UTC", "application_name": "docket",
			"default_transaction_read_only": "off",
		}},
		{"options", url, postgres.Options{
			StatementTimeout: 2 * time.Second, LockTimeout: -1, IdleInTransactionTimeout: time.Microsecond,
			ApplicationName: "docket-replay", ReadOnly: true, MaxConns: 2,
		}, 2, map[string]string{
			"statement_timeout": "2s", "lock_timeout": "0", "idle_in_transaction_session_timeout": "1ms",
			"application_name": "docket-replay", "default_transaction_read_only": "on",
		}},
		{"the URL wins", url + "&statement_timeout=7000&application_name=mine&pool_max_conns=3", postgres.Options{StatementTimeout: time.Second, MaxConns: 2}, 3, map[string]string{
			"statement_timeout": "7s", "application_name": "mine",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Open(t, c.url, c.opts)
			require.Equal(t, c.maxConns, pool.Stat().MaxConns())
			for name, want := range c.want {
				got := pgtest.One[string](t, pool, "SELECT current_setting($1)", name)
				require.Equal(t, want, got, name)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, url, want string }{
		{"a URL that is none", "postgres://host:port:port/x", "database URL"},
		{"a server that is not there", fmt.Sprintf("postgres://docket@/docket?host=%s", t.TempDir()), "connect to the database"},
		{"a database that is not there", strings.Replace(pgtest.Empty(t), "/docket_test_", "/nothing_", 1), "does not exist"},
	}
	for _, c := range cases {
		_, err := postgres.Open(t.Context(), c.url, postgres.Options{})
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func TestOpenKeepsPasswordOutOfErrors(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), "postgres://me:hunter2@%zz/x", postgres.Options{})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
}
