package cmd

import (
	nethttp "net/http"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a server that is told to stop, then it says that it is not ready at once, and
// serves for as long as it drains.
func TestAServerDrainsBeforeItStops(t *testing.T) {
	t.Parallel()
	p := startProcess(t, map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DRAIN": "3s", "DOCKET_METRICS_LISTEN": "127.0.0.1:0", "LOG_LEVEL": "info", "LOG_FORMAT": "json"}, "serve")
	status := func(url string) int {
		answer, err := nethttp.Get(url)
		if err != nil {
			return 0
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	require.Equal(t, 200, status(p.url+"/readyz"))
	require.NotEqual(t, 200, status(p.url+"/metrics"))
	said := p.said()
	found := regexp.MustCompile(`http://[0-9.:]+/metrics`).FindString(said)
	require.NotEmpty(t, found, said)
	require.Contains(t, said, "CRON_SECRET", "it warns of the public default")
	require.Equal(t, 200, status(found))

	told := time.Now()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	pgtest.Eventually(t, func() bool { return status(p.url+"/readyz") == 503 }, "the server is not ready")
	require.Less(t, time.Since(told), 2*time.Second)
	require.Equal(t, 200, status(p.url+"/healthz"), "it serves meanwhile")
	<-p.ended
	require.GreaterOrEqual(t, time.Since(told), 3*time.Second)
	require.Zero(t, p.cmd.ProcessState.ExitCode())
}

func TestInsecureOptionsAreTold(t *testing.T) {
	t.Parallel()
	const key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	safe := map[string]string{"CRON_SECRET": "sixteen-letters!", "DOCKET_SECRETS_KEY": key}
	production := map[string]string{"CRON_SECRET": "sixteen-letters!", "DOCKET_SECRETS_KEY": key, "DOCKET_ENV": "production", "DOCKET_METRICS_LISTEN": "127.0.0.1:9100",
		"DOCKET_LISTEN": ":8080", "DATABASE_URL": "postgres://db/docket"}
	cases := map[string]struct {
		base map[string]string
		name string
		to   string
		want string
	}{
		"none":                        {safe, "", "", ""},
		"none in production":          {production, "", "", ""},
		"the default cron secret":     {safe, "CRON_SECRET", "", "CRON_SECRET"},
		"private webhooks":            {safe, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true", "DOCKET_WEBHOOK_ALLOW_PRIVATE"},
		"everybody a proxy":           {safe, "DOCKET_TRUSTED_PROXIES", "10.0.0.0/8,0.0.0.0/0", "DOCKET_TRUSTED_PROXIES"},
		"open without production":     {safe, "DOCKET_LISTEN", ":8080", "DOCKET_LISTEN"},
		"open profiles":               {safe, "DOCKET_METRICS_LISTEN", "0.0.0.0:9100", "DOCKET_METRICS_LISTEN"},
		"public metrics":              {production, "DOCKET_METRICS_LISTEN", "", "DOCKET_METRICS_LISTEN"},
		"plain secrets":               {production, "DOCKET_SECRETS_KEY", "", "DOCKET_SECRETS_KEY"},
		"a database in the clear":     {production, "DATABASE_URL", "postgres://db/docket?sslmode=disable", "DATABASE_URL"},
		"one on this machine":         {production, "DATABASE_URL", "postgres://localhost/docket?sslmode=disable", ""},
		"one at a socket":             {production, "DATABASE_URL", "postgres:///docket?host=/run/postgresql&sslmode=disable", ""},
		"a broker in the clear":       {production, "DOCKET_BROKER_URL", "nats://broker:4222", "DOCKET_BROKER_URL"},
		"a log that tells everything": {production, "LOG_LEVEL", "debug", "LOG_LEVEL"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environment := map[string]string{c.name: c.to}
			for name, value := range c.base {
				if name != c.name {
					environment[name] = value
				}
			}
			cfg, err := parseConfig(environment)
			require.NoError(t, err)
			told := cfg.warnings()
			if c.want == "" {
				require.Empty(t, told)
				return
			}
			require.Len(t, told, 1)
			require.Contains(t, told[0], c.want)
		})
	}
}
