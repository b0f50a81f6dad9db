package cmd

import (
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/doctor"
)

// closedPort is an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return l.Addr().String()
}

// documents serves each path's text.
func documents(t *testing.T, byPath map[string]string) string {
	t.Helper()
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		text, there := byPath[r.URL.Path]
		if !there {
			nethttp.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// asStranger is the URL of a test's database for a role without rights.
func asStranger(t *testing.T, databaseURL string) string {
	t.Helper()
	role := "stranger_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	run := func(sql string) {
		pool := pgtest.Open(t, databaseURL, postgres.Options{MaxConns: 1})
		pgtest.Exec(t, pool, sql)
	}
	run("CREATE ROLE " + role + " LOGIN PASSWORD 'secret'")
	t.Cleanup(func() { run("DROP ROLE " + role) })
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	u.User = url.UserPassword(role, "secret")
	return u.String()
}

// Each of these set-ups is broken on purpose in one way, and docket doctor names it.
func TestDoctorNamesWhatIsBroken(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		broken func(t *testing.T, environment map[string]string)
		level  doctor.Level
		check  string
		says   []string
	}{
		"a setting that cannot be read": {func(_ *testing.T, e map[string]string) { e["DOCKET_RETENTION"] = "a year" }, doctor.Fault, "settings",
			[]string{"DOCKET_RETENTION", "No server starts"}},
		"insecure in production": {func(_ *testing.T, e map[string]string) { e["DOCKET_ENV"] = "production" }, doctor.Fault, "settings",
			[]string{"DOCKET_BASE_URL: production needs the https address"}},
		"no database": {func(t *testing.T, e map[string]string) {
			e["DATABASE_URL"] = "postgres://docket:hidden@" + closedPort(t) + "/docket"
		}, doctor.Fault, "database",
			[]string{"does not answer", "connection refused", "pg_isready"}},
		"no such database": {func(t *testing.T, e map[string]string) { e["DATABASE_URL"] = elsewhere(t, e["DATABASE_URL"]) }, doctor.Fault, "database",
			[]string{"does not exist", "DATABASE_URL"}},
		"pending migrations": {func(t *testing.T, e map[string]string) { e["DATABASE_URL"] = pgtest.Empty(t) }, doctor.Fault, "migrations",
			[]string{"migrations are pending, the first is", "docket migrate up"}},
		"a role without rights": {func(t *testing.T, e map[string]string) { e["DATABASE_URL"] = asStranger(t, e["DATABASE_URL"]) }, doctor.Fault, "database",
			[]string{"may not read and write core_", "REASSIGN OWNED"}},
		"a database that takes no writes": {func(_ *testing.T, e map[string]string) {
			e["DATABASE_URL"] = withParameter(e["DATABASE_URL"], "default_transaction_read_only", "on")
		}, doctor.Fault, "database", []string{"takes no writes", "primary"}},
		"a database that loses writes": {func(_ *testing.T, e map[string]string) {
			e["DATABASE_URL"] = withParameter(e["DATABASE_URL"], "synchronous_commit", "off")
		}, doctor.Warning, "database", []string{"loses what was acknowledged"}},
		"a replica that is away": {func(t *testing.T, e map[string]string) {
			e["DATABASE_READ_URL"] = "postgres://" + closedPort(t) + "/docket"
		}, doctor.Fault, "replica",
			[]string{"does not answer", "DATABASE_READ_URL"}},
		"a replica that is none": {func(_ *testing.T, e map[string]string) { e["DATABASE_READ_URL"] = e["DATABASE_URL"] }, doctor.Warning, "replica",
			[]string{"is no replica", "streaming replica"}},
		"no mail server": {func(t *testing.T, e map[string]string) { e["SMTP_URL"] = "smtp://user:hidden@" + closedPort(t) }, doctor.Fault, "mail",
			[]string{"connection refused", "SMTP_URL"}},
		"no broker": {func(t *testing.T, e map[string]string) {
			e["DOCKET_BROKER_URL"] = "nats://user:hidden@" + closedPort(t)
		}, doctor.Fault, "broker",
			[]string{"does not answer", "DOCKET_BROKER_URL"}},
		"a broker that takes no events": {func(t *testing.T, e map[string]string) {
			e["DOCKET_BROKER_URL"] = startNATS(t).ClientURL()
			pool := pgtest.Open(t, e["DATABASE_URL"], postgres.Options{MaxConns: 1})
			pgtest.Exec(t, pool, `INSERT INTO watermill_offsets_docket_events (consumer_group, offset_acked, last_processed_transaction_id) VALUES ('docket.broker', 0, '0')`)
			pgtest.Exec(t, pool, `INSERT INTO watermill_docket_events (uuid, payload, metadata, transaction_id)
				VALUES (gen_random_uuid(), '{}', jsonb_build_object('occurred_at', now() - interval '2 minutes'), pg_current_xact_id())`)
		}, doctor.Warning, "broker", []string{"have waited for it for 2m", "forwarding events waits"}},
		"a key set without keys": {func(t *testing.T, e map[string]string) {
			e["AUTH_JWKS_URL"], e["AUTH_ISSUER"], e["AUTH_AUDIENCE"] = documents(t, map[string]string{"/keys": `{"keys": []}`})+"/keys", "https://host.example", "docket"
		}, doctor.Fault, "jwks", []string{"holds no keys", "AUTH_JWKS_URL"}},
		"an identity provider of another name": {func(t *testing.T, e map[string]string) {
			e["OIDC_CLIENT_ID"], e["OIDC_CLIENT_SECRET"] = "docket", "secret"
			e["OIDC_ISSUER"] = documents(t, map[string]string{"/.well-known/openid-configuration": `{"issuer": "https://other.example", "jwks_uri": "x", "token_endpoint": "x"}`})
		}, doctor.Fault, "oidc", []string{"https://other.example", "OIDC_ISSUER"}},
		"an audit folder that is a file": {func(t *testing.T, e map[string]string) {
			e["DOCKET_AUDIT_DIR"] = filepath.Join(t.TempDir(), "file")
			require.NoError(t, os.WriteFile(e["DOCKET_AUDIT_DIR"], nil, 0o600))
		}, doctor.Fault, "audit", []string{"cannot be used", "mode 0700"}},
		"an audit key that others can read": {func(t *testing.T, e map[string]string) {
			require.NoError(t, os.WriteFile(filepath.Join(e["DOCKET_AUDIT_DIR"], "key"), []byte("x"), 0o600))
			require.NoError(t, os.Chmod(filepath.Join(e["DOCKET_AUDIT_DIR"], "key"), 0o644))
		}, doctor.Fault, "audit", []string{"may read it"}},
		"an audit key that is none": {func(_ *testing.T, e map[string]string) { e["DOCKET_AUDIT_KEY"] = "secret" }, doctor.Fault, "",
			[]string{"DOCKET_AUDIT_KEY"}},
		"no trusted proxy": {func(_ *testing.T, e map[string]string) { e["DOCKET_BASE_URL"] = "https://127.0.0.1:1" }, doctor.Warning, "proxy",
			[]string{"does not lead here", "DOCKET_TRUSTED_PROXIES"}},
		"the public secret": {func(_ *testing.T, e map[string]string) { e["CRON_SECRET"] = "" }, doctor.Warning, "jobs",
			[]string{"public default", "openssl rand"}},
		"no key of secrets": {func(*testing.T, map[string]string) {}, doctor.Off, "secrets", []string{"inserts by SQL signs them in", "openssl rand"}},
		"no scheduler":      {func(*testing.T, map[string]string) {}, doctor.Off, "jobs", []string{"No scheduler has called yet", "CRON_ADAPTER"}},
		"no platform":       {func(*testing.T, map[string]string) {}, doctor.Off, "platforms", []string{"Nothing to moderate is declared", "Connect a platform"}},
		"no administrator":  {func(*testing.T, map[string]string) {}, doctor.Off, "administrators", []string{"There is no administrator", "--admin-root"}},
		"no report":         {func(*testing.T, map[string]string) {}, doctor.Off, "reports", []string{"No report has been filed yet"}},
		"no backup":         {func(*testing.T, map[string]string) {}, doctor.Warning, "backup", []string{"No backup has been made yet"}},
	}
	database := pgtest.URL(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environment := map[string]string{"DATABASE_URL": database, "DOCKET_AUDIT_DIR": t.TempDir(), "CRON_SECRET": strings.Repeat("s", 20)}
			c.broken(t, environment)

			got := docket(t, environment, "doctor")

			if c.level == doctor.Fault {
				require.Equal(t, exitFailure, got.status, got.stdout)
			} else {
				require.Zero(t, got.status, got.stdout+got.stderr)
			}
			for _, said := range c.says {
				require.Contains(t, got.stdout, said)
			}
			require.Regexp(t, `(?m)^`+string(c.level)+` +`+c.check, got.stdout)
			require.NotContains(t, got.stdout+got.stderr, "hidden", "no password is told")
		})
	}
}

func TestDoctorSaysWhatWaitsForMigrations(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	pool := pgtest.Open(t, url, postgres.Options{MaxConns: 1})
	pgtest.Exec(t, pool, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	one := docket(t, map[string]string{"DATABASE_URL": url, "DOCKET_DATA_DIR": t.TempDir()}, "doctor")
	require.Contains(t, one.stdout, "1 migration is pending: ")
	require.Regexp(t, `triggers +Not examined, since migrations are pending`, one.stdout)
	empty := docket(t, map[string]string{"DATABASE_URL": pgtest.Empty(t), "DOCKET_DATA_DIR": t.TempDir()}, "doctor")
	for _, check := range []string{"triggers", "servers", "jobs", "backup", "administrators", "reports"} {
		require.Regexp(t, check+` +Not examined, since migrations are pending`, empty.stdout)
	}
}

func TestTriggersOfALaterReleaseAreSaidNotToBeCompared(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pgtest.Exec(t, pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 1}), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (29990101000001, true)`)
	require.Regexp(t, `triggers +Not examined, since a later release has migrated the database`, docket(t, environment, "doctor").stdout)
	verified := docket(t, environment, "audit", "verify")
	require.Zero(t, verified.status, verified.stderr)
	require.Contains(t, verified.stdout, "triggers were not compared: a later release has migrated the database: migration 29990101000001")
}

func elsewhere(t *testing.T, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	u.Path = "/there_is_none"
	return u.String()
}

func withParameter(databaseURL, name, value string) string {
	separator := "?"
	if strings.Contains(databaseURL, "?") {
		separator = "&"
	}
	return databaseURL + separator + name + "=" + value
}
