package sealing

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"short", "not base64!", base64.StdEncoding.EncodeToString(make([]byte, 31))} {
		_, err := Split(text)
		require.Error(t, err)
		require.NotContains(t, err.Error(), text)
	}
	keys, err := Split(" , ")
	require.NoError(t, err)
	require.Empty(t, keys)
}

func FuzzOpenSecret(f *testing.F) {
	keys := NewKeys([][]byte{make([]byte, 32)})
	for _, stored := range []string{"whsec_abc", sealedPrefix, sealedPrefix + "AAAA", keys.Seal("whsec_abc")} {
		f.Add(stored)
	}
	f.Fuzz(func(t *testing.T, stored string) {
		secret, err := keys.Open(stored)
		if err == nil && strings.HasPrefix(stored, sealedPrefix) && keys.Seal(secret) != stored {
			t.Fatalf("%q opens as what is sealed otherwise", stored)
		}
	})
}
