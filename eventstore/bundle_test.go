package eventstore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// bundle is a store over a database of the test's own.
type bundle struct {
	pool    *pgxpool.Pool
	store   *eventstore.Store
	reports *projections.Reports
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	return bundleOn(pgtest.New(t))
}

func bundleOn(pool *pgxpool.Pool) *bundle {
	return &bundle{pool: pool, store: eventstore.New(pool, projections.Inline{}, nil, nil, time.Now, func() {}), reports: projections.NewReports(pool)}
}

// users makes accounts.
func (b *bundle) users(t require.TestingT, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7()).String()
		pgtest.Exec(t, b.pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, ids[i], fmt.Sprintf("User %d", i))
	}
	return ids
}

func filing(reporter, target string) moderation.Filing {
	return moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: reporter,
		Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[],"authors":[{"id":"author-1"},{"id":"author-2"}]}`)},
	}}
}

func (b *bundle) file(t require.TestingT, reporter, target string) report.State {
	s, err := b.store.File(context.Background(), filing(reporter, target))
	require.NoError(t, err)
	return s
}

// decide makes a use case of a decision that needs the state alone.
func decide(d func(report.State) ([]report.Fact, error)) moderation.Decide {
	return func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
		facts, err := d(l.State)
		return moderation.Change{Facts: facts}, err
	}
}

func claim(by string, version int) moderation.Decide {
	return decide(func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, by, version) })
}

func resolve(version int) moderation.Decide {
	return decide(func(s report.State) ([]report.Fact, error) {
		return report.DecideResolve(s, "", report.Resolve{Resolution: report.NoViolation}, version)
	})
}
