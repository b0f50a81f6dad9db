package account

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

func TestHostTokenIsOfAPluginUntilItEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	text, token, err := b.CreateHostToken(ctx, "shop", NewToken{Name: " server "})
	require.NoError(t, err)
	require.Equal(t, "server", token.Name)
	soon := b.Now().Add(time.Hour)
	expiring, _, err := b.CreateHostToken(ctx, "shop", NewToken{ExpiresAt: &soon})
	require.NoError(t, err)

	caller := b.caller(t, Credentials{Bearer: text})
	require.Equal(t, &permission.Caller{Use: permission.UseHost, TokenID: token.ID, PluginID: "shop"}, caller)
	listed, err := b.ListHostTokens(ctx, "shop")
	require.NoError(t, err)
	require.Equal(t, start, time.Time(*listed[0].LastUsedAt).UTC())
	require.Nil(t, listed[1].LastUsedAt)

	require.NoError(t, b.RevokeToken(ctx, token.ID))
	requireCode(t, domain.CodeUnauthorized, b.opens(t, text))

	b.clock.Advance(time.Hour - time.Microsecond)
	require.NoError(t, b.opens(t, expiring))
	b.clock.Advance(time.Microsecond)
	requireCode(t, domain.CodeUnauthorized, b.opens(t, expiring))
}

func TestATokenForSignalsIsNoneToFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, token, err := b.CreateHostToken(t.Context(), "shop", NewToken{Use: permission.UseSignal})
	require.NoError(t, err)
	caller := func() (*permission.Caller, error) { return b.Authenticate(t.Context(), Credentials{Bearer: text}) }
	got, err := caller()
	require.NoError(t, err)
	require.Equal(t, &permission.Caller{Use: permission.UseSignal, TokenID: token.ID, PluginID: "shop"}, got)
	listed, err := b.ListHostTokens(t.Context(), "shop")
	require.NoError(t, err)
	require.Equal(t, permission.UseSignal, listed[0].Use)

	t.Log("its row cannot be made one for filing, as a server of the release before would read it")
	b.exec(t, "UPDATE core_host_tokens SET use = 'host'")
	_, err = caller()
	requireCode(t, domain.CodeUnauthorized, err)
	_, _, err = b.CreateHostToken(t.Context(), "shop", NewToken{Use: "other"})
	requireCode(t, domain.CodeValidationFailed, err)
}

func TestMemberOfAPlatformIsMadeOnceAndNotAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()

	first, err := b.Member(ctx, "shop", "u7", "Uma")
	require.NoError(t, err)
	require.Equal(t, "Uma", first.Name)
	again, err := b.Member(ctx, "shop", "u7", "Renamed")
	require.NoError(t, err)
	require.Equal(t, first, again)
	elsewhere, err := b.Member(ctx, "blog", "u7", "Uma")
	require.NoError(t, err)
	require.NotEqual(t, first.UserID, elsewhere.UserID)

	b.delete(t, first.UserID)
	gone, err := b.Member(ctx, "shop", "u7", "Uma")
	require.NoError(t, err)
	require.Nil(t, gone)
}
