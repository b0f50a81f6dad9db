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

	"github.com/docketmod/docket/platform/sealing"
)

func testKeys(t *testing.T, letters ...string) sealing.Keys {
	t.Helper()
	for i, letter := range letters {
		letters[i] = base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32)))
	}
	split, err := sealing.Split(strings.Join(letters, ", "))
	require.NoError(t, err)
	return sealing.NewKeys(split)
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
	with := func(keys sealing.Keys) { b.store.config.Keys = keys }
	with(testKeys(t, "a"))
	n, err := b.store.EncryptSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	encrypted := b.create(New{URL: receiver.URL})
	for _, w := range []Webhook{plain, encrypted} {
		require.True(t, strings.HasPrefix(b.secret(w), "sealed:"))
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
