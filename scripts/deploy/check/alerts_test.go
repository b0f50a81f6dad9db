package check

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAlertRules(t *testing.T) {
	for _, args := range [][]string{{"check", "config", "../prometheus/prometheus.yaml"}, {"test", "rules", "../prometheus/rules_test.yaml"}} {
		out, err := exec.Command("promtool", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// Each alert says where it is explained, and is.
func TestAlertsAreExplained(t *testing.T) {
	rules, err := os.ReadFile("../prometheus/rules.yaml")
	require.NoError(t, err)
	tests, err := os.ReadFile("../prometheus/rules_test.yaml")
	require.NoError(t, err)
	page, err := os.ReadFile("../OPERATING.md")
	require.NoError(t, err)
	names := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	require.NotEmpty(t, names)
	for _, found := range names {
		name := found[1]
		require.Contains(t, string(page), "\n### "+name+"\n")
		require.Contains(t, string(rules), "runbook: OPERATING.md#"+strings.ToLower(name)+"\n")
		require.Contains(t, string(tests), name, "rules_test.yaml raises it")
	}
	require.Equal(t, len(names), strings.Count(string(page), "\n### Docket"), "no section without an alert")
}

// freePort is one that was free a moment ago: Prometheus picks none by itself.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return l.Addr().String()
}

// start runs a program until the test ends and gives the first line that it writes.
func start(t *testing.T, environment []string, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), environment...)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	})
	if environment == nil {
		return ""
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "%s did not begin", name)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(line)
}

// ask queries a Prometheus and decodes the data of its answer.
func ask(t *testing.T, address, path string, into any) {
	t.Helper()
	answer, err := http.Get("http://" + address + path)
	if err != nil {
		return // it has only begun
	}
	defer answer.Body.Close()
	var decoded struct{ Data json.RawMessage }
	if json.NewDecoder(answer.Body).Decode(&decoded) == nil && len(decoded.Data) > 0 {
		require.NoError(t, json.Unmarshal(decoded.Data, into))
	}
}

// A Prometheus that watches a running server knows every figure of the rules and of the
// dashboard, and raises no alert of a server that has just begun.
func TestAgainstARunningServer(t *testing.T) {
	data, err := os.MkdirTemp("", "docket-check-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	require.NoError(t, os.Chmod(data, 0o755)) // PostgreSQL runs as somebody else where we are root
	audit := filepath.Join(t.TempDir(), "audit")
	environment := []string{"DATABASE_URL=" + os.Getenv("DOCKET_CHECK_DATABASE_URL"), "DOCKET_DATA_DIR=" + data, "DOCKET_LISTEN=127.0.0.1:0",
		"DOCKET_AUDIT_DIR=" + audit, "LOG_LEVEL=error"}
	base := strings.TrimPrefix(start(t, environment, "../../../bin/docket", "demo"), "docket ready ")
	require.Contains(t, base, "http://")
	for _, path := range []string{"/api/@platform/core/users/session", "/api/@platform/core/openapi.json"} {
		answer, err := http.Get(base + path)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
	}

	config, err := os.ReadFile("../prometheus/prometheus.yaml")
	require.NoError(t, err)
	rules, err := filepath.Abs("../prometheus/rules.yaml")
	require.NoError(t, err)
	folder, address := t.TempDir(), freePort(t)
	text := strings.NewReplacer("127.0.0.1:9464", strings.TrimPrefix(base, "http://"), "15s", "1s", "rules.yaml", rules).Replace(string(config))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "prometheus.yaml"), []byte(text), 0o600))
	start(t, nil, "prometheus", "--config.file="+filepath.Join(folder, "prometheus.yaml"), "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+address, "--log.level=error")

	type sample struct{ Metric map[string]string }
	require.Eventually(t, func() bool {
		var found struct{ Result []sample }
		ask(t, address, "/api/v1/query?query="+url.QueryEscape("docket:requests:rate5m > 0"), &found)
		return len(found.Result) > 0
	}, time.Minute, 200*time.Millisecond, "the server is watched and the rules are evaluated")

	names := map[string]bool{}
	var all []string
	ask(t, address, "/api/v1/label/__name__/values", &all)
	for _, name := range all {
		names[name] = true
	}
	dashboard, err := os.ReadFile("../grafana/dashboard.json")
	require.NoError(t, err)
	written, err := os.ReadFile(rules)
	require.NoError(t, err)
	used := regexp.MustCompile(`\b(docket|process|go)_\w+`).FindAllString(string(dashboard)+string(written), -1)
	require.Greater(t, len(used), 30)
	// Counters of what has not happened, and times of what was not done yet, are absent.
	absent := regexp.MustCompile(`^docket_(subscriber_(poisoned|attempts)|backup_|checkpoint_|provider_questions)`)
	for _, name := range used {
		if !absent.MatchString(name) {
			assert.Contains(t, names, name, "the server exports no such figure")
		}
	}

	var groups struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError, State string }
		}
	}
	ask(t, address, "/api/v1/rules", &groups)
	for _, r := range groups.Groups[0].Rules {
		require.Equal(t, "ok", r.Health, "%s: %s", r.Name, r.LastError)
		require.NotEqual(t, "firing", r.State, r.Name)
	}
	for _, expr := range expressions(t, dashboard) {
		answer, err := http.Get("http://" + address + "/api/v1/query?query=" + url.QueryEscape(strings.ReplaceAll(expr, "$job", "docket")))
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", expr, body)
	}
}

// expressions are the queries of a dashboard's panels.
func expressions(t *testing.T, dashboard []byte) (exprs []string) {
	t.Helper()
	var decoded struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(dashboard, &decoded))
	for _, p := range decoded.Panels {
		for _, target := range p.Targets {
			require.NotEmpty(t, target.Expr, fmt.Sprintf("panel %q", p.Title))
			exprs = append(exprs, target.Expr)
		}
	}
	require.NotEmpty(t, exprs)
	return exprs
}
