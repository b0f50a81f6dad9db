package webhook

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

func testKeys(t *testing.T, letters ...string) Keys {
	t.Helper()
	for i, letter := range letters {
		letters[i] = base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32)))
	}
	keys, err := ParseKeys(strings.Join(letters, ", "))
	require.NoError(t, err)
	return keys
}

func TestSecretsAreEncryptedInTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	var verified error
	var secret string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		verifier, _ := standardwebhooks.NewWebhook(secret)
		verified = verifier.Verify(body, r.Header)
	}))
	t.Cleanup(receiver.Close)
	plain := b.create(New{URL: receiver.URL})
	require.Equal(t, plain.Secret, b.secret(plain), "as the release before has it")
	secret = plain.Secret

	t.Log("a key encrypts what was there and what comes")
	with := func(keys Keys) { b.store.config.Keys = keys }
	with(testKeys(t, "a"))
	n, err := b.store.EncryptSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	encrypted := b.create(New{URL: receiver.URL})
	for _, w := range []Webhook{plain, encrypted} {
		require.True(t, strings.HasPrefix(b.secret(w), encryptedPrefix))
		require.NotContains(t, b.secret(w), strings.TrimPrefix(w.Secret, "whsec_"))
	}
	first := b.declares(declared("a", "https://a.test"))
	require.Equal(t, first, b.declares(declared("a", "https://a.test")), "the same secret changes nothing")

	t.Log("deliveries are signed as ever, also after the key was replaced")
	with(testKeys(t, "b", "a"))
	for range 2 {
		b.hear(created())
		require.NoError(t, b.attempt(b.deliveries(plain)[0], false))
		require.NoError(t, verified)
		_, err = b.store.EncryptSecrets(t.Context())
		require.NoError(t, err)
	}
	with(testKeys(t, "b"))
	b.hear(created())
	require.NoError(t, b.attempt(b.deliveries(plain)[0], false), "the former key is needed no more")
	require.NoError(t, verified)

	t.Log("without the key the reason is told")
	with(testKeys(t, "c"))
	b.hear(created())
	require.ErrorContains(t, b.attempt(b.deliveries(plain)[0], false), "DOCKET_SECRETS_KEY")
	n, err = b.store.EncryptSecrets(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"short", "not base64!", base64.StdEncoding.EncodeToString(make([]byte, 31))} {
		_, err := ParseKeys(text)
		require.Error(t, err)
		require.NotContains(t, err.Error(), text)
	}
	keys, err := ParseKeys(" , ")
	require.NoError(t, err)
	require.Empty(t, keys)
}

func FuzzOpenSecret(f *testing.F) {
	keys, err := ParseKeys(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	require.NoError(f, err)
	for _, stored := range []string{"whsec_abc", encryptedPrefix, encryptedPrefix + "AAAA", keys.encrypt("whsec_abc")} {
		f.Add(stored)
	}
	f.Fuzz(func(t *testing.T, stored string) {
		secret, err := keys.decrypt(stored)
		if err == nil && strings.HasPrefix(stored, encryptedPrefix) && keys.encrypt(secret) != stored {
			t.Fatalf("%q decrypts to what is encrypted otherwise", stored)
		}
	})
}
