package cmd

import (
	"fmt"
	nethttp "net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// fileSteadily reports reviews of the shop on a server, a hundred a second at most, until stop is
// called. It returns what was answered but 201.
func fileSteadily(p *process, token string, filed *atomic.Int64) (stop func() []string) {
	client := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(token)}
	done, failed := make(chan struct{}), make(chan []string)
	go func() {
		var all []string
		for {
			select {
			case <-done:
				failed <- all
				return
			case <-time.After(10 * time.Millisecond):
			}
			n := fmt.Sprint(filed.Add(1))
			status, answer, err := p.send(client, nethttp.MethodPost, "/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": n,
				"reason": "spam", "reporter": map[string]string{"subject": "u" + n, "name": "Uma"}, "capture": map[string]any{"fields": map[string]string{"title": "Great"}}})
			if err != nil || status != nethttp.StatusCreated {
				all = append(all, fmt.Sprint(status, answer, err))
			}
		}
	}()
	return func() []string { close(done); return <-failed }
}

// keptManifest is the manifest of a platform that nobody asks.
func keptManifest(id string, types ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\nremote: {url: \"http://127.0.0.1:1/docket\"}\n", id)
	for i, name := range types {
		if i == 0 {
			b.WriteString("remoteTypes:\n")
		}
		fmt.Fprintf(&b, "  - {id: %s.%s, label: x, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n", id, name)
	}
	return b.String()
}

// A platform is connected, changed, broken, repaired and removed while two servers file reports
// on another. No report fails, and both servers agree within five seconds of each change.
func TestAPlatformChangesWhileAnotherIsReportedOn(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true", "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit"), "DOCKET_DATA_DIR": t.TempDir()}
	servers := []*process{startProcess(t, environment, "demo"), startProcess(t, environment, "demo")}
	admins := []*nethttp.Client{servers[0].signIn("admin@demo.test"), servers[1].signIn("admin@demo.test")}
	state := func(server int, id string) string {
		_, answer, err := servers[server].send(admins[server], nethttp.MethodGet, "/admin/platforms/"+id, nil)
		require.NoError(t, err)
		return fmt.Sprint(answer["version"], answer["state"], answer["types"])
	}
	var slowest time.Duration
	agree := func(id, want string) {
		t.Helper()
		begun := time.Now()
		pgtest.Eventually(t, func() bool { return state(0, id) == want && state(1, id) == want }, "both servers serve "+id+" as "+want)
		slowest = max(slowest, time.Since(begun))
	}
	put := func(server int, id, manifest string) int {
		status, _, err := servers[server].send(admins[server], nethttp.MethodPut, "/admin/platforms/"+id, map[string]string{"manifest": manifest})
		require.NoError(t, err)
		return status
	}
	require.Equal(t, nethttp.StatusCreated, put(0, "shop", keptManifest("shop", "review")))
	agree("shop", "1serving[shop.review]")

	var filed atomic.Int64
	var stops []func() []string
	for _, p := range servers {
		made := docket(t, environment, "token", "create", "--use", "host", "--plugin", "shop")
		require.Zero(t, made.status, made.stderr)
		stops = append(stops, fileSteadily(p, strings.TrimSpace(made.stdout), &filed))
	}
	more := func() {
		t.Helper()
		before := filed.Load()
		pgtest.Eventually(t, func() bool { return filed.Load() >= before+20 }, "reports are filed meanwhile")
	}
	off := func(server int) int {
		status, _, err := servers[server].send(admins[server], nethttp.MethodPost, "/admin/platforms/mall/off", nil)
		require.NoError(t, err)
		return status
	}
	for _, c := range []struct {
		what   string
		status int
		want   string
		do     func() int
	}{
		{"connected", nethttp.StatusCreated, "1serving[mall.review]", func() int { return put(0, "mall", keptManifest("mall", "review")) }},
		{"changed", nethttp.StatusOK, "2serving[mall.photo mall.review]", func() int { return put(1, "mall", keptManifest("mall", "review", "photo")) }},
		{"broken", nethttp.StatusBadRequest, "2serving[mall.photo mall.review]", func() int { return put(0, "mall", keptManifest("mall", "review")+"remoteTypes: broken\n") }},
		{"without its types", nethttp.StatusOK, "3serving[]", func() int { return put(1, "mall", keptManifest("mall")) }},
		{"repaired", nethttp.StatusOK, "4serving[mall.photo]", func() int { return put(0, "mall", keptManifest("mall", "photo")) }},
		{"removed", nethttp.StatusOK, "5off[mall.photo]", func() int { return off(1) }},
	} {
		require.Equal(t, c.status, c.do(), c.what)
		agree("mall", c.want)
		more()
	}
	require.Empty(t, slices.Concat(stops[0](), stops[1]()))
	require.Less(t, slowest, 5*time.Second)
	require.Equal(t, filed.Load(), one[int64](t, connectTo(t, environment["DATABASE_URL"]), `SELECT count(*) FROM core_moderation_reports WHERE plugin_id = 'shop'`))
	verified := docket(t, environment, "audit", "verify")
	require.Zero(t, verified.status, verified.stdout+verified.stderr)
}
