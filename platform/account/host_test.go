package account

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/platformtest"
)

const (
	hostIssuer   = "https://host.test"
	hostAudience = "docket"
)

// hostPlatform is a host platform on loopback: it serves its keys and signs.
type hostPlatform struct {
	url string

	mu       sync.Mutex
	answer   []byte
	status   int
	location string
	requests int
}

func newHostPlatform(t *testing.T, keys ...hostKey) *hostPlatform {
	t.Helper()
	p := &hostPlatform{status: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.requests++
		if p.location != "" {
			w.Header().Set("Location", p.location)
		}
		w.WriteHeader(p.status)
		_, _ = w.Write(p.answer)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL + "/keys"
	p.serve(t, keys...)
	return p
}

func (p *hostPlatform) serve(t *testing.T, keys ...hostKey) {
	t.Helper()
	var set jose.JSONWebKeySet
	for _, key := range keys {
		set.Keys = append(set.Keys, key.public())
	}
	raw, err := json.Marshal(set)
	require.NoError(t, err)
	p.respond(http.StatusOK, raw)
}

func (p *hostPlatform) respond(status int, answer []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.answer = status, answer
}

func (p *hostPlatform) requested() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

func (p *hostPlatform) verifier(t *testing.T) func(now func() time.Time) *HostVerifier {
	t.Helper()
	return func(now func() time.Time) *HostVerifier {
		v, err := NewHostVerifier(HostConfig{JWKSURL: p.url, Issuer: hostIssuer, Audience: hostAudience, Now: now})
		require.NoError(t, err)
		return v
	}
}

// newVerified is a host platform with one key, and the verifier of what it signs.
func newVerified(t *testing.T, a jose.SignatureAlgorithm) (key hostKey, p *hostPlatform, c *platformtest.Clock, v *HostVerifier) {
	t.Helper()
	key, c = newHostKey(t, "k", a), platformtest.NewClock(start)
	p = newHostPlatform(t, key)
	return key, p, c, p.verifier(t)(c.Now)
}

// hostKey is a key pair of the host.
type hostKey struct {
	id        string
	algorithm jose.SignatureAlgorithm
	private   crypto.Signer
}

func newHostKey(t *testing.T, id string, algorithm jose.SignatureAlgorithm) hostKey {
	t.Helper()
	var (
		private crypto.Signer
		err     error
	)
	switch algorithm {
	case jose.EdDSA:
		_, private, err = ed25519.GenerateKey(rand.Reader)
	case jose.ES256:
		private, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.ES384:
		private, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	default:
		private, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	require.NoError(t, err)
	return hostKey{id, algorithm, private}
}

func (k hostKey) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id, Algorithm: string(k.algorithm), Use: "sig"}
}

// claims are those of a valid token of one hour, with changes; nil takes one out.
func claims(changes map[string]any) map[string]any {
	all := map[string]any{
		"iss": hostIssuer, "aud": hostAudience, "sub": "user-1",
		"iat": start.Unix(), "exp": start.Add(time.Hour).Unix(),
		"name": "Grace Hopper", "email": "grace@example.test", "email_verified": true,
	}
	for name, value := range changes {
		if value == nil {
			delete(all, name)
		} else {
			all[name] = value
		}
	}
	return all
}

func (k hostKey) sign(t *testing.T, changes map[string]any) string {
	t.Helper()
	return signWith(t, k.algorithm, jose.JSONWebKey{Key: k.private, KeyID: k.id}, claims(changes))
}

func signWith(t *testing.T, algorithm jose.SignatureAlgorithm, key any, payload any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, nil)
	require.NoError(t, err)
	raw, ok := payload.([]byte)
	if !ok {
		raw, err = json.Marshal(payload)
		require.NoError(t, err)
	}
	signed, err := signer.Sign(raw)
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

// verifies asks the verifier alone, without an account behind it.
func verifies(v *HostVerifier, token string) error {
	_, err := v.verify(context.Background(), token)
	return err
}
