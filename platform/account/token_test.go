package account

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestTokenOpensItsAccountForItsUse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	for given, want := range map[permission.Use]permission.Use{
		"": permission.UseModerate, permission.UseRead: permission.UseRead,
		permission.UseModerate: permission.UseModerate, permission.UseAdmin: permission.UseAdmin,
	} {
		text, token := b.createToken(t, u.ID, NewToken{Use: given, Name: " CI "})
		require.Equal(t, "CI", token.Name)
		require.Regexp(t, `^dkt_[A-Za-z0-9_-]{43}$`, text)
		caller := b.caller(t, Credentials{Bearer: text})
		require.Equal(t, u.ID, caller.UserID)
		require.Equal(t, want, caller.Use)
	}
}

func TestTokenIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	_, _, err := b.CreateToken(t.Context(), u.ID, NewToken{Name: "a\nb", Use: "write", ExpiresAt: new(time.Time)})
	requireCode(t, domain.CodeValidationFailed, err)
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Issues, 3, "every fault at once")
	_, _, err = b.CreateToken(t.Context(), u.ID, NewToken{Name: strings.Repeat("ü", 101)})
	requireCode(t, domain.CodeValidationFailed, err)
	_, _, err = b.CreateToken(t.Context(), uuid.NewString(), NewToken{})
	requireCode(t, domain.CodeNotFound, err)
	_, _, err = b.CreateToken(t.Context(), "nobody", NewToken{})
	requireCode(t, domain.CodeNotFound, err)
}

func TestATokenExpiresNoLaterThanTheOneThatMadeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	end := start.Add(time.Hour)
	text, _ := b.createToken(t, u.ID, NewToken{Use: permission.UseAdmin, ExpiresAt: &end})
	caller := b.caller(t, Credentials{Bearer: text})
	for _, asked := range []*time.Time{nil, new(end.Add(time.Hour))} {
		_, made, err := b.CreateOwnToken(t.Context(), caller, "", NewToken{ExpiresAt: asked})
		require.NoError(t, err)
		require.Equal(t, end, time.Time(*made.ExpiresAt).UTC())
	}
}

func TestATokenEndsWithTheOneThatMadeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	made := []string{}
	text, first := b.createToken(t, u.ID, NewToken{Use: permission.UseAdmin})
	for range 2 { // a token, and one that it makes
		caller := b.caller(t, Credentials{Bearer: text})
		text, _, err := b.CreateOwnToken(t.Context(), caller, "", NewToken{Use: permission.UseAdmin})
		require.NoError(t, err)
		made = append(made, text)
	}
	other, _ := b.createToken(t, u.ID, NewToken{})

	require.NoError(t, b.RevokeOwnToken(t.Context(), u.ID, first.ID))
	for _, text := range made {
		requireCode(t, domain.CodeUnauthorized, b.opens(t, text))
	}
	require.NoError(t, b.opens(t, other))
}

// Given requests that were let in with a token or a session before it was ended, then they make no token after that.
func TestWhatHasEndedMakesNoToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	text, token := b.createToken(t, u.ID, NewToken{Use: permission.UseAdmin})
	session := b.startSession(t, u.ID).ID
	byToken, bySession := b.caller(t, Credentials{Bearer: text}), b.caller(t, Credentials{SessionID: session})
	require.NoError(t, b.RevokeOwnToken(t.Context(), u.ID, token.ID))
	require.NoError(t, b.SignOut(t.Context(), session))

	_, _, err := b.CreateOwnToken(t.Context(), byToken, "", NewToken{})
	requireCode(t, domain.CodeUnauthorized, err)
	_, _, err = b.CreateOwnToken(t.Context(), bySession, session, NewToken{})
	requireCode(t, domain.CodeUnauthorized, err)
}

// Given a token that makes another while it is revoked, then both end.
func TestARevocationWaitsForTokensThatAreBeingMade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	for name, revoke := range map[string]func(id string) error{
		"the token":       func(id string) error { return b.RevokeOwnToken(t.Context(), u.ID, id) },
		"by an operator":  func(id string) error { return b.RevokeToken(t.Context(), id) },
		"all tokens":      func(string) error { return b.RevokeTokens(t.Context(), u.ID) },
		"with a password": func(string) error { return b.SetPassword(t.Context(), u.ID, "another password", false) },
	} {
		text, token := b.createToken(t, u.ID, NewToken{Use: permission.UseAdmin})
		caller := b.caller(t, Credentials{Bearer: text})
		var made string
		revoked := make(chan error)
		require.NoError(t, b.making(t.Context(), caller, "", func(tx pgx.Tx) (err error) {
			go func() { revoked <- revoke(token.ID) }()
			pgtest.AwaitLock(t, b.pool)
			made, _, err = b.Store.createToken(t.Context(), tx, u.ID, NewToken{}, &token.ID)
			return err
		}))
		require.NoError(t, <-revoked, name)
		requireCode(t, domain.CodeUnauthorized, b.opens(t, made))
	}
}

func TestTokenEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	soon := b.Now().Add(time.Hour)
	expiring, _ := b.createToken(t, u.ID, NewToken{ExpiresAt: &soon})
	revoked, token := b.createToken(t, u.ID, NewToken{})
	orphaned, _ := b.createToken(t, b.user(t, "x@example.test").ID, NewToken{})

	require.NoError(t, b.RevokeToken(t.Context(), token.ID))
	requireCode(t, domain.CodeUnauthorized, b.opens(t, revoked))

	b.clock.Advance(time.Hour - time.Microsecond)
	require.NoError(t, b.opens(t, expiring))
	b.clock.Advance(time.Microsecond)
	requireCode(t, domain.CodeUnauthorized, b.opens(t, expiring))

	require.NoError(t, b.RevokeToken(t.Context(), token.ID), "again")
	requireCode(t, domain.CodeNotFound, b.RevokeToken(t.Context(), uuid.NewString()))
	requireCode(t, domain.CodeNotFound, b.RevokeToken(t.Context(), "nonsense"))

	x, err := b.FindByEmail(t.Context(), "x@example.test")
	require.NoError(t, err)
	b.delete(t, x.ID)
	requireCode(t, domain.CodeUnauthorized, b.opens(t, orphaned))

	tokens, err := b.ListTokens(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, tokens, 2, "those that have ended are listed too")
	require.Equal(t, start.Add(time.Hour), time.Time(*tokens[0].ExpiresAt).UTC())
	require.Equal(t, start, time.Time(*tokens[1].RevokedAt).UTC(), "the first revocation stands")
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	text, token := b.createToken(t, u.ID, NewToken{})
	// Each write of the row makes a version of it, which ctid tells apart.
	use := func() (last time.Time, version string) {
		t.Helper()
		require.NoError(t, b.opens(t, text))
		require.NoError(t, b.pool.QueryRow(t.Context(),
			"SELECT last_used_at, ctid::text FROM core_api_tokens WHERE id = $1", token.ID).Scan(&last, &version))
		return last.UTC(), version
	}
	last, first := use()
	require.Equal(t, start, last)
	b.clock.Advance(time.Minute - time.Microsecond)
	last, second := use()
	require.Equal(t, start, last)
	require.Equal(t, first, second)
	b.clock.Advance(time.Microsecond)
	last, third := use()
	require.Equal(t, start.Add(time.Minute), last)
	require.NotEqual(t, first, third)
}

func TestUseOfATokenWaitsForNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, token := b.createToken(t, b.user(t, "ada@example.test").ID, NewToken{})
	// Given a transaction that holds the token's row,
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, "SELECT FROM core_api_tokens WHERE id = $1 FOR UPDATE", token.ID)
	// when requests come in, then all are answered while it is held.
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			require.NoError(t, b.opens(t, text))
		})
	}
	all.Wait()
	require.NoError(t, tx.Rollback(t.Context()))
}
