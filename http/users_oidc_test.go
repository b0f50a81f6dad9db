package http_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	nethttp "net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

// oidcBundle is a server beside a real provider, under a name that browsers find it by.
type oidcBundle struct {
	*bundle
	provider *oidcProvider
	url      string
}

func newOIDCBundle(t *testing.T, environment ...string) *oidcBundle {
	t.Helper()
	const base = "http://docket.test"
	b := &oidcBundle{provider: newOIDCProvider(t, base+http.Base+"/users/oidc/callback", environment...), url: base}
	b.bundle = newBundleWith(t, map[string]string{"OIDC_ISSUER": b.provider.Issuer, "OIDC_CLIENT_ID": oidcClientID, "OIDC_CLIENT_SECRET": oidcClientSecret, "OIDC_ADMIN_GROUP": "admins"})
	return b
}

// browser keeps cookies. It stops before an address that stop holds for.
type browser struct {
	b      *oidcBundle
	client *nethttp.Client
	stop   func(*url.URL) bool
}

func (b *oidcBundle) browser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	br := &browser{b: b, stop: func(*url.URL) bool { return false }}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "docket.test:80" {
			address = b.server.Listener.Addr().String()
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	br.client = &nethttp.Client{Jar: jar, Transport: &nethttp.Transport{DialContext: dial}, CheckRedirect: func(r *nethttp.Request, _ []*nethttp.Request) error {
		if br.stop(r.URL) {
			return nethttp.ErrUseLastResponse
		}
		return nil
	}}
	return br
}

// get opens an address as a browser does, and returns where it ended and what it got.
func (br *browser) get(address, accept string) (*nethttp.Response, string) {
	br.b.t.Helper()
	r, err := nethttp.NewRequestWithContext(br.b.t.Context(), nethttp.MethodGet, address, nil)
	require.NoError(br.b.t, err)
	r.Header.Set("Accept", accept)
	response, err := br.client.Do(r)
	require.NoError(br.b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(br.b.t, err)
	return response, string(body)
}

const (
	page = "text/html,application/xhtml+xml"
	data = "application/json"
)

// signIn goes through the provider to the path.
func (br *browser) signIn(next string) *nethttp.Response {
	response, _ := br.get(br.b.url+http.Base+"/users/oidc/start?next="+url.QueryEscape(next), page)
	return response
}

// untilCallback signs in at the provider and returns the address that it sends back to.
func (br *browser) untilCallback() string {
	br.b.t.Helper()
	br.stop = func(u *url.URL) bool { return strings.HasSuffix(u.Path, "/users/oidc/callback") }
	response := br.signIn("/modcp/reports")
	br.stop = func(*url.URL) bool { return false }
	location, err := response.Location()
	require.NoError(br.b.t, err)
	return location.String()
}

// user is who is signed in, nil for nobody.
func (br *browser) user() map[string]any {
	br.b.t.Helper()
	_, body := br.get(br.b.url+http.Base+"/users/session", data)
	var answer struct {
		User map[string]any
	}
	require.NoError(br.b.t, json.Unmarshal([]byte(body), &answer))
	return answer.User
}

func TestOIDC(t *testing.T) {
	t.Parallel()
	b := newOIDCBundle(t)
	t.Run("signs in", b.signsIn)
	t.Run("refuses what does not belong to the sign-in", b.refusesWhatDoesNotBelong)
	t.Run("leads nowhere else", b.leadsNowhereElse)
	t.Run("brings no account back", b.bringsNoAccountBack)
	t.Run("without the provider", b.withoutTheProvider)
}

func (b *oidcBundle) signsIn(t *testing.T) {
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Ada Lovelace", "email": "ada@example.test", "email_verified": true, "groups": []string{"staff"}})
	br := b.browser()
	response := br.signIn("/modcp/reports?status=new&search=a%20b")
	require.Equal(t, b.url+"/modcp/reports?status=new&search=a%20b", response.Request.URL.String())
	first := br.user()
	require.Equal(t, "Ada Lovelace", first["name"])
	require.Equal(t, "ada@example.test", first["email"])
	require.Equal(t, false, first["isAdmin"])

	t.Log("the same person is the same account, and an administrator once in the group")
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Another Name", "groups": []string{"staff", "admins"}})
	again := b.browser()
	again.signIn("")
	require.Equal(t, first["id"], again.user()["id"])
	require.Equal(t, "Ada Lovelace", again.user()["name"])
	require.Equal(t, true, again.user()["isAdmin"])
	require.NotNil(t, br.user(), "the other browser stays signed in")

	t.Log("signing out ends the session alone")
	r, err := nethttp.NewRequestWithContext(t.Context(), nethttp.MethodPost, b.url+http.Base+"/users/sign-out", nil)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	out, err := again.client.Do(r)
	require.NoError(t, err)
	require.NoError(t, out.Body.Close())
	require.Nil(t, again.user())
	require.NotNil(t, br.user())
}

func TestOIDCTakesNameAndEmailFromUserinfo(t *testing.T) {
	t.Parallel()
	b := newOIDCBundle(t, "OIDC_USERINFO=only")
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Ada Lovelace", "email": "ada@example.test", "email_verified": true})
	br := b.browser()
	br.signIn("")
	require.Equal(t, "Ada Lovelace", br.user()["name"])
	require.Equal(t, "ada@example.test", br.user()["email"])
}

func (b *oidcBundle) refusesWhatDoesNotBelong(t *testing.T) {
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Ada"})
	refuse := func(what string, br *browser, address string) {
		t.Helper()
		response, body := br.get(address, data)
		require.Equal(t, nethttp.StatusUnauthorized, response.StatusCode, "%s: %s", what, body)
		require.Nil(t, br.user(), what)
	}
	change := func(address, parameter, value string) string {
		u, err := url.Parse(address)
		require.NoError(t, err)
		q := u.Query()
		q.Set(parameter, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
	for parameter, value := range map[string]string{"state": "another", "code": "another", "iss": "https://another.test"} {
		br := b.browser()
		refuse("wrong "+parameter, br, change(br.untilCallback(), parameter, value))
	}
	br := b.browser()
	refuse("another browser", b.browser(), br.untilCallback())

	t.Log("a code works once, with the cookie that it came with")
	base, err := url.Parse(b.url)
	require.NoError(t, err)
	br = b.browser()
	address := br.untilCallback()
	cookies := br.client.Jar.Cookies(base)
	response, _ := br.get(address, data)
	require.Equal(t, b.url+"/modcp/reports", response.Request.URL.String())
	require.NotNil(t, br.user())
	replay := b.browser()
	replay.client.Jar.SetCookies(base, cookies)
	refuse("a replayed code", replay, address)
	refuse("a replayed callback", b.browser(), address)

	t.Log("a person who does not consent, told on the page")
	b.provider.SignInAs(map[string]any{"sub": "ada", "denies": true})
	br = b.browser()
	response = br.signIn("/modcp/reports")
	require.Equal(t, "/sign-in?next=%2Fmodcp%2Freports&oidc=unauthorized", response.Request.URL.RequestURI())
	require.Nil(t, br.user())
}

func (b *oidcBundle) leadsNowhereElse(t *testing.T) {
	for _, next := range []string{"https://evil.test/", "//evil.test", `/\evil.test`, `\\evil.test`, "javascript:alert(1)", "modcp", "/a b", "/\t/evil.test", "/" + strings.Repeat("x", 2000)} {
		response, body := b.browser().get(b.url+http.Base+"/users/oidc/start?next="+url.QueryEscape(next), page)
		require.Equal(t, nethttp.StatusBadRequest, response.StatusCode, "%s: %s", next, body)
	}
}

// withoutTheProvider a callback is told to come back, and passwords still work.
func (b *oidcBundle) withoutTheProvider(t *testing.T) {
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Ada"})
	waiting := b.browser()
	address := waiting.untilCallback()
	b.provider.Stop()
	response, _ := waiting.get(address, data)
	require.Equal(t, nethttp.StatusServiceUnavailable, response.StatusCode)
	b.withPassword("ada@password.test")
	in, _ := b.bundle.signIn("ada@password.test")
	require.NotNil(t, in)
}

func TestAProviderThatIsDownIsToldOnTheSignInPage(t *testing.T) {
	t.Parallel()
	b := &oidcBundle{url: "http://docket.test"}
	b.bundle = newBundleWith(t, map[string]string{"OIDC_ISSUER": "http://127.0.0.1:1", "OIDC_CLIENT_ID": oidcClientID, "OIDC_CLIENT_SECRET": oidcClientSecret})
	response, body := b.browser().get(b.url+http.Base+"/users/oidc/start", data)
	require.Equal(t, nethttp.StatusServiceUnavailable, response.StatusCode, body)
	require.NotEmpty(t, response.Header.Get("Retry-After"))
	response = b.browser().signIn("/modcp/reports")
	require.Equal(t, "/sign-in?next=%2Fmodcp%2Freports&oidc=unavailable", response.Request.URL.RequestURI())
}

func (b *oidcBundle) bringsNoAccountBack(t *testing.T) {
	b.provider.SignInAs(map[string]any{"sub": "ada", "name": "Ada"})
	br := b.browser()
	br.signIn("")
	id := br.user()["id"].(string)
	allow := func(context.Context, pgx.Tx) error { return nil }
	_, err := b.accounts.SetDisabled(t.Context(), id, true, allow)
	require.NoError(t, err)
	br.signIn("")
	require.Nil(t, br.user())
	require.NoError(t, b.accounts.Delete(t.Context(), id, account.Deletion{Allow: allow, Detach: func(context.Context) error { return nil }}))
	br.signIn("")
	require.Nil(t, br.user())
}

// oidcProvider is oidc-provider, a certified OpenID provider for Node, on loopback.
type oidcProvider struct {
	t      testing.TB
	Issuer string
	stop   func()
}

// The client that the provider knows.
const (
	oidcClientID     = "docket"
	oidcClientSecret = "a-secret-of-thirty-two-characters"
)

// providerFolder is scripts/oidc, with its packages installed once in a process.
var providerFolder = sync.OnceValues(func() (string, error) {
	folder := filepath.Join("..", "scripts", "oidc")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "oidc-provider")); err == nil {
		return folder, nil
	}
	install := exec.Command("npm", "ci", "--no-audit", "--no-fund")
	install.Dir = folder
	output, err := install.CombinedOutput()
	if err != nil {
		_, _ = os.Stderr.Write(output)
	}
	return folder, err
})

// newOIDCProvider starts a provider that sends people back to redirect, until the test
// ends. It needs Node.
func newOIDCProvider(t testing.TB, redirect string, environment ...string) *oidcProvider {
	t.Helper()
	folder, err := providerFolder()
	require.NoError(t, err, "install the packages of scripts/oidc; npm is needed")
	cmd := exec.CommandContext(t.Context(), "node", "provider.mjs")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), append(environment,
		"OIDC_CLIENT_ID="+oidcClientID, "OIDC_CLIENT_SECRET="+oidcClientSecret, "OIDC_REDIRECT_URI="+redirect)...)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	input, err := cmd.StdinPipe() // its end ends the provider, should this process be killed
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stop := sync.OnceFunc(func() { _, _ = input.Close(), cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(stop)
	issuer, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, "the provider did not start")
	return &oidcProvider{t, strings.TrimSpace(issuer), stop}
}

// SignInAs makes the provider sign everybody in with these claims from now on.
func (p *oidcProvider) SignInAs(claims map[string]any) {
	p.t.Helper()
	encoded, err := json.Marshal(claims)
	require.NoError(p.t, err)
	request, err := nethttp.NewRequestWithContext(p.t.Context(), nethttp.MethodPost, p.Issuer+"/person", bytes.NewReader(encoded))
	require.NoError(p.t, err)
	response, err := nethttp.DefaultClient.Do(request)
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
	require.Equal(p.t, nethttp.StatusNoContent, response.StatusCode)
}

// Stop ends the provider.
func (p *oidcProvider) Stop() { p.stop() }
