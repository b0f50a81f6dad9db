package account

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestSignInStartsASession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "Ada@Example.test")

	session, err := b.SignIn(t.Context(), " ada@EXAMPLE.test ", password, atHome)
	require.NoError(t, err)
	require.Equal(t, u, session.User)
	require.Equal(t, start.Add(sessionLifetime), session.ExpiresAt)
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_sessions WHERE encode(hash, 'escape') = $1", session.ID),
		"only the hash is stored")

	caller := b.caller(t, Credentials{SessionID: session.ID})
	require.Equal(t, u.ID, caller.UserID)
}

func TestSignInRefusesWhatCanBeNoCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tests := map[string]struct {
		email, password string
		paths           []string
	}{
		"nothing":                {"", "", []string{"email", "password"}},
		"an email without end":   {strings.Repeat("a", 255), password, []string{"email"}},
		"a zero byte":            {"a\x00@b.test", password, []string{"email"}},
		"invalid UTF-8":          {"a\xff@b.test", password, []string{"email"}},
		"a password without end": {"a@b.test", strings.Repeat("x", 1025), []string{"password"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := b.signsIn(t, test.email, test.password)
			requireCode(t, domain.CodeValidationFailed, err)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			var paths []string
			for _, issue := range e.Issues {
				paths = append(paths, issue.Path)
			}
			require.Equal(t, test.paths, paths)
		})
	}
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_sign_in_failures"))
}

// fail stores failures as signing in would, without hashing for each.
func (b *bundle) fail(t *testing.T, n int, email string, address netip.Addr) {
	t.Helper()
	b.exec(t, "INSERT INTO core_sign_in_failures (address, account, failed_at) SELECT $1, $2, $3 FROM generate_series(1, $4)",
		AddressKey(address), accountKey(email), b.clock.Now(), n)
}

func TestTenFailuresCloseAnAccountToOneAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ada@example.test")
	for range 10 {
		requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, "ADA@example.test", "wrong password"))
	}

	err := b.signsIn(t, "ada@example.test", password)
	requireCode(t, domain.CodeRateLimited, err)
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, failureWindow, e.RetryAfter)

	b.user(t, "other@example.test")
	require.NoError(t, b.signsIn(t, "other@example.test", password), "another account from the address")
	_, err = b.SignIn(t.Context(), "ada@example.test", password, Client{Address: netip.MustParseAddr("203.0.113.8")})
	require.NoError(t, err, "the colleague is not locked out")

	b.clock.Advance(failureWindow - time.Microsecond)
	requireCode(t, domain.CodeRateLimited, b.signsIn(t, "ada@example.test", password))
	b.clock.Advance(time.Microsecond)
	require.NoError(t, b.signsIn(t, "ada@example.test", password), "the window has passed")

	t.Log("an unknown account is limited like a known one")
	b.fail(t, 10, "nobody@example.test", home)
	requireCode(t, domain.CodeRateLimited, b.signsIn(t, "nobody@example.test", "wrong password"))
}

func TestAHundredFailuresCloseAnAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ada@example.test")
	for i := range 99 {
		b.fail(t, 1, fmt.Sprintf("guess%d@example.test", i), home)
	}
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, "ada@example.test", "wrong password"))
	requireCode(t, domain.CodeRateLimited, b.signsIn(t, "ada@example.test", password))
}

// Given the last failure within the limit that is being counted, then another of the address
// waits for it and is beyond the limit.
func TestFailuresOfAnAddressAreCountedOneAfterTheOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ada@example.test")
	b.fail(t, failuresPerAccount-1, "ada@example.test", home)
	tx := pgtest.Begin(t, b.pool)
	require.NoError(t, b.attempt(atHome, "ada@example.test").settle(t.Context(), tx, true))

	second := make(chan error, 1)
	go func() { second <- b.signsIn(t, "ada@example.test", "wrong password") }()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, tx.Commit(t.Context()))
	requireCode(t, domain.CodeRateLimited, <-second)
	require.Equal(t, failuresPerAccount, b.count(t, "SELECT count(*) FROM core_sign_in_failures"))
}

// Given a sign-in that has verified the password, when the password is changed before the
// session starts, then none starts.
func TestNoSessionStartsWithAFormerPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	tx := pgtest.Begin(t, b.pool)
	require.NoError(t, b.replacePassword(t.Context(), tx, u.ID, "another hash", "", false))

	signedIn := make(chan error, 1)
	go func() { signedIn <- b.signsIn(t, "ada@example.test", password) }()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, tx.Commit(t.Context()))
	requireCode(t, domain.CodeInvalidCredentials, <-signedIn)
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_sessions"))
}

func TestAPasswordChangeRevokesTokensThatMayWrite(t *testing.T) {
	t.Parallel()
	revoked := func(b *bundle, change func(u User)) int {
		t.Helper()
		u := b.user(t, "ada@example.test")
		for _, use := range []permission.Use{permission.UseRead, permission.UseModerate, permission.UseAdmin} {
			b.createToken(t, u.ID, NewToken{Use: use})
		}
		change(u)
		require.Zero(t, b.count(t, "SELECT count(*) FROM core_api_tokens WHERE revoked_at IS NOT NULL AND use = 'read'"))
		return b.count(t, "SELECT count(*) FROM core_api_tokens WHERE revoked_at IS NOT NULL")
	}
	for keep, want := range map[bool]int{false: 2, true: 0} {
		b := setup(t)
		require.Equal(t, want, revoked(b, func(u User) {
			require.NoError(t, b.ChangePassword(t.Context(), u.ID, "", password, chosen, keep, atHome))
		}))
		b = setup(t)
		require.Equal(t, want, revoked(b, func(u User) { require.NoError(t, b.SetPassword(t.Context(), u.ID, chosen, keep)) }))
	}
	b := setup(t)
	require.Equal(t, 2, revoked(b, func(u User) {
		inbox, q := b.mailing(t)
		require.NoError(t, b.Forgot(t.Context(), u.Email, "en", atHome))
		require.NoError(t, q.Drain(t.Context()))
		require.NoError(t, b.Reset(t.Context(), token(t, inbox.Next().Text), chosen, atHome))
	}))
}

// What was hashed before the tenth failure was stored is not answered after it.
func TestARightGuessBeyondTheLimitIsNotTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fail(t, 10, "ada@example.test", home)
	tx := pgtest.Begin(t, b.pool)
	a := attempt{address: AddressKey(home), account: accountKey("ada@example.test"), now: start}
	requireCode(t, domain.CodeRateLimited, a.settle(t.Context(), tx, false))
}

func TestThirtyRightSignInsAtOnceAllSucceed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ada@example.test")
	b.fail(t, 9, "ada@example.test", home)
	require.Equal(t, map[domain.Code]int{"": 30}, platformtest.Outcomes(30, func(int) error { return b.signsIn(t, "ada@example.test", password) }))
}

func TestFailuresAndSessionsDoNotPileUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	b.fail(t, 5, "ada@example.test", home)
	b.startSession(t, u.ID)
	b.clock.Advance(failureWindow)
	b.fail(t, 1, "ada@example.test", home)

	deleted, err := b.DeleteExpired(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 5, deleted)
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_sign_in_failures"))
	b.clock.Advance(sessionLifetime)
	deleted, err = b.DeleteExpired(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, deleted)
}

// Reading the account and settling the attempt each end with the store's
// patience; the hash between them has the time that it takes.
func TestSigningInGivesUpOnASilentDatabase(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"core_users", "core_sessions"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.user(t, "ada@example.test")
			impatient := New(b.pool, Config{Now: b.clock.Now})
			impatient.patience = 200 * time.Millisecond
			tx := pgtest.Begin(t, b.pool)
			pgtest.Exec(t, tx, "LOCK TABLE "+table+" IN ACCESS EXCLUSIVE MODE")
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()

			_, err := impatient.SignIn(ctx, "ada@example.test", password, Client{})

			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NoError(t, ctx.Err(), "the store's patience ended first")
		})
	}
}
