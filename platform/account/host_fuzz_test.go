package account

import (
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// fuzzedHost is a verifier with one key, which signs whatever it is given.
func fuzzedHost() (v *HostVerifier, sign func(claims []byte) string) {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	now := func() time.Time { return time.Unix(1_800_000_000, 0) }
	v = &HostVerifier{keys: newKeySet("http://localhost:1/keys", egress.Options{}, now), now: now,
		verifier: oidc.NewVerifier(hostIssuer, &oidc.StaticKeySet{PublicKeys: []crypto.PublicKey{private.Public()}},
			&oidc.Config{ClientID: hostAudience, SupportedSigningAlgs: algorithms, Now: now})}
	return v, func(claims []byte) string {
		text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"EdDSA"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
		return text + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(private, []byte(text)))
	}
}

func requireUsable(t *testing.T, id hostIdentity, err error) {
	t.Helper()
	if err != nil {
		require.Equal(t, domain.CodeUnauthorized, domain.ErrorCode(err))
		require.Zero(t, id)
		return
	}
	require.Equal(t, hostIssuer, id.issuer)
	require.True(t, id.subject != "" && len(id.subject) <= maxClaim && storable(id.subject), "%q", id.subject)
	require.Nil(t, checkName("", id.label()))
	if id.email != "" {
		require.Nil(t, checkEmail("", id.email))
	}
}

// Whatever claims the host signs, the identity is one that can be stored.
func FuzzJWTClaims(f *testing.F) {
	v, sign := fuzzedHost()
	valid := `"iss":"https://host.test","aud":"docket","sub":"7","exp":1800000600`
	for _, more := range []string{``, `,"email":"a@b.test","email_verified":true`, `,"email":"a@b.test","email_verified":"true"`, `,"nbf":1800000061`, `,"nbf":"x"`,
		`,"name":{"a":[1]},"preferred_username":"x@y"`, `,"sub":""`, `,"aud":["a","docket"]`, `,"exp":1e400`, `,"name":"\u0000\ud800"`} {
		f.Add([]byte(`{` + valid + more + `}`))
	}
	f.Fuzz(func(t *testing.T, claims []byte) {
		id, err := v.verify(t.Context(), sign(claims))
		requireUsable(t, id, err)
	})
}

// Whatever is sent as a token, it is refused or names an identity that can be stored.
func FuzzJWT(f *testing.F) {
	v, sign := fuzzedHost()
	f.Add(sign([]byte(`{"iss":"https://host.test","aud":"docket","sub":"7","exp":1800000600}`)))
	f.Add("a.b.c")
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, token string) {
		id, err := v.verify(t.Context(), token)
		requireUsable(t, id, err)
	})
}
