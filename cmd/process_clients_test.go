package cmd

import (
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// newCluster starts a private PostgreSQL that outlives the servers of a test, in a folder of its own.
func newCluster(t *testing.T) (dir, url string) {
	t.Helper()
	dir = reachableDir(t)
	cluster, err := local.Start(t.Context(), dir, zerolog.Nop())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	return dir, cluster.URL()
}

// one gives the single value of a query.
func one[T any](t testing.TB, pool *pgxpool.Pool, sql string, args ...any) (v T) {
	t.Helper()
	return pgtest.One[T](t, pool, sql, args...)
}

// deliveries counts what a webhook was sent, by event.
type deliveries struct {
	*httptest.Server
	mu    sync.Mutex
	count map[string]int
}

func newDeliveries(t *testing.T) *deliveries {
	t.Helper()
	d := &deliveries{count: map[string]int{}}
	d.Server = httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.count[r.Header.Get("webhook-id")]++
	}))
	t.Cleanup(d.Server.Close)
	return d
}

func (d *deliveries) events() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.count)
}

func (d *deliveries) times(event string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count[event]
}

// must sends a request that succeeds and gives the answer.
func (p *process) must(client *nethttp.Client, method, path string, body any) map[string]any {
	p.t.Helper()
	status, answer, err := p.send(client, method, path, body)
	require.NoError(p.t, err)
	require.Less(p.t, status, 300, "%s %s: %v", method, path, answer)
	return answer
}

func (p *process) file(client *nethttp.Client, post string) (id string) {
	p.t.Helper()
	return p.must(client, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": "spam"})["id"].(string)
}

func (p *process) claim(client *nethttp.Client, report string) {
	p.t.Helper()
	p.must(client, nethttp.MethodPost, "/moderation/reports/"+report+"/claim", map[string]int{"expectedVersion": 1})
}

// projected reports whether every projection is live and has projected all of n events.
func (p *process) projected(admin *nethttp.Client, n int) bool {
	p.t.Helper()
	items := p.must(admin, nethttp.MethodGet, "/admin/advanced/projections", nil)["items"].([]any)
	live := 0
	for _, i := range items {
		if item := i.(map[string]any); item["state"] == "live" && item["position"] == float64(n) {
			live++
		}
	}
	return live == len(items) && live > 0
}
