package account

import (
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

func setupHost(t *testing.T) (*bundle, hostKey) {
	t.Helper()
	key := newHostKey(t, "k", jose.ES256)
	return setupWith(t, newHostPlatform(t, key).verifier(t)), key
}

func TestAccountIsMadeOnFirstSight(t *testing.T) {
	t.Parallel()
	b, key := setupHost(t)
	first, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, nil)})
	require.NoError(t, err)
	require.Equal(t, &permission.Caller{
		UserID: first.UserID, Name: "Grace Hopper", Email: "grace@example.test", Use: permission.UseAdmin,
	}, first)

	again, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, map[string]any{"name": "Renamed"})})
	require.NoError(t, err)
	require.Equal(t, first, again, "known by issuer and subject")
	other, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, map[string]any{"sub": "user-2"})})
	require.NoError(t, err)
	require.NotEqual(t, first.UserID, other.UserID)

	b.staff(t, "moderator", first.UserID, true, "[]")
	first, err = b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, nil)})
	require.NoError(t, err)
	require.True(t, first.Moderator.Unrestricted)
	_, err = b.SignIn(t.Context(), "grace@example.test", password, atHome)
	requireCode(t, domain.CodeInvalidCredentials, err)
}

func TestAccountsAreNeverJoinedByEmail(t *testing.T) {
	t.Parallel()
	b, key := setupHost(t)
	local := b.user(t, "Grace@example.test")
	b.staff(t, "admin", local.ID, true, "[]")

	caller := b.caller(t, Credentials{Bearer: key.sign(t, nil)})
	require.NotEqual(t, local.ID, caller.UserID)
	require.Empty(t, caller.Email, "the email stays with its owner")
	require.Nil(t, caller.Admin)
}

func TestADeletedAccountIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	b, key := setupHost(t)
	caller := b.caller(t, Credentials{Bearer: key.sign(t, nil)})
	b.delete(t, caller.UserID)
	for range 2 {
		_, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, nil)})
		requireCode(t, domain.CodeUnauthorized, err)
	}
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_users"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_user_identities WHERE user_id IS NULL"))
}

func TestThirtyFirstSightsMakeOneAccount(t *testing.T) {
	t.Parallel()
	b, key := setupHost(t)
	token := key.sign(t, nil)
	ids := make([]string, 30)
	errs := make([]error, 30)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			caller, err := b.Authenticate(t.Context(), Credentials{Bearer: token})
			if errs[i] = err; err == nil {
				ids[i] = caller.UserID
			}
		})
	}
	all.Wait()
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, ids[0], ids[i])
	}
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_users"))
}

func TestAnExpiredJWTMakesNoAccount(t *testing.T) {
	t.Parallel()
	b, key := setupHost(t)
	b.clock.Advance(2 * time.Hour)
	_, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, nil)})
	requireCode(t, domain.CodeUnauthorized, err)
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_users"))
}
