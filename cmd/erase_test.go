package cmd

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// logged is a database with one report that waits for a moderator.
type logged struct {
	environment      map[string]string
	pool             *pgxpool.Pool
	store            *eventstore.Store
	report, reporter string
}

func newLogged(t *testing.T) *logged {
	t.Helper()
	l := &logged{environment: map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}, reporter: uuid.NewString()}
	pool := pgtest.Open(t, l.environment["DATABASE_URL"], postgres.Options{})
	pgtest.Exec(t, pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Ada', now())`, l.reporter)
	l.pool = pool
	l.store = eventstore.New(pool, projections.Inline{}, nil, nil, time.Now, func() {})
	l.file(t)
	return l
}

// file files the report and seals it.
func (l *logged) file(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	description := "what Ada saw"
	s, err := l.store.File(ctx, moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: "1", PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: l.reporter,
		Words: report.CreatedWords{Description: &description, ReporterName: "Ada", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title"}`)},
	}})
	require.NoError(t, err)
	l.report = s.ID
	_, err = eventstore.NewSealer(l.pool, zerolog.Nop(), func(int64) {}).Seal(ctx)
	require.NoError(t, err)
}

func TestErase(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	require.Contains(t, docket(t, l.environment, "replay", l.report).stdout, "what Ada saw")

	none := docket(t, l.environment, "erase", "--older-than", "1h")
	require.Equal(t, 0, none.status, none.stderr)
	require.Equal(t, "erased the words of 0 events in 0 reports\n", none.stdout)
	mine := docket(t, l.environment, "erase", "--user", l.reporter)
	require.Equal(t, 0, mine.status, mine.stderr)
	require.Equal(t, "erased the words of 1 event in 1 report\n", mine.stdout)

	replayed := docket(t, l.environment, "replay", l.report)
	require.NotContains(t, replayed.stdout, "what Ada saw")
	require.Contains(t, replayed.stdout, `"erased": true`)
	again := docket(t, l.environment, "erase", "--report", l.report)
	require.Equal(t, "erased the words of 0 events in 0 reports\n", again.stdout, again.stderr)
}

// Given a machine whose clock is months ahead, when old reports are erased, then only those are that are old by the
// database's clock.
func TestWhatIsOldIsSaidByTheDatabasesClock(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.Worked(t, 0, "1")
	clock := pgtest.SetClock(t, d.Pool, d.Clock())
	erase := func() string {
		done := docket(t, map[string]string{"DATABASE_URL": d.Pool.Config().ConnString()}, "erase", "--older-than", "1h")
		require.Equal(t, 0, done.status, done.stderr)
		return done.stdout
	}
	require.Equal(t, "erased the words of 0 events in 0 reports\n", erase())
	clock.Advance(2 * time.Hour)
	require.Contains(t, erase(), "in 1 report\n")
}

func TestIDsInCapitals(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	environment := with(l.environment, "DOCKET_AUDIT_DIR", t.TempDir())

	proved := docket(t, environment, "audit", "prove", strings.ToUpper(l.report))
	require.Equal(t, 0, proved.status, proved.stderr)
	bundle := filepath.Join(t.TempDir(), "bundle.json")
	require.NoError(t, os.WriteFile(bundle, []byte(proved.stdout), 0o600))
	verified := docket(t, environment, "audit", "verify", "--bundle", bundle)
	require.Equal(t, 0, verified.status, verified.stderr)

	replayed := docket(t, environment, "replay", strings.ToUpper(l.report))
	require.Contains(t, replayed.stdout, "what Ada saw", replayed.stderr)
	erased := docket(t, environment, "erase", "--user", strings.ToUpper(l.reporter))
	require.Equal(t, "erased the words of 1 event in 1 report\n", erased.stdout, erased.stderr)
}

func TestEraseFaults(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"nothing to erase":     {},
		"two things at once":   {"--report", uuid.NewString(), "--user", uuid.NewString()},
		"no id":                {"--user", "ada@example.test"},
		"an empty report":      {"--report", ""},
		"an empty user":        {"--user", ""},
		"negative duration":    {"--older-than=-1h"},
		"authored without who": {"--report", uuid.NewString(), "--authored"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := docket(t, nil, append([]string{"erase"}, args...)...)
			require.Equal(t, 2, got.status, got.stderr)
		})
	}
}

// deciding makes a command of a decision.
func deciding(decide func(report.State) ([]report.Fact, error)) moderation.Decide {
	return func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
		facts, err := decide(l.State)
		return moderation.Change{Facts: facts}, err
	}
}
