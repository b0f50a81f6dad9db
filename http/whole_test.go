package http_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/views"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/live"
	"github.com/docketmod/docket/subscribers/notice"
	"github.com/docketmod/docket/subscribers/webhook"
)

// wholeBundle serves every area that there is, for the tests that go through
// the route table. Nothing runs in its background but the live feed.
type wholeBundle struct {
	*bundle
	areas []http.Area
}

func newWholeBundle(t testing.TB) *wholeBundle {
	t.Helper()
	b := &wholeBundle{bundle: newBundle(t)}
	pool := b.pool
	registered, err := plugin.Register(t.Context(), plugin.Deps{Content: content.NewStore(pool)}, forum.Plugin(pool))
	require.NoError(t, err)
	reports := projections.NewReports(pool)
	service := moderation.New(b.store, reports, b.staff, registered.Targets, time.Now, "en")
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

	base := &url.URL{Scheme: "http", Host: "docket.test"}
	b.areas = []http.Area{
		http.Description{},
		http.SessionArea{Sessions: b.accounts, BaseURL: base},
		http.UserArea{Users: b.accounts, Delete: func(ctx context.Context, _, id string) error {
			_, err := b.accounts.FindByID(ctx, id)
			return err
		}},
		&http.Staff{Entries: b.staff, Catalog: registered.Permissions, Scopes: registered.Scopes, Targets: registered.Targets},
		&http.Catalog{Targets: registered.Targets, Content: registered.Content, Messages: registered.Messages, Locale: "en"},
		&http.Views{Store: views.New(pool, time.Now)},
		&http.Reports{Moderation: service, Queries: reports},
		&http.Content{Types: registered.Content},
		&http.Stats{Figures: projections.NewStats(pool), Now: time.Now},
		&http.Projections{Status: func(ctx context.Context) ([]projections.BuildStatus, error) {
			return projections.Status(ctx, pool, time.Now())
		}, Runs: newRuns(pool)},
		&http.Cron{Jobs: jobs, Secret: cronSecret},
		&http.Queue{Tasks: tasks},
		http.Integrations{},
		&http.Live{Hub: hub, Authenticator: b.accounts, Authorize: service.Authorize},
		&http.Webhooks{Store: hooks},
		&http.Poison{Events: router},
		&http.Notices{Store: notice.NewStore(pool, time.Now, nil)},
		&http.Audit{Log: func(ctx context.Context, after int64, r paging.Request) (paging.Page[eventstore.Logged], error) {
			return eventstore.LogPage(ctx, pool, after, r)
		}},
		&http.Replay{Moderation: service, Names: b.accounts.Names,
			Events: func(ctx context.Context, id string) ([]report.Event, error) { return eventstore.Load(ctx, pool, id) }},
	}
	b.server = httptest.NewServer(http.New(http.Config{BaseURL: base, Log: zerolog.Nop(), Authenticator: b.accounts}, b.areas...))
	t.Cleanup(func() {
		hub.Stop()
		b.server.Close()
		cancel()
		<-done
	})
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
				want = append(want, receiver.(*ast.Ident).Name)
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
