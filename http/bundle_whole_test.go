package http_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/upkeep"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/live"
	"github.com/docketmod/docket/subscribers/notice"
	"github.com/docketmod/docket/subscribers/webhook"
)

// newWholeBundle serves every area that there is, for the tests that go through
// the route table. Nothing runs in its background but the live feed.
func newWholeBundle(t testing.TB) *bundle {
	t.Helper()
	b := newBundle(t)
	pool := b.pool
	tasks, err := queue.New(pool, queue.Config{Log: zerolog.Nop()})
	require.NoError(t, err)
	jobs, err := cron.New(pool, cron.Config{Log: zerolog.Nop()})
	require.NoError(t, err)
	t.Cleanup(jobs.Close)
	hooks := webhook.NewStore(pool, webhook.Config{Log: zerolog.Nop(), Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	router, err := subscribers.NewRouter(pool, subscribers.Config{Log: zerolog.Nop()}, hooks.Listener())
	require.NoError(t, err)
	hub, err := live.NewHub(pool, live.Config{Log: zerolog.Nop()})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { hub.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })

	b.serve(
		accountArea(b.accounts),
		resetArea(b.accounts, b.staff),
		http.OIDCArea{},
		userArea(b.accounts, b.staff, b.service),
		&http.Cron{Jobs: jobs, Secret: cronSecret},
		&http.Queue{Tasks: tasks},
		http.Integrations{},
		&http.Live{Hub: hub, Authenticator: b.accounts, Authorize: b.service.Authorize},
		&http.Webhooks{Store: hooks, Targets: b.registered.Targets, Scopes: b.registered.Scopes},
		&http.Poison{Events: router},
		&http.Notices{Store: notice.NewStore(pool, time.Now, nil)},
		&http.Authors{Queries: projections.NewReports(pool)},
		&http.Appeals{Moderation: b.service, Queries: projections.NewReports(pool)},
		&http.Decisions{Moderation: b.service, Queries: projections.NewReports(pool)},
		&http.System{Now: time.Now, Examine: func(context.Context) []doctor.Finding { return nil },
			Last: func(context.Context) (map[upkeep.Name]upkeep.Done, error) { return nil, nil }},
		&http.Policies{Store: policy.New(pool, time.Now)},
	)
	t.Cleanup(hub.Stop) // before the server is closed, which waits for the feeds
	return b
}

// TestTheWholeBundleIsWhole finds the areas in the source of the package, so
// that the tests of every route go through a new one too.
func TestTheWholeBundleIsWhole(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var want []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "routes" {
				receiver := f.Recv.List[0].Type
				if pointer, ok := receiver.(*ast.StarExpr); ok {
					receiver = pointer.X
				}
				if name := receiver.(*ast.Ident).Name; name != "PluginRoutes" { // not described: they are a plugin's
					want = append(want, name)
				}
			}
		}
	}
	var got []string
	for _, a := range newWholeBundle(t).areas {
		got = append(got, reflect.Indirect(reflect.ValueOf(a)).Type().Name())
	}
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(t, want, got)
}
