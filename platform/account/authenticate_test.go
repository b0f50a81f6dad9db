package account

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func (b *bundle) session(t *testing.T, userID string) Credentials {
	t.Helper()
	session := b.startSession(t, userID)
	return Credentials{SessionID: session.ID}
}

func TestCallerHasUserAndBothEntries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	credentials := b.session(t, u.ID)
	want := &permission.Caller{UserID: u.ID, Name: "Ada", Email: "ada@example.test", Use: permission.UseAdmin, Session: true}

	caller := b.caller(t, credentials)
	require.Equal(t, want, caller, "a member without entries")

	b.staff(t, "moderator", u.ID, false,
		`[{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "selected", "ids": ["general"]}}]`)
	b.staff(t, "admin", u.ID, true, `[]`)
	want.Admin = &permission.Entry{Unrestricted: true, Grants: []permission.Grant{}}
	want.Moderator = &permission.Entry{Grants: []permission.Grant{{
		Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{"general"}},
	}}}
	caller = b.caller(t, credentials)
	require.Equal(t, want, caller, "a new entry holds on the next request")

	b.exec(t, "DELETE FROM core_staff_entries WHERE user_id = $1", u.ID)
	caller = b.caller(t, credentials)
	require.Nil(t, caller.Moderator, "so does its end")
	require.Nil(t, caller.Admin)
}

func TestACookieThatOpensNothingIsAGuest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	signedOut, expired, deleted := b.session(t, u.ID), b.session(t, u.ID), b.session(t, b.user(t, "x@example.test").ID)

	require.NoError(t, b.SignOut(t.Context(), signedOut.SessionID))
	require.NoError(t, b.SignOut(t.Context(), signedOut.SessionID), "again")
	gone, err := b.FindByEmail(t.Context(), "x@example.test")
	require.NoError(t, err)
	b.delete(t, gone.ID)

	guest := func(name string, c Credentials) {
		t.Helper()
		caller, err := b.Authenticate(t.Context(), c)
		require.NoError(t, err, name)
		require.Nil(t, caller, name)
	}
	guest("no credentials", Credentials{})
	guest("signed out", signedOut)
	guest("account deleted", deleted)
	guest("unknown", Credentials{SessionID: NewSecret()})
	guest("too short", Credentials{SessionID: "x"})
	guest("too long", Credentials{SessionID: strings.Repeat("x", 1<<20)})

	b.clock.Advance(sessionLifetime - time.Microsecond)
	require.NotNil(t, b.caller(t, expired), "in its last microsecond")
	b.clock.Advance(time.Microsecond)
	guest("expired", expired)
}

func TestABearerThatOpensNothingIsUnauthorized(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	cookie := b.session(t, u.ID)
	for name, bearer := range map[string]string{
		"unknown token": tokenPrefix + NewSecret(), "prefix alone": tokenPrefix, "no token of ours": "abc",
		"a JWT without a host": "eyJhbGciOiJub25lIn0.e30.", "too long": tokenPrefix + strings.Repeat("x", 1<<20),
		"a session id": cookie.SessionID, "zero byte": tokenPrefix + strings.Repeat("\x00", secretLength),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Authenticate(t.Context(), Credentials{Bearer: bearer, SessionID: cookie.SessionID})
			requireCode(t, domain.CodeUnauthorized, err)
		})
	}
}

func TestSessionIDsAreNoTokensAndTokensNoSessionIDs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	text, _ := b.createToken(t, u.ID, NewToken{})
	require.Nil(t, b.caller(t, Credentials{SessionID: strings.TrimPrefix(text, tokenPrefix)}))
}

// The hot path reads by index at any size: no plan of it scans a table.
func TestAuthenticationReadsByIndex(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(t, `INSERT INTO core_users (id, email, name, created_at)
		SELECT gen_random_uuid(), 'u' || n || '@example.test', 'User ' || n, now() FROM generate_series(1, 5000) n`)
	b.exec(t, `INSERT INTO core_sessions SELECT sha256(id::text::bytea), id, now(), now() + interval '1 day' FROM core_users`)
	b.exec(t, `INSERT INTO core_api_tokens (id, hash, user_id, name, use, created_at)
		SELECT gen_random_uuid(), sha256(id::text::bytea), id, '', 'read', now() FROM core_users`)
	b.exec(t, `INSERT INTO core_staff_entries (id, kind, user_id, created_at, updated_at)
		SELECT gen_random_uuid(), 'moderator', id, now(), now() FROM core_users`)
	b.exec(t, `INSERT INTO core_host_tokens (id, hash, plugin_id, name, created_at)
		SELECT gen_random_uuid(), sha256(('host' || id)::bytea), 'shop', '', now() FROM core_users`)
	b.exec(t, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at)
		SELECT 'plugin:shop', id::text, id, now() FROM core_users`)
	b.exec(t, "ANALYZE core_users, core_sessions, core_api_tokens, core_host_tokens, core_user_identities, core_staff_entries")
	hashes, texts := make([][]byte, 32), make([]string, 32)
	for i := range hashes {
		texts[i] = strconv.Itoa(i)
		hashes[i] = HashSecret(texts[i])
	}
	for query, args := range map[string][]any{
		sessionCallers: {hashes, start}, tokenCallers: {hashes, start}, identityCallers: {texts, texts},
	} {
		plan := b.explain(t, query, args...)
		require.NotContains(t, plan, "Seq Scan", plan)
		require.Contains(t, plan, "core_staff_entries_user", plan)
	}
	plan := b.explain(t, "SELECT "+userColumns+" FROM core_users u WHERE lower(u.email) = lower($1)", "u7@example.test")
	require.Contains(t, plan, "core_users_email", plan)
}

func (b *bundle) explain(t *testing.T, query string, args ...any) string {
	t.Helper()
	rows, err := b.pool.Query(t.Context(), "EXPLAIN (FORMAT JSON) "+query, args...)
	require.NoError(t, err)
	plan, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[json.RawMessage])
	require.NoError(t, err)
	return string(plan)
}

// Sessions that are looked for together are each their own user's, and no caller is
// shared between two requests of one session.
func TestManyAuthenticateTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	sessions, hashes := make([]Session, 20), make([][]byte, 20)
	for i := range sessions {
		s, err := b.StartSession(ctx, b.user(t, fmt.Sprintf("u%d@example.test", i)).ID)
		require.NoError(t, err)
		sessions[i], hashes[i] = s, HashSecret(s.ID)
	}
	require.NoError(t, b.SignOut(ctx, sessions[3].ID))
	rows, err := b.findSessions(ctx, append(hashes, hashes[0], HashSecret("nobody's")))
	require.NoError(t, err)
	require.Len(t, rows, 22)
	require.Nil(t, rows[3])
	require.Nil(t, rows[21])
	require.NotSame(t, rows[0], rows[20])

	var wg sync.WaitGroup
	found := make([]*permission.Caller, 200)
	for i := range found {
		wg.Go(func() { found[i], _ = b.Authenticate(ctx, Credentials{SessionID: sessions[i%20].ID}) })
	}
	wg.Wait()
	for i, c := range found {
		if i%20 == 3 {
			require.Nil(t, c)
			continue
		}
		require.NotNil(t, c)
		require.Equal(t, sessions[i%20].User.ID, c.UserID)
	}
}

// Tokens of both kinds that are looked for together are each their own account's or plugin's.
func TestTokensOfBothKindsAuthenticateTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	u := b.user(t, "ada@example.test")
	own, _, err := b.CreateToken(ctx, u.ID, NewToken{Use: permission.UseRead})
	require.NoError(t, err)
	ofHost, host, err := b.CreateHostToken(ctx, "shop", NewToken{})
	require.NoError(t, err)

	rows, err := b.findTokens(ctx, [][]byte{HashSecret(ofHost), HashSecret("nobody's"), HashSecret(own), HashSecret(ofHost)})

	require.NoError(t, err)
	require.Equal(t, "shop", rows[0].pluginID)
	require.Equal(t, host.ID, rows[0].id)
	require.Nil(t, rows[1])
	require.Equal(t, u.ID, rows[2].caller.UserID)
	require.Equal(t, rows[0], rows[3])
	require.NotSame(t, rows[0], rows[3])
}

// Callers are found by plans that are made once for all values.
func TestCallersAreNotPlannedAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{MaxConns: 1})
	store := New(pool, Config{})
	b := &bundle{Store: store, pool: pool}
	session := b.session(t, b.user(t, "ada@example.test").ID)
	token, _, err := b.CreateHostToken(t.Context(), "shop", NewToken{})
	require.NoError(t, err)

	const times = 20
	for range times {
		for _, c := range []Credentials{session, {Bearer: token}} {
			b.caller(t, c)
		}
		_, err := b.findIdentities(t.Context(), []identityKey{{"plugin:shop", "u1"}})
		require.NoError(t, err)
	}

	require.Empty(t, pgtest.PlannedAnew(t, pool))
	require.Equal(t, 3, b.count(t, `SELECT count(*) FROM pg_prepared_statements
		WHERE statement LIKE 'SELECT asked.number%' AND generic_plans = $1`, times))
}

// A database that takes connections and answers nothing is given up on: the
// error is one that a server answers as unavailable.
func TestASilentDatabaseIsGivenUpOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	credentials := b.session(t, b.user(t, "ada@example.test").ID)
	impatient := New(b.pool, Config{Now: b.clock.Now})
	impatient.patience = 50 * time.Millisecond
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, "LOCK TABLE core_sessions IN ACCESS EXCLUSIVE MODE")

	_, err := impatient.Authenticate(t.Context(), credentials)

	require.ErrorIs(t, err, context.DeadlineExceeded)
}
