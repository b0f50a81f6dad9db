// Package logtest makes logs for tests, by commands on the test's own database or as a long generated history. Other
// modules must not import it.
package logtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/scripts/fill/history"
)

// Database is a test's own database with a log and a clock that the test moves.
type Database struct {
	Pool  *pgxpool.Pool
	Store *eventstore.Store
	Users []string  // accounts
	Key   proof.Key // of Store

	mu  sync.Mutex
	now time.Time
}

// New makes a database with four accounts. Its clock shows noon of 2026-03-01.
func New(t testing.TB) *Database {
	t.Helper()
	d := &Database{Pool: pgtest.New(t), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.Key = NewKey(t)
	d.newStore()
	for i := range 4 {
		d.Users = append(d.Users, uuid.Must(uuid.NewV7()).String())
		_, err := d.Pool.Exec(context.Background(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, d.Users[i], fmt.Sprint("User ", i))
		require.NoError(t, err)
	}
	return d
}

// RenewKey makes Store sign with a new Key.
func (d *Database) RenewKey(t testing.TB) {
	d.Key = NewKey(t)
	d.newStore()
}

func (d *Database) newStore() {
	d.Store = eventstore.New(d.Pool, projections.Inline{}, nil, d.Key, d.Clock, func() {})
}

// NewKey makes a key.
func NewKey(t testing.TB) proof.Key {
	t.Helper()
	private, _, err := note.GenerateKey(rand.Reader, "test")
	require.NoError(t, err)
	key, err := proof.NewKey(private)
	require.NoError(t, err)
	return key
}

// Seal gives every event its position.
func (d *Database) Seal(t testing.TB) {
	t.Helper()
	require.NoError(t, eventstore.NewSealer(d.Pool, zerolog.Nop(), func(int64) {}).SealAll(context.Background()))
}

// VerifyStream requires that the chain of a report is whole.
func VerifyStream(t require.TestingT, pool *pgxpool.Pool, reportID string) {
	records, err := eventstore.LoadRecords(context.Background(), pool, reportID)
	require.NoError(t, err)
	require.NoError(t, proof.VerifyRecords(reportID, records))
}

// Audit returns what an audit finds wrong in a database whose log and ledger the key signed.
func Audit(t testing.TB, pool *pgxpool.Pool, key proof.Key, tables ...*ledger.Table) (problems []string) {
	t.Helper()
	a := &proof.Auditor{Pool: pool, Sealer: eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {}), Keys: []string{key.Public},
		Tables: tables, Workers: 1, Found: func(f proof.Finding) { problems = append(problems, f.String()) }}
	_, err := a.Verify(t.Context())
	require.NoError(t, err)
	return problems
}

// NewLong makes a database with a generated log of the given number of reports, ten events for
// every three reports, without projections. It returns the number of events.
func NewLong(t testing.TB, reports int) (d *Database, events int64) {
	t.Helper()
	d = New(t)
	ctx := context.Background()
	reporters, err := history.Accounts(ctx, d.Pool, "Reporter", 300, d.Clock())
	require.NoError(t, err)
	d.Users = append(d.Users, reporters...)
	events, err = history.Log(ctx, d.Pool, history.History{Reports: reports, Reporters: d.Users[4:], Moderators: d.Users[:4], Start: d.Clock(),
		Signer: d.Key,
		Target: func(i int) report.Target {
			return report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint(i / 3), PermissionModule: "posts"}
		}})
	require.NoError(t, err)
	return d, events
}

// Clock returns the time of the store.
func (d *Database) Clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// Wait moves the clock.
func (d *Database) Wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// File files a report by one of Users, with changes to it, and returns its id.
func (d *Database) File(t require.TestingT, reporter int, target string, changes ...func(*moderation.Filing)) string {
	f := moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Abusive, ReporterID: d.Users[reporter],
		Words: report.CreatedWords{Description: new("why " + target), ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[]}`)},
	}}
	for _, change := range changes {
		change(&f)
	}
	s, err := d.Store.File(context.Background(), f)
	require.NoError(t, err)
	return s.ID
}

// By names the authors of what is reported.
func By(authors ...string) func(*moderation.Filing) {
	named := make([]string, len(authors))
	for i, a := range authors {
		named[i] = fmt.Sprintf(`{"id":%q,"name":"A"}`, a)
	}
	return func(f *moderation.Filing) {
		f.Created.Words.Snapshot = []byte(`{"version":1,"title":"A title","fields":[],"authors":[` + strings.Join(named, ",") + `]}`)
	}
}

// In puts what is reported in a category.
func In(category string) func(*moderation.Filing) {
	return func(f *moderation.Filing) { f.Created.Scope = &scope.Resource{Family: "forum.category", ID: category} }
}

// Muted mutes the reporter.
func Muted(f *moderation.Filing) { f.Created.Muted = true }

// Follow brings projections up to the log.
func (d *Database) Follow(t testing.TB, all ...projector.Projection) {
	t.Helper()
	d.Seal(t)
	d.CatchUp(t, all...)
}

// CatchUp is Follow without the events that have no position yet.
func (d *Database) CatchUp(t testing.TB, all ...projector.Projection) {
	t.Helper()
	require.NoError(t, projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), all...).CatchUp(t.Context()))
}

// Rebuild derives a projection again.
func (d *Database) Rebuild(t testing.TB, p projector.Projection) {
	t.Helper()
	_, err := p.Rebuild(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
}

// Wrong returns what a verification of a projection finds.
func (d *Database) Wrong(t testing.TB, p projector.Projection) (found []string) {
	t.Helper()
	r, err := p.Verify(t.Context(), d.Pool, projector.Options{Found: func(difference string) { found = append(found, difference) }})
	require.NoError(t, err)
	require.EqualValues(t, len(found), r.Wrong)
	return found
}

// Do appends the facts that decide returns.
func (d *Database) Do(t require.TestingT, id string, user int, decide func(report.State) ([]report.Fact, error)) {
	_, err := d.Store.Update(context.Background(), moderation.Ref{ReportID: id}, &d.Users[user],
		func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
			facts, err := decide(l.State)
			return moderation.Change{Facts: facts}, err
		})
	require.NoError(t, err)
}

// Claim takes a report.
func (d *Database) Claim(t require.TestingT, id string, user int) {
	d.Do(t, id, user, func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, d.Users[user], s.Version) })
}

// Note adds a note.
func (d *Database) Note(t require.TestingT, id string, user int, noteID string) {
	d.Do(t, id, user, func(report.State) ([]report.Fact, error) {
		return report.DecideAddNote(noteID, report.NoteBody{Kind: report.TextNote, JSON: []byte(`"a note"`)}), nil
	})
}

// Resolve decides a report, with an explanation.
func (d *Database) Resolve(t require.TestingT, id string, user int, resolution report.Resolution) {
	d.Do(t, id, user, func(s report.State) ([]report.Fact, error) {
		return report.DecideResolve(s, d.Users[user], report.Resolve{Resolution: resolution, Explanation: new("because")}, s.Version)
	})
}

// ResolveBy decides a report by a policy.
func (d *Database) ResolveBy(t require.TestingT, id string, user int, resolution report.Resolution, key string) {
	d.Do(t, id, user, func(s report.State) ([]report.Fact, error) {
		return report.DecideResolve(s, d.Users[user], report.Resolve{Resolution: resolution, Policy: &policy.Ref{Key: key, Version: 1}}, s.Version)
	})
}

// Reopen opens a decided report again.
func (d *Database) Reopen(t require.TestingT, id string, user int) {
	d.Do(t, id, user, func(s report.State) ([]report.Fact, error) {
		return report.DecideReopen(s, d.Users[user], "wrong", s.Version)
	})
}

// Worked files a report and runs every kind of command on it.
func (d *Database) Worked(t require.TestingT, reporter int, target string) string {
	d.Wait(3 * time.Second) // an account may write 30 notes a minute
	id := d.File(t, reporter, target)
	d.Claim(t, id, 1)
	d.Note(t, id, 1, uuid.NewString())
	d.Resolve(t, id, 1, report.Duplicate)
	d.Reopen(t, id, 2)
	d.Note(t, id, 2, uuid.NewString())
	d.ResolveBy(t, id, 2, report.ActionTaken, "spam")
	return id
}

// SQL runs a statement, bypassing the store as a database administrator could.
func (d *Database) SQL(t testing.TB, sql string, args ...any) {
	t.Helper()
	_, err := d.Pool.Exec(context.Background(), sql, args...)
	require.NoError(t, err)
}

// Move stores a post's category, as the trigger on its table does.
func Move(ctx context.Context, db postgres.Execer, post, category string) error {
	return postgres.Exec(ctx, db, "move a post", `INSERT INTO core_moderation_targets AS t (plugin_id, target_type, target_id, scope_family, scope_id, updated_at)
		VALUES ('forum', 'forum.post', $1, 'forum.category', $2, clock_timestamp())
		ON CONFLICT (plugin_id, target_type, target_id) DO UPDATE SET scope_id = excluded.scope_id, updated_at = excluded.updated_at
		WHERE t.scope_id IS DISTINCT FROM excluded.scope_id`, post, category)
}

// Dump returns everything that is projected inline, as text.
func (d *Database) Dump(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, table := range []string{"core_moderation_reports", "core_moderation_report_notes"} {
		lines, err := postgres.Collect(context.Background(), d.Pool, "dump "+table, pgx.RowTo[string], `SELECT t::text FROM `+table+` t ORDER BY id`)
		require.NoError(t, err)
		all = append(all, lines...)
	}
	return all
}
