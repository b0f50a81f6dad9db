package account

import (
	"sync"
	"testing"

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
	first := b.caller(t, Credentials{Bearer: key.sign(t, nil)})
	require.Equal(t, &permission.Caller{
		UserID: first.UserID, Name: "Grace Hopper", Email: "grace@example.test", Use: permission.UseAdmin,
	}, first)

	again := b.caller(t, Credentials{Bearer: key.sign(t, map[string]any{"name": "Renamed"})})
	require.Equal(t, first, again, "known by issuer and subject")
	other := b.caller(t, Credentials{Bearer: key.sign(t, map[string]any{"sub": "user-2"})})
	require.NotEqual(t, first.UserID, other.UserID)

	b.staff(t, "moderator", first.UserID, true, "[]")
	first = b.caller(t, Credentials{Bearer: key.sign(t, nil)})
	require.True(t, first.Moderator.Unrestricted)
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, "grace@example.test", password))
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
		requireCode(t, domain.CodeUnauthorized, b.opens(t, key.sign(t, nil)))
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
