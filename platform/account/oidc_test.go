package account

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/platformtest"
)

const (
	oidcClient   = "docket"
	oidcCallback = "https://docket.example.test/callback"
)

// liar is a provider that answers with whatever id token a test wants.
type liar struct {
	t      *testing.T
	url    string
	key    hostKey
	mu     sync.Mutex
	status int
	token  func(nonce string) string // the id token; "" for none
	nonce  string
	hashed string         // of the PKCE verifier
	about  map[string]any // what it tells at its userinfo; nil if it has none
	hangs  string         // the path that is never answered
	odd    map[string]any // what its description has instead
	asked  int            // how often it was
}

func newLiar(t *testing.T) *liar {
	t.Helper()
	p := &liar{t: t, key: newHostKey(t, "k", jose.ES256), status: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(server.Close)
	p.url = server.URL
	p.token = func(nonce string) string { return p.sign(map[string]any{"nonce": nonce}) }
	return p
}

func (p *liar) sign(changes map[string]any) string {
	all := map[string]any{"iss": p.url, "aud": oidcClient}
	for name, value := range changes {
		all[name] = value
	}
	return p.key.sign(p.t, all)
}

func (p *liar) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	if r.URL.Path == p.hangs {
		p.asked++
		p.mu.Unlock()
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return
	}
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if p.status == http.StatusSwitchingProtocols {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		w.WriteHeader(p.status)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		return
	}
	if p.status != http.StatusOK {
		w.WriteHeader(p.status)
		_, _ = w.Write([]byte(`{"error": "invalid_grant"}`))
		return
	}
	var answer any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		addresses := map[string]any{"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + "/token", "jwks_uri": p.url + "/keys"}
		if p.about != nil {
			addresses["userinfo_endpoint"] = p.url + "/userinfo"
		}
		maps.Copy(addresses, p.odd)
		answer = addresses
	case "/userinfo":
		answer = p.about
	case "/keys":
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{p.key.public()}}
	case "/token":
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if base64.RawURLEncoding.EncodeToString(sum[:]) != p.hashed {
			p.t.Error("the verifier is not that of the challenge")
		}
		tokens := map[string]any{"access_token": "a", "token_type": "Bearer"}
		if token := p.token(p.nonce); token != "" {
			tokens["id_token"] = token
		}
		answer = tokens
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (p *liar) respond(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

func (p *liar) answers(token func(nonce string) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = token
}

func (b *bundle) oidc(t *testing.T, p *liar) *OIDC {
	t.Helper()
	o, err := NewOIDC(OIDCConfig{Issuer: p.url, ClientID: oidcClient, ClientSecret: "s", AdminGroup: "admins", Now: b.clock.Now})
	require.NoError(t, err)
	return o
}

// signIn begins at o and finishes as if the person had signed in.
func (b *bundle) signIn(t *testing.T, o *OIDC, p *liar) (Session, error) {
	t.Helper()
	login, address, err := o.Begin(t.Context(), oidcCallback, "/")
	if err != nil {
		return Session{}, err
	}
	u, err := url.Parse(address)
	require.NoError(t, err)
	q := u.Query()
	require.Equal(t, "S256", q.Get("code_challenge_method"))
	require.Equal(t, oidcCallback, q.Get("redirect_uri"))
	p.mu.Lock()
	p.nonce, p.hashed = q.Get("nonce"), q.Get("code_challenge")
	p.mu.Unlock()
	return b.SignInByOIDC(t.Context(), o, login, Returned{State: q.Get("state"), Code: "c"}, oidcCallback, atHome, allowUser)
}

// Given a provider that takes the code and never answers, then the person is told within the patience, and not once more for
// each form in which the code can be sent.
func TestOIDCWaitsForAProviderOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/token", "/keys"} {
		p := newLiar(t)
		o := b.oidc(t, p)
		require.Equal(t, 10*time.Second, o.patience)
		o.patience = 200 * time.Millisecond
		p.hangs = path
		began := time.Now()
		_, err := b.signIn(t, o, p)
		require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err), "%s: %v", path, err)
		require.Less(t, time.Since(began), 3*time.Second)
		p.mu.Lock()
		require.Equal(t, 1, p.asked)
		p.mu.Unlock()
	}
}

func TestOIDCAcceptsNoOtherToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newLiar(t)
	o := b.oidc(t, p)
	session, err := b.signIn(t, o, p)
	require.NoError(t, err)
	require.Equal(t, "Grace Hopper", session.User.Name)

	other := newHostKey(t, "k", jose.ES256)
	seconds := func(d time.Duration) int64 { return start.Add(d).Unix() }
	tests := map[string]func(nonce string) string{
		"no token":       func(string) string { return "" },
		"no JWT":         func(string) string { return "a.b.c" },
		"wrong nonce":    func(string) string { return p.sign(map[string]any{"nonce": "another"}) },
		"no nonce":       func(string) string { return p.sign(nil) },
		"wrong issuer":   func(n string) string { return p.sign(map[string]any{"nonce": n, "iss": "https://another.test"}) },
		"wrong audience": func(n string) string { return p.sign(map[string]any{"nonce": n, "aud": "another"}) },
		"another's":      func(n string) string { return p.sign(map[string]any{"nonce": n, "azp": "another"}) },
		"several audiences": func(n string) string {
			return p.sign(map[string]any{"nonce": n, "aud": []string{oidcClient, "another"}})
		},
		"expired": func(n string) string { return p.sign(map[string]any{"nonce": n, "exp": seconds(-time.Second)}) },
		"not valid yet": func(n string) string {
			return p.sign(map[string]any{"nonce": n, "nbf": seconds(time.Minute + time.Second)})
		},
		"signed by another": func(n string) string {
			return other.sign(t, map[string]any{"nonce": n, "iss": p.url, "aud": oidcClient})
		},
		"nonce in capitals":  func(n string) string { return p.sign(map[string]any{"Nonce": n}) },
		"for an unknown sub": func(n string) string { return p.sign(map[string]any{"nonce": n, "sub": ""}) },
	}
	for name, token := range tests {
		p.answers(token)
		_, err := b.signIn(t, o, p)
		require.Equal(t, domain.CodeUnauthorized, domain.ErrorCode(err), "%s: %v", name, err)
	}
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_users"))

	t.Log("a clock that is a minute ahead, and an authorized party among several")
	p.answers(func(n string) string {
		return p.sign(map[string]any{"nonce": n, "nbf": seconds(time.Minute), "aud": []string{oidcClient, "another"}, "azp": oidcClient})
	})
	_, err = b.signIn(t, o, p)
	require.NoError(t, err)
}

// Given providers that tell some of a person in the id token and some at the userinfo, then nothing of it is lost.
func TestOIDCTakesAPersonFromBoth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for sub, test := range map[string]struct {
		token, about map[string]any
		name, email  string
	}{
		"a": {map[string]any{"name": "Ada", "email": nil}, map[string]any{}, "Ada", ""},
		"b": {map[string]any{"name": "Ada", "email": nil}, map[string]any{"email": "b@example.test", "email_verified": true}, "Ada", "b@example.test"},
		"c": {map[string]any{"name": nil, "email": nil}, map[string]any{"email": "c@example.test", "email_verified": true}, "c", "c@example.test"},
		"d": {map[string]any{"name": "ada", "email": nil}, map[string]any{"name": "Ada Lovelace"}, "Ada Lovelace", ""},
	} {
		p := newLiar(t)
		test.token["sub"], test.about["sub"] = sub, sub
		p.about = test.about
		p.answers(func(n string) string {
			test.token["nonce"] = n
			return p.sign(test.token)
		})
		session, err := b.signIn(t, b.oidc(t, p), p)
		require.NoError(t, err)
		require.Equal(t, []string{test.name, test.email}, []string{session.User.Name, session.User.Email}, sub)
	}
}

func TestOIDCTellsAnOutageFromARefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newLiar(t)
	o := b.oidc(t, p)
	p.respond(http.StatusBadGateway)
	_, err := b.signIn(t, o, p)
	requireCode(t, domain.CodeUnavailable, err)
	p.respond(http.StatusOK)
	_, err = b.signIn(t, o, p)
	requireCode(t, domain.CodeUnavailable, err)
	b.clock.Advance(oidcRetry)
	_, err = b.signIn(t, o, p)
	require.NoError(t, err, "it is asked again after a pause")

	t.Log("what was found is used for an hour, and longer while the provider is down")
	p.respond(http.StatusBadRequest)
	_, err = b.signIn(t, o, p)
	requireCode(t, domain.CodeUnauthorized, err)
	b.clock.Advance(oidcFreshFor)
	p.respond(http.StatusInternalServerError)
	_, err = b.signIn(t, o, p)
	requireCode(t, domain.CodeUnavailable, err)
	require.EqualError(t, errors.Unwrap(err), "the provider answered 500 for the code")
	p.respond(http.StatusSwitchingProtocols)
	_, err = b.signIn(t, o, p)
	requireCode(t, domain.CodeUnavailable, err)
}

// Given a description that names no address to send a browser or a secret to, then the provider is down, and not asked by it.
func TestADescriptionWithoutUsableAddressesIsNotUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newLiar(t)
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri"} {
		for _, address := range []string{"", "/relative", "javascript:alert(1)", "http://id.test/"} {
			p.odd = map[string]any{name: address}
			_, _, err := b.oidc(t, p).Begin(t.Context(), oidcCallback, "/")
			require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err), "%s %s", name, address)
		}
	}
}

func TestADiscoveryThatFailsIsToldWithoutWhatWasAnswered(t *testing.T) {
	t.Parallel()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "Words of a proxy")
	}))
	t.Cleanup(provider.Close)
	o, err := NewOIDC(OIDCConfig{Issuer: provider.URL, ClientID: "docket", ClientSecret: "secret"})
	require.NoError(t, err)
	_, _, err = o.Begin(t.Context(), "http://docket.test/callback", "/")
	requireCode(t, domain.CodeUnavailable, err)
	require.ErrorContains(t, errors.Unwrap(err), "502")
	require.NotContains(t, errors.Unwrap(err).Error(), "proxy")
}

// The connection of an answer 101 stays open until the client closes it.
func TestAProviderThatSwitchesProtocolsIsDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newLiar(t)
	o := b.oidc(t, p)
	p.respond(http.StatusSwitchingProtocols)
	_, err := b.signIn(t, o, p)
	requireCode(t, domain.CodeUnavailable, err)
}

func TestThoseWhoWaitForASilentProviderWaitOnce(t *testing.T) {
	t.Parallel()
	c := platformtest.NewClock(start)
	asked := 0
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		c.Advance(oidcTimeout)
		w.WriteHeader(http.StatusGatewayTimeout)
	}))
	t.Cleanup(silent.Close)
	o, err := NewOIDC(OIDCConfig{Issuer: silent.URL, ClientID: oidcClient, ClientSecret: "s", Now: c.Now})
	require.NoError(t, err)
	for range 3 {
		_, _, err := o.Begin(t.Context(), oidcCallback, "/")
		requireCode(t, domain.CodeUnavailable, err)
	}
	require.Equal(t, 1, asked)
}

func TestOIDCConfigIsChecked(t *testing.T) {
	t.Parallel()
	for issuer, valid := range map[string]bool{"https://id.test": true, "http://127.0.0.1:1": true, "http://id.test": false, "id.test": false, "": false} {
		_, err := NewOIDC(OIDCConfig{Issuer: issuer, ClientID: "c", ClientSecret: "s"})
		require.Equal(t, valid, err == nil, issuer)
	}
	_, err := NewOIDC(OIDCConfig{Issuer: "https://id.test", ClientID: "c"})
	require.ErrorContains(t, err, "OIDC_CLIENT_SECRET")
}
