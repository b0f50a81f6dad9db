package account

import (
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	first, second := newHostKey(t, "1", jose.ES256), newHostKey(t, "2", jose.ES256)
	p := newHostPlatform(t, first)
	c := platformtest.NewClock(start)
	v := p.verifier(t)(c.Now)
	require.NoError(t, verifies(v, first.sign(t, nil)))

	// A new key is fetched when the first token by it comes in.
	p.serve(t, first, second)
	c.Advance(keysRetry)
	require.NoError(t, verifies(v, second.sign(t, nil)))
	require.NoError(t, verifies(v, first.sign(t, nil)))
	require.Equal(t, 2, p.requested())

	// A withdrawn key is refused as soon as the keys have aged.
	p.serve(t, second)
	require.NoError(t, verifies(v, first.sign(t, nil)))
	c.Advance(5 * time.Minute)
	requireCode(t, domain.CodeUnauthorized, verifies(v, first.sign(t, nil)))
	require.NoError(t, verifies(v, second.sign(t, nil)))
	require.Equal(t, 3, p.requested())
}

func TestJunkCannotHammerTheHost(t *testing.T) {
	t.Parallel()
	key, p, c, v := newVerified(t, jose.ES256)
	require.NoError(t, verifies(v, key.sign(t, nil)))

	stranger := newHostKey(t, "", jose.ES256)
	storm := func() {
		t.Helper()
		tokens := make([]string, 100)
		for i := range tokens {
			stranger.id = fmt.Sprintf("junk-%d", i)
			tokens[i] = stranger.sign(t, nil)
		}
		require.Equal(t, map[domain.Code]int{domain.CodeUnauthorized: 100}, platformtest.Outcomes(100, func(i int) error { return verifies(v, tokens[i]) }))
	}
	for _, passed := range []time.Duration{0, 10*time.Second - time.Millisecond} {
		c.Advance(passed)
		storm()
		require.Equal(t, 1, p.requested(), "within the pause none")
	}
	c.Advance(time.Millisecond)
	storm()
	require.Equal(t, 2, p.requested(), "after it one, for all of them")
}

func TestAnOutageOfTheHost(t *testing.T) {
	t.Parallel()
	key, p, c, v := newVerified(t, jose.ES256)
	token := key.sign(t, map[string]any{"exp": start.Add(24 * time.Hour).Unix()})

	// Without keys there is no answer, which is no refusal.
	p.respond(http.StatusServiceUnavailable, nil)
	requireCode(t, domain.CodeUnavailable, verifies(v, token))
	requireCode(t, domain.CodeUnavailable, verifies(v, token))
	require.Equal(t, 1, p.requested())
	requireCode(t, domain.CodeUnauthorized, verifies(v, "junk"))

	p.serve(t, key)
	c.Advance(keysRetry)
	require.NoError(t, verifies(v, token))

	// With keys they are used on, for an hour.
	p.respond(http.StatusServiceUnavailable, nil)
	c.Advance(keysUsableFor - time.Second)
	require.NoError(t, verifies(v, token))
	require.NoError(t, verifies(v, token))
	require.Equal(t, 3, p.requested())
	c.Advance(time.Second)
	requireCode(t, domain.CodeUnavailable, verifies(v, token))
}

// rsaKeys is the key set of an RSA key with a modulus of some bits, which nobody has the private key of.
func rsaKeys(t *testing.T, bits int) string {
	t.Helper()
	modulus := new(big.Int).SetBit(big.NewInt(1), bits-1, 1)
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &rsa.PublicKey{N: modulus, E: 65537}, KeyID: "k"}}})
	require.NoError(t, err)
	return string(set)
}

func TestTheLargestRSAKeyIsRead(t *testing.T) {
	t.Parallel()
	keys, err := parseKeys([]byte(rsaKeys(t, 8192)))
	require.NoError(t, err)
	require.Len(t, keys, 1)
}

func TestAnswersThatAreNoKeySet(t *testing.T) {
	t.Parallel()
	key := newHostKey(t, "k", jose.ES256)
	private, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.private, KeyID: "k"}}})
	require.NoError(t, err)
	encryption := key.public()
	encryption.Use = "enc"
	forEncryption, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{encryption}})
	require.NoError(t, err)
	symmetric, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: []byte("secret"), KeyID: "k"}}})
	require.NoError(t, err)

	tests := map[string]struct {
		status int
		answer string
	}{
		"not JSON":                 {200, "<html>"},
		"no keys":                  {200, `{"keys": []}`},
		"another shape":            {200, `[]`},
		"a private key":            {200, string(private)},
		"for encryption":           {200, string(forEncryption)},
		"symmetric":                {200, string(symmetric)},
		"too large":                {200, `{"keys": [], "x": "` + strings.Repeat("x", maxKeySet) + `"}`},
		"an error":                 {500, `{"keys": []}`},
		"a redirect":               {302, ``},
		"an RSA key of 8,193 bits": {200, rsaKeys(t, 8193)},
		"keys of no shape":         {200, `{"keys": [1, null, {}, "x"]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			elsewhere := newHostPlatform(t, key)
			p := newHostPlatform(t)
			p.location = elsewhere.url
			p.respond(test.status, []byte(test.answer))
			c := platformtest.NewClock(start)
			requireCode(t, domain.CodeUnavailable, verifies(p.verifier(t)(c.Now), key.sign(t, nil)))
			require.Zero(t, elsewhere.requested())
		})
	}
}

func TestAKeyOfUnknownKindHidesNoOther(t *testing.T) {
	t.Parallel()
	key := newHostKey(t, "k", jose.EdDSA)
	public, err := json.Marshal(key.public())
	require.NoError(t, err)
	p := newHostPlatform(t)
	p.respond(http.StatusOK, fmt.Appendf(nil, `{"keys": [{"kty": "OKP", "crv": "X448", "x": "AA"}, {"kty": "new"}, %s]}`, public))
	c := platformtest.NewClock(start)
	require.NoError(t, verifies(p.verifier(t)(c.Now), key.sign(t, nil)))
}
