package account

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestEachAsymmetricAlgorithmVerifies(t *testing.T) {
	t.Parallel()
	for _, algorithm := range []jose.SignatureAlgorithm{jose.RS256, jose.PS512, jose.ES256, jose.ES384, jose.EdDSA} {
		t.Run(string(algorithm), func(t *testing.T) {
			t.Parallel()
			key, _, _, v := newVerified(t, algorithm)
			id, err := v.verify(t.Context(), key.sign(t, nil))
			require.NoError(t, err)
			require.Equal(t, hostIdentity{issuer: hostIssuer, subject: "user-1", name: "Grace Hopper", email: "grace@example.test", audiences: 1}, id)
		})
	}
}

func TestJWTIsRefused(t *testing.T) {
	t.Parallel()
	key, p, _, v := newVerified(t, jose.RS256)
	impostor, unknown := newHostKey(t, "k", jose.RS256), newHostKey(t, "other", jose.RS256)
	valid := key.sign(t, nil)
	require.NoError(t, verifies(v, valid))

	publicDER, err := x509.MarshalPKIXPublicKey(key.private.Public())
	require.NoError(t, err)
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: publicDER})
	parts := strings.Split(valid, ".")
	encode := func(v any) string {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	seconds := func(d time.Duration) int64 { return start.Add(d).Unix() }

	tests := map[string]string{
		"wrong issuer":                  key.sign(t, map[string]any{"iss": "https://evil.test"}),
		"issuer with a slash more":      key.sign(t, map[string]any{"iss": hostIssuer + "/"}),
		"no issuer":                     key.sign(t, map[string]any{"iss": nil}),
		"another subject in capitals":   key.sign(t, map[string]any{"sub": nil, "Sub": "user-1"}),
		"wrong audience":                key.sign(t, map[string]any{"aud": "another"}),
		"wrong audiences":               key.sign(t, map[string]any{"aud": []string{"a", "b"}}),
		"no audience":                   key.sign(t, map[string]any{"aud": nil}),
		"expired":                       key.sign(t, map[string]any{"exp": seconds(-time.Second)}),
		"no expiry":                     key.sign(t, map[string]any{"exp": nil}),
		"expiry of another type":        key.sign(t, map[string]any{"exp": "tomorrow"}),
		"not yet valid":                 key.sign(t, map[string]any{"nbf": seconds(10 * time.Minute)}),
		"no subject":                    key.sign(t, map[string]any{"sub": nil}),
		"empty subject":                 key.sign(t, map[string]any{"sub": ""}),
		"subject with a zero byte":      key.sign(t, map[string]any{"sub": "a\x00"}),
		"subject too long":              key.sign(t, map[string]any{"sub": strings.Repeat("x", maxClaim+1)}),
		"subject of another type":       key.sign(t, map[string]any{"sub": 7}),
		"another key by the same kid":   impostor.sign(t, nil),
		"unknown kid":                   unknown.sign(t, nil),
		"algorithm none":                encode(map[string]any{"alg": "none"}) + "." + parts[1] + ".",
		"algorithm none, signed":        encode(map[string]any{"alg": "none", "kid": "k"}) + "." + parts[1] + "." + parts[2],
		"HMAC with the public key, PEM": signWith(t, jose.HS256, jose.JSONWebKey{Key: publicPEM, KeyID: "k"}, claims(nil)),
		"HMAC with the public key, DER": signWith(t, jose.HS512, jose.JSONWebKey{Key: publicDER, KeyID: "k"}, claims(nil)),
		"another algorithm of the key":  signWith(t, jose.PS256, jose.JSONWebKey{Key: key.private, KeyID: "k"}, claims(nil)),
		"another payload":               parts[0] + "." + encode(claims(map[string]any{"sub": "root"})) + "." + parts[2],
		"no signature":                  parts[0] + "." + parts[1] + ".",
		"claims that are no object":     signWith(t, jose.RS256, jose.JSONWebKey{Key: key.private, KeyID: "k"}, []byte(`[]`)),
		"no claims":                     signWith(t, jose.RS256, jose.JSONWebKey{Key: key.private, KeyID: "k"}, []byte{}),
		"two parts":                     parts[0] + "." + parts[1],
		"the JSON form":                 `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
		"too long":                      key.sign(t, map[string]any{"padding": strings.Repeat("x", maxJWT)}),
		"not base64":                    "%%.%%.%%",
		"empty":                         "",
	}
	for name, token := range tests {
		t.Run(name, func(t *testing.T) {
			requireCode(t, domain.CodeUnauthorized, verifies(v, token))
		})
	}
	require.NoError(t, verifies(v, valid), "still")
	require.LessOrEqual(t, p.requested(), 2, "junk does not make requests")
}

func TestAJWTCountsFromAMinuteBeforeItsNotBeforeUntilItsExpiry(t *testing.T) {
	t.Parallel()
	key, _, c, v := newVerified(t, jose.ES256)
	ending := key.sign(t, map[string]any{"aud": []string{"another", hostAudience}})
	beginning := key.sign(t, map[string]any{"nbf": start.Add(time.Minute + time.Second).Unix()})
	requireCode(t, domain.CodeUnauthorized, verifies(v, beginning))
	c.Advance(time.Second)
	require.NoError(t, verifies(v, beginning))
	c.Advance(time.Hour - time.Second)
	require.NoError(t, verifies(v, ending))
	c.Advance(time.Second)
	requireCode(t, domain.CodeUnauthorized, verifies(v, ending))
}

func TestClaimsAboutThePersonNeverRefuseAToken(t *testing.T) {
	t.Parallel()
	key, _, _, v := newVerified(t, jose.ES256)
	tests := map[string]struct {
		claims      map[string]any
		name, email string
	}{
		"none at all":             {map[string]any{"name": nil, "email": nil}, "Member", ""},
		"of other types":          {map[string]any{"name": 7, "email": []int{1}, "email_verified": "x"}, "Member", ""},
		"the user name":           {map[string]any{"name": " ", "preferred_username": "grace"}, "grace", "grace@example.test"},
		"an address as a name":    {map[string]any{"name": "grace@example.test"}, "grace", "grace@example.test"},
		"an email not verified":   {map[string]any{"email_verified": false}, "Grace Hopper", ""},
		"an email that may be":    {map[string]any{"email_verified": nil}, "Grace Hopper", ""},
		"verified as a text":      {map[string]any{"email_verified": "true"}, "Grace Hopper", ""},
		"verified as a number":    {map[string]any{"email_verified": 1}, "Grace Hopper", ""},
		"verified in capitals":    {map[string]any{"email_verified": nil, "Email_Verified": true}, "Grace Hopper", ""},
		"an email verified":       {map[string]any{"email_verified": true}, "Grace Hopper", "grace@example.test"},
		"no email in the email":   {map[string]any{"email": "grace"}, "Grace Hopper", ""},
		"a name that is too long": {map[string]any{"name": strings.Repeat("ü", 200)}, strings.Repeat("ü", 100), "grace@example.test"},
		"a name of two lines":     {map[string]any{"name": "a\nb", "email": nil}, "Member", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			id, err := v.verify(t.Context(), key.sign(t, test.claims))
			require.NoError(t, err)
			require.Equal(t, test.name, id.label())
			require.Equal(t, test.email, id.email)
		})
	}
}

func TestHostConfigIsChecked(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config HostConfig
		valid  bool
	}{
		"https":                    {HostConfig{JWKSURL: "https://host.test/keys", Issuer: "i", Audience: "a"}, true},
		"http to loopback":         {HostConfig{JWKSURL: "http://127.0.0.1:1/keys", Issuer: "i", Audience: "a"}, true},
		"http to loopback by name": {HostConfig{JWKSURL: "http://localhost/keys", Issuer: "i", Audience: "a"}, true},
		"http to anywhere":         {HostConfig{JWKSURL: "http://host.test/keys", Issuer: "i", Audience: "a"}, false},
		"a file":                   {HostConfig{JWKSURL: "file:///keys", Issuer: "i", Audience: "a"}, false},
		"no URL":                   {HostConfig{JWKSURL: "keys", Issuer: "i", Audience: "a"}, false},
		"no issuer":                {HostConfig{JWKSURL: "https://host.test", Audience: "a"}, false},
		"no audience":              {HostConfig{JWKSURL: "https://host.test", Issuer: "i"}, false},
		"no keys":                  {HostConfig{Issuer: "i", Audience: "a"}, false},
	}
	for name, test := range tests {
		_, err := NewHostVerifier(test.config)
		require.Equal(t, test.valid, err == nil, "%s: %v", name, err)
	}
}
