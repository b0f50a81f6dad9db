package cmd

import (
	"bytes"
	"net/netip"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
)

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	a := &app{environment: map[string]string{"LOG_LEVEL": ""}}
	cfg, err := a.serverConfig()
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", cfg.Listen)
	require.Equal(t, "local", cfg.Environment)
	require.Equal(t, "info", cfg.LogLevel, "an empty variable is as an unset one")
	require.True(t, cfg.DefaultCronSecret())
	require.False(t, cfg.Production())
	require.NotEmpty(t, cfg.DataDir)
}

func TestConfigReadsEveryVariable(t *testing.T) {
	t.Parallel()
	a := &app{environment: map[string]string{
		"DOCKET_ENV": "production", "DATABASE_URL": "postgres://db/docket", "DATABASE_READ_URL": "postgres://replica/docket",
		"DOCKET_LISTEN": ":0", "DOCKET_BASE_URL": "https://docket.example", "DOCKET_TRUSTED_PROXIES": "10.1.2.3/8, ::1,192.0.2.7",
		"DOCKET_METRICS_LISTEN": "127.0.0.1:9100", "DOCKET_DRAIN": "7s", "DOCKET_SECRETS_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		"DOCKET_PLUGINS": "a.yaml, plugins,", "DOCKET_BROKER_URL": "nats://broker:4222", "DOCKET_BROKER_REPLICAS": "3",
		"CRON_SECRET": "sixteen-letters!", "CRON_ADAPTER": "inprocess",
		"AUTH_JWKS_URL": "https://id.example/keys", "AUTH_ISSUER": "https://id.example", "AUTH_AUDIENCE": "docket",
		"OIDC_ISSUER": "https://sso.example", "OIDC_CLIENT_ID": "client", "OIDC_CLIENT_SECRET": "secret", "OIDC_NAME": "Example", "OIDC_ADMIN_GROUP": "admins", "DOCKET_PASSWORDS": "off", "DOCKET_STAFF_TWO_FACTOR": "required",
		"SMTP_URL": "smtp://mail.example:25", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true", "DOCKET_RETENTION": "8760h", "DOCKET_CLAIM_TIMEOUT": "48h", "DOCKET_NOTICES": "on", "DOCKET_APPEAL_DAYS": "30", "DOCKET_TRANSLATE_URL": "http://translate.example:5000", "DOCKET_TRANSLATE_KEY": "key",
		"DOCKET_STATEMENTS_URL": "https://statements.example", "DOCKET_STATEMENTS_TOKEN": "token", "DOCKET_STATEMENTS_DELAY": "1h",
		"DOCKET_AUDIT_DIR": "audit", "DOCKET_AUDIT_KEY": testAuditKey, "DOCKET_AUDIT_KNOWN_KEYS": testPublicKey, "DOCKET_AUDIT_URL": "https://witness.example/x",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://traces.example/v1",
		"LOG_LEVEL": "warn", "LOG_FORMAT": "json",
	}}
	cfg, err := a.serverConfig()
	require.NoError(t, err)
	require.Equal(t, &Config{
		Environment: "production", DatabaseURL: "postgres://db/docket", DatabaseReadURL: "postgres://replica/docket",
		Listen: ":0", BaseURL: "https://docket.example",
		TrustedProxies: prefixes{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("192.0.2.7/32")},
		MetricsListen:  "127.0.0.1:9100", Drain: new(7 * time.Second), SecretsKey: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		Plugins: []string{"a.yaml", "plugins"}, BrokerURL: "nats://broker:4222", BrokerReplicas: 3,
		CronSecret: "sixteen-letters!", CronAdapter: "inprocess",
		JWKSURL: "https://id.example/keys", Issuer: "https://id.example", Audience: "docket",
		OIDCIssuer: "https://sso.example", OIDCClientID: "client", OIDCClientSecret: "secret", OIDCName: "Example", OIDCAdminGroup: "admins", Passwords: "off", StaffTwoFactor: "required",
		SMTPURL: "smtp://mail.example:25", WebhookAllowPrivate: true, Retention: 8760 * time.Hour, ClaimTimeout: 48 * time.Hour, Notices: "on", AppealDays: 30, TranslateURL: "http://translate.example:5000", TranslateKey: "key",
		StatementsURL: "https://statements.example", StatementsToken: "token", StatementsDelay: time.Hour,
		AuditDir: "audit", AuditKey: testAuditKey, AuditKnownKeys: []string{testPublicKey}, AuditURL: "https://witness.example/x",
		OTLPEndpoint: "http://collector:4318", OTLPTracesEndpoint: "https://traces.example/v1",
		LogLevel: "warn", LogFormat: "json",
	}, cfg)
}

func TestConfigTellsEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	a := &app{environment: map[string]string{
		"DOCKET_ENV": "staging", "DATABASE_URL": "mysql://me:hunter2@db", "DOCKET_LISTEN": "8080",
		"DOCKET_BASE_URL": "https://docket.example/sub", "DOCKET_TRUSTED_PROXIES": "nonsense",
		"DOCKET_BROKER_URL": "nats://x,amqp://x", "CRON_ADAPTER": "thread", "AUTH_ISSUER": "x", "AUTH_JWKS_URL": "http://host.example/keys", "OIDC_ISSUER": "http://id.example",
		"SMTP_URL": "mail", "DOCKET_AUDIT_URL": "ftp://x", "DOCKET_TRANSLATE_URL": "translate.example", "DOCKET_STATEMENTS_URL": "x", "DOCKET_STATEMENTS_DELAY": "-1h", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "perhaps", "LOG_LEVEL": "loud", "LOG_FORMAT": "xml",
		"DOCKET_RETENTION": "5", "DOCKET_DRAIN": "soon", "DOCKET_BROKER_REPLICAS": "three", "DOCKET_CLAIM_TIMEOUT": "1ms", "DOCKET_NOTICES": "perhaps", "DOCKET_APPEAL_DAYS": "-1", "DOCKET_AUDIT_KNOWN_KEYS": "nonsense", "OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317",
	}}
	_, err := a.config()
	require.Error(t, err)
	for _, part := range []string{
		"DOCKET_ENV", "DATABASE_URL", "DOCKET_LISTEN", "DOCKET_BASE_URL", `DOCKET_TRUSTED_PROXIES: "nonsense"`, "DOCKET_BROKER_URL",
		"CRON_ADAPTER", "AUTH_JWKS_URL: must be https", "OIDC_ISSUER: must be https", "SMTP_URL", "DOCKET_AUDIT_URL: is not", "DOCKET_AUDIT_KNOWN_KEYS: \"nonsense\"", "DOCKET_AUDIT_URL: needs", "DOCKET_WEBHOOK_ALLOW_PRIVATE: is neither true nor false", "DOCKET_TRANSLATE_URL: ", "DOCKET_STATEMENTS_URL: is not", "set together or not at all", "DOCKET_STATEMENTS_DELAY: ", "DOCKET_NOTICES", "DOCKET_RETENTION: is not a duration", "DOCKET_DRAIN: is not a duration", "DOCKET_BROKER_REPLICAS: is not a whole number", "DOCKET_CLAIM_TIMEOUT: ", "DOCKET_APPEAL_DAYS: ", "OTEL_EXPORTER_OTLP_ENDPOINT: is not", "LOG_LEVEL", "LOG_FORMAT",
	} {
		require.ErrorContains(t, err, part)
	}
	require.NotContains(t, err.Error(), "hunter2")
}

func TestAddressesThatNothingCouldBeSentBy(t *testing.T) {
	t.Parallel()
	_, err := (&app{environment: map[string]string{"DOCKET_BASE_URL": "http://me:hunter2@docket.example", "SMTP_URL": "smtp://me:hunter2@mail.example?from=nobody"}}).config()
	require.ErrorContains(t, err, "DOCKET_BASE_URL: has more than")
	require.ErrorContains(t, err, "SMTP_URL: mail sender")
	require.NotContains(t, err.Error(), "hunter2")

	_, err = (&app{environment: map[string]string{"DOCKET_BASE_URL": "https:///docket.example", "DOCKET_TRANSLATE_URL": "http://:5000"}}).config()
	require.ErrorContains(t, err, "DOCKET_BASE_URL: is not a URL")
	require.ErrorContains(t, err, "DOCKET_TRANSLATE_URL: is not a URL")
	_, err = (&app{environment: map[string]string{"DATABASE_URL": "postgres:///docket?host=/run/postgresql"}}).config()
	require.NoError(t, err)
}

func TestProductionRefusesWhatIsInsecure(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"DOCKET_ENV": "production", "DOCKET_BASE_URL": "https://docket.example", "CRON_SECRET": "0123456789abcdef", "DOCKET_AUDIT_KEY": testAuditKey,
	}
	cases := []struct {
		name        string
		environment map[string]string
		want        []string
	}{
		{"nothing insecure", good, nil},
		{"everything at its default", map[string]string{"DOCKET_ENV": "production"}, []string{"CRON_SECRET: the default", "DOCKET_BASE_URL", "DOCKET_AUDIT_KEY: production needs"}},
		{"default secret", with(good, "CRON_SECRET", "docket-default-cron-secret"), []string{"CRON_SECRET: the default"}},
		{"short secret", with(good, "CRON_SECRET", "0123456789abcde"), []string{"at least 16"}},
		{"a short secret of many bytes", with(good, "CRON_SECRET", "éééééééé"), []string{"at least 16"}},
		{"a secret of nothing but space", with(good, "CRON_SECRET", strings.Repeat(" ", 16)), []string{"CRON_SECRET: begins or ends with white space"}},
		{"a secret with the end of its line", with(good, "CRON_SECRET", "0123456789abcdef\n"), []string{"CRON_SECRET: begins or ends with white space"}},
		{"plain base URL", with(good, "DOCKET_BASE_URL", "http://docket.example"), []string{"DOCKET_BASE_URL"}},
		{"plain key address", with(good, "AUTH_JWKS_URL", "http://x/k", "AUTH_ISSUER", "x", "AUTH_AUDIENCE", "x"), []string{"AUTH_JWKS_URL"}},
		{"plain identity provider", with(good, "OIDC_ISSUER", "http://id.example", "OIDC_CLIENT_ID", "x", "OIDC_CLIENT_SECRET", "x"), []string{"OIDC_ISSUER: production needs https"}},
		{"plain audit address", with(good, "DOCKET_AUDIT_URL", "http://x"), []string{"DOCKET_AUDIT_URL"}},
		{"together with other faults", map[string]string{"DOCKET_ENV": "production", "LOG_LEVEL": "loud"}, []string{"CRON_SECRET", "LOG_LEVEL"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := (&app{environment: c.environment}).serverConfig()
			if c.want == nil {
				require.NoError(t, err)
			}
			for _, part := range c.want {
				require.ErrorContains(t, err, part)
			}
		})
	}
}

func TestProductionBindsOnlyWhatServes(t *testing.T) {
	t.Parallel()
	_, err := (&app{environment: map[string]string{"DOCKET_ENV": "production"}}).config()
	require.NoError(t, err, "docket migrate up needs no cron secret")
}

func TestTheDemoRefusesProductionForWhatItIs(t *testing.T) {
	t.Parallel()
	refused := docket(t, map[string]string{"DOCKET_ENV": "production"}, "demo")
	require.Equal(t, 1, refused.status)
	require.Contains(t, refused.stderr, "a public password")
	require.NotContains(t, refused.stderr, "CRON_SECRET", "no setting makes it right")
}

func TestLogger(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		cfg   Config
		want  string
		level zerolog.Level
	}{
		{"json where nobody watches", Config{LogLevel: "info"}, `"message":"hello"`, zerolog.InfoLevel},
		{"console when asked for", Config{LogLevel: "debug", LogFormat: "console"}, "INF hello", zerolog.DebugLevel},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			log := c.cfg.logger(&out)
			log.Info().Msg("hello")
			log.Trace().Msg("unheard")
			require.Contains(t, out.String(), c.want)
			require.NotContains(t, out.String(), "unheard")
			require.Equal(t, c.level, log.GetLevel())
		})
	}
}

// reachableDir is a data directory with a short path that the account of the
// database server may enter, also when the tests run as root. The database of a process that
// was killed ends a little later.
func reachableDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dkt") //nolint:usetesting // t.TempDir's path is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Eventually(t, func() bool { return os.RemoveAll(dir) == nil }, time.Minute, 100*time.Millisecond, "remove %s", dir)
	})
	return dir
}

// Operators find each setting in docs/configure.md, in the settings to begin with and in
// compose.yaml, and nothing there that no server reads.
func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	named := func(pattern, text string) map[string]bool {
		names := map[string]bool{}
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			for _, name := range regexp.MustCompile(`[A-Z]+(_[A-Z]+)+`).FindAllString(found[1], -1) {
				names[name] = true
			}
		}
		return names
	}
	page := named("(?m)^\\| (`[^|]*`) \\|", read("../docs/configure.md"))
	example := named(`(?m)^([A-Z_]+)=`, read("../scripts/deploy/docket.env.example"))
	composed := named(`(?m)^    ([A-Z_]+): `, read("../scripts/deploy/compose.yaml"))

	known := map[string]bool{}
	for field := range reflect.TypeFor[Config]().Fields() {
		name := field.Tag.Get("env")
		require.NotEmpty(t, name, field.Name)
		known[name] = true
		require.True(t, page[name], "docs/configure.md lacks %s", name)
		// The unit, the image and their volumes set these; in local mode there is a cluster.
		if !slices.Contains([]string{"DOCKET_DATA_DIR", "DOCKET_LISTEN", "DOCKET_AUDIT_DIR", "LOG_FORMAT"}, name) {
			require.True(t, example[name], "docket.env.example lacks %s", name)
		}
		if !slices.Contains([]string{"DOCKET_DATA_DIR", "DOCKET_LISTEN", "DOCKET_AUDIT_DIR", "DOCKET_ENV"}, name) {
			require.True(t, composed[name], "compose.yaml lacks %s", name)
		}
	}
	for place, names := range map[string]map[string]bool{"docs/configure.md": page, "docket.env.example": example, "compose.yaml": composed} {
		for name := range names {
			own := place != "docs/configure.md" && strings.HasPrefix(name, "POSTGRES_")
			require.True(t, known[name] || own, "%s names %s, which no server reads", place, name)
		}
	}
	_, err := parseConfig(env.ToMap(strings.Split(read("../scripts/deploy/docket.env.example"), "\n")))
	require.NoError(t, err, "what is empty keeps its default")
}
