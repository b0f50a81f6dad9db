package cmd

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// docs/metrics.md lists the metrics that a server registers, and the alerts on them.
func TestMetricsPageListsTheMetrics(t *testing.T) {
	t.Parallel()
	s, err := NewServer(t.Context(), map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}, t.Output())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.Handler() // registers those of requests
	described := make(chan *prometheus.Desc)
	go func() { s.metrics.Describe(described); close(described) }()
	parts := regexp.MustCompile(`^Desc\{fqName: "(docket_\w+)", help: "(.*?)"(?:, unit: "")?, constLabels: \{\}, variableLabels: \{(.*)\}\}$`)
	rows := map[string]string{}
	for desc := range described {
		if found := parts.FindStringSubmatch(desc.String()); found != nil {
			rows[found[1]] = fmt.Sprintf("| `%s` | %s | %s |\n", found[1], strings.ReplaceAll(found[3], ",", ", "), found[2])
		}
	}
	require.Greater(t, len(rows), 10)
	text := "| metric | labels | |\n|---|---|---|\n"
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		text += rows[name]
	}
	requireOnPage(t, "docs/metrics.md", "metrics", text)

	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr, For string
				Labels           struct{ Severity string }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(page(t, "scripts/deploy/prometheus/rules.yaml")), &rules))
	text = "| alert | when | for | |\n|---|---|---|---|\n"
	for _, r := range rules.Groups[0].Rules {
		if r.Alert != "" {
			text += fmt.Sprintf("| [%s](../scripts/deploy/OPERATING.md#%s) | `%s` | %s | %s |\n", r.Alert, strings.ToLower(r.Alert), r.Expr, r.For, r.Labels.Severity)
		}
	}
	requireOnPage(t, "docs/metrics.md", "alerts", text)
}
