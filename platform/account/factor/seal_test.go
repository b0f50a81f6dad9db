package factor_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/account/factor"
)

var first, second = bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)

func keys(t *testing.T, secrets ...[]byte) factor.Keys {
	t.Helper()
	return factor.NewKeys(secrets)
}

func TestASecretOpensOnlyInItsRow(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]factor.Keys{"without a key": keys(t), "with a key": keys(t, first)} {
		sealed := k.Seal("ada", "row", []byte("secret"))
		secret, renew, err := k.Open("ada", "row", sealed, false)
		require.NoError(t, err, name)
		require.Equal(t, "secret", string(secret))
		require.False(t, renew)
		require.NotContains(t, string(sealed), "secret")
		for _, moved := range [][2]string{{"eve", "row"}, {"ada", "other"}, {"adar", "ow"}} {
			_, _, err := k.Open(moved[0], moved[1], sealed, true)
			require.ErrorIs(t, err, factor.ErrSealed, name)
		}
		for i := range sealed {
			changed := bytes.Clone(sealed)
			changed[i] ^= 2
			_, _, err := k.Open("ada", "row", changed, true)
			require.ErrorIs(t, err, factor.ErrSealed, "%s, byte %d", name, i)
			_, _, err = k.Open("ada", "row", sealed[:i], true)
			require.ErrorIs(t, err, factor.ErrSealed, "%s, %d bytes", name, i)
		}
	}
}

func TestKeysOfSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	without, former, both, other := keys(t), keys(t, first), keys(t, second, first), keys(t, second)
	sealed := former.Seal("ada", "row", []byte("secret"))
	_, renew, err := both.Open("ada", "row", sealed, false)
	require.NoError(t, err)
	require.True(t, renew)
	for _, k := range []factor.Keys{other, without} {
		_, _, err = k.Open("ada", "row", sealed, true)
		require.ErrorIs(t, err, factor.ErrSealed)
	}

	t.Log("what is sealed without a key counts only while a key is introduced")
	public := without.Seal("ada", "row", []byte("secret"))
	_, renew, err = former.Open("ada", "row", public, true)
	require.NoError(t, err)
	require.True(t, renew)
	_, _, err = former.Open("ada", "row", public, false)
	require.ErrorIs(t, err, factor.ErrSealed)
}
