package account

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// tripCounter counts round trips: a batch is one, a query is one.
type tripCounter struct{ atomic.Int64 }

func (c *tripCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.Add(1)
	return ctx
}
func (*tripCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *tripCounter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.Add(1)
	return ctx
}
func (*tripCounter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*tripCounter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// titled is a capture whose title comes from SQL.
func titled(sql string, args ...any) *target.Query {
	return &target.Query{SQL: sql, Args: args, Read: func(row target.Row) (*snapshot.Capture, error) {
		c := &snapshot.Capture{}
		return c, row.Scan(&c.Title)
	}}
}

func (b *bundle) attemptToFile(ctx context.Context, userID string) error {
	var f Filing
	if err := b.CountAttempt(ctx, userID, &f); err != nil {
		return err
	}
	return f.Attempts.Check(b.clock.Now())
}

func TestTheCallerTheAttemptAndTheCaptureOfAFilingAreOneRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	session := b.startSession(t, b.user(t, "ada@example.test").ID)
	var trips tripCounter
	pool := pgtest.Open(t, b.pool.Config().ConnString(), postgres.Options{MaxConns: 1, Tracer: &trips})
	store := New(pool, Config{Now: b.clock.Now})
	trips.Store(0)

	// The capture sees its attempt committed, by a transaction that has ended.
	f := Filing{Capture: titled(`SELECT sum(attempts) || ' attempt by ' || max(user_id::text) FROM core_moderation_attempts
		WHERE xmin <> coalesce(pg_current_xact_id_if_assigned()::xid, '0')`)}
	caller, err := store.Authenticate(t.Context(), Credentials{SessionID: session.ID, Filing: &f})
	require.NoError(t, err)
	require.Equal(t, session.User.ID, caller.UserID)
	require.Equal(t, report.Attempts{Count: 1, Oldest: start}, f.Attempts)
	require.True(t, f.Capture.Ran)
	require.Equal(t, "1 attempt by "+session.User.ID, f.Capture.Capture.Title)
	require.EqualValues(t, 1, trips.Load())
}

func TestAFilingIsCountedWhateverBecomesOfItsCapture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	session := b.startSession(t, b.user(t, "ada@example.test").ID)
	b.exec(t, `CREATE TABLE posts AS SELECT 'A post' AS title`)
	pgtest.Exec(t, pgtest.Begin(t, b.pool), `LOCK TABLE posts`)
	for i, c := range []struct {
		name string
		sql  string
		ran  bool
	}{
		{"there is no content", `SELECT title FROM core_users, (VALUES ('')) v (title) WHERE false`, true},
		{"it fails", `SELECT title FROM nowhere`, false},
		{"it is locked", `SELECT title FROM posts`, false},
	} {
		f := Filing{Capture: titled(c.sql)}
		caller, err := b.Authenticate(t.Context(), Credentials{SessionID: session.ID, Filing: &f})
		require.NoError(t, err, c.name)
		require.NotNil(t, caller, c.name)
		require.Equal(t, i+1, f.Attempts.Count, c.name)
		require.Equal(t, c.ran, f.Capture.Ran, c.name)
		require.Nil(t, f.Capture.Capture, c.name)
	}
	require.Nil(t, b.caller(t, Credentials{SessionID: NewSecret(), Filing: &Filing{}}))
}

// Given many who try at once within a minute, on two servers and in two ways, each may as often
// as the limit says.
func TestAttemptsAreCountedExactly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := New(b.pool, Config{Now: b.clock.Now})
	var sessions []Session
	for _, email := range []string{"a@example.test", "b@example.test", "c@example.test"} {
		sessions = append(sessions, b.startSession(t, b.user(t, email).ID))
	}
	admitted := make([]atomic.Int64, len(sessions))
	var wg sync.WaitGroup
	for i, session := range sessions {
		for try := range report.AttemptsPerHour + 30 {
			wg.Go(func() {
				var f Filing
				var err error
				if try%2 == 0 {
					_, err = b.Authenticate(t.Context(), Credentials{SessionID: session.ID, Filing: &f})
				} else {
					err = other.CountAttempt(t.Context(), session.User.ID, &f)
				}
				if err != nil {
					t.Errorf("attempt %d: %v", try, err)
					return
				}
				var limited *domain.Error
				if err := f.Attempts.Check(start); err == nil {
					admitted[i].Add(1)
				} else if !errors.As(err, &limited) || limited.Code != domain.CodeRateLimited || limited.RetryAfter < time.Hour {
					t.Errorf("attempt %d: %v", try, err)
				}
			})
		}
	}
	wg.Wait()
	for i, session := range sessions {
		require.EqualValues(t, report.AttemptsPerHour, admitted[i].Load())
		requireCode(t, domain.CodeRateLimited, b.attemptToFile(t.Context(), session.User.ID))
	}
	b.clock.Advance(time.Hour + 2*time.Minute)
	require.NoError(t, b.attemptToFile(t.Context(), sessions[0].User.ID), "the hour has slid on")
}

// Given a database that does not answer, an attempt ends with its request.
func TestAnAttemptEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `LOCK TABLE core_moderation_attempts`)
	user := uuid.NewString()
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client has gone")
	time.AfterFunc(10*time.Millisecond, func() { cancel(gone) })

	require.ErrorIs(t, b.attemptToFile(ctx, user), gone)

	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, b.attemptToFile(t.Context(), user))
}

// Given a reporter whose attempts another connection holds locked, those of others count.
func TestALockedAttemptHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	locked, other := uuid.NewString(), uuid.NewString()
	require.NoError(t, b.attemptToFile(t.Context(), locked))
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `SELECT FROM core_moderation_attempts FOR UPDATE`)
	var waiting sync.WaitGroup
	waiting.Go(func() { _ = b.attemptToFile(context.Background(), locked) })
	pgtest.AwaitLock(t, b.pool)

	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	require.NoError(t, b.attemptToFile(ctx, other))

	require.NoError(t, tx.Rollback(t.Context()))
	waiting.Wait()
	require.NoError(t, b.attemptToFile(t.Context(), locked))
}

// An author is an account of AUTH_ISSUER or of the content's own platform, never of another provider.
func TestASuspensionIsOfTheAccountThatTheAuthorIs(t *testing.T) {
	t.Parallel()
	b, _ := setupHost(t)
	ada := b.user(t, "ada@example.test").ID
	b.exec(t, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) SELECT i, s, $1, now()
		FROM (VALUES ('`+hostIssuer+`', 'host'), ('https://sign-in.test', 'provider'), ('plugin:shop', 'shop')) v (i, s)`, ada)
	for author, want := range map[string][]string{ada: {"forum", "shop"}, "host": {"forum", "shop"}, "provider": nil, "shop": {"shop"}} {
		b.exec(t, `TRUNCATE core_moderation_measures`)
		b.exec(t, `INSERT INTO core_moderation_measures (id, report_id, plugin_id, author, kind, because, threshold, imposed_at, ended_by)
			SELECT gen_random_uuid(), gen_random_uuid(), p, $1, 'suspend', 'moderator', 0, now(), '' FROM unnest(ARRAY['forum', 'shop']) p`, author)
		var f Filing
		require.NoError(t, b.CountAttempt(t.Context(), ada, &f))
		require.Equal(t, want, f.Attempts.Suspended, author)
	}
}

func TestAttemptsAreNotPlannedAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{MaxConns: 1})
	store := New(pool, Config{})
	for range 10 {
		require.NoError(t, store.CountAttempt(t.Context(), uuid.NewString(), &Filing{}))
	}
	require.Empty(t, pgtest.PlannedAnew(t, pool))
	generic := pgtest.One[int](t, pool, `SELECT min(generic_plans) FROM pg_prepared_statements
		WHERE statement LIKE '%INTO core_moderation_attempts%' AND statement NOT LIKE '%pg_prepared%'`)
	require.Equal(t, 10, generic)
}
