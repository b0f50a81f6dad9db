package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	nethttp "net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

func TestOperatorsManageAccess(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	made := docketWithInput(t, environment, "correct horse\n", "user", "create", "--email", "ada@example.test", "--name", "Ada Lovelace", "--password-stdin")
	require.Equal(t, 0, made.status, made.stderr)

	list := docket(t, environment, "user", "list")
	require.Equal(t, 0, list.status, list.stderr)
	require.Regexp(t, `(?m)^`+strings.TrimSpace(made.stdout)+`  ada@example.test  Ada Lovelace  .*  false$`, list.stdout)

	changed := docketWithInput(t, environment, "a quieter horse\n", "user", "password", "ADA@example.test", "--password-stdin")
	require.Equal(t, 0, changed.status, changed.stderr)
	require.Equal(t, 0, docket(t, environment, "user", "sign-out", "ada@example.test").status)

	for name, refused := range map[string]struct {
		got    outcome
		status int
		stderr string
	}{
		"no password": {docket(t, environment, "user", "password", "ada@example.test"), 2, "--password-stdin"},
		"too short":   {docketWithInput(t, environment, "short\n", "user", "password", "ada@example.test", "--password-stdin"), 1, "at least 12 characters"},
		"the email":   {docketWithInput(t, environment, "ada@example.test\n", "user", "password", "ada@example.test", "--password-stdin"), 1, "cannot be your password"},
		"nobody":      {docketWithInput(t, environment, "a quieter horse\n", "user", "password", "b@example.test", "--password-stdin"), 1, "not found"},
		"nobody out":  {docket(t, environment, "user", "sign-out", "b@example.test"), 1, "not found"},
	} {
		require.Equal(t, refused.status, refused.got.status, name)
		require.Contains(t, refused.got.stderr, refused.stderr, name)
	}
}

// serveProduction serves in production behind a proxy that would end TLS, and returns its
// address, the lines of its standard output, and what systemd is told.
func serveProduction(t *testing.T, databaseURL string) (address string, lines <-chan string, systemd net.Conn) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = free.Addr().String()
	require.NoError(t, free.Close())
	socket := filepath.Join(t.TempDir(), "notify")
	systemd, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = systemd.Close() })
	environment := map[string]string{
		"DOCKET_ENV": "production", "DATABASE_URL": databaseURL, "DOCKET_BASE_URL": "https://docket.example", "DOCKET_LISTEN": address,
		"CRON_SECRET": "0123456789abcdef", "DOCKET_AUDIT_KEY": testAuditKey, "LOG_LEVEL": "error", "NOTIFY_SOCKET": socket,
	}
	output, stdout := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	var stderr bytes.Buffer
	go func() {
		defer close(ended)
		(&app{environment: environment, stdin: strings.NewReader(""), stdout: stdout, stderr: &stderr}).run(ctx, []string{"serve"})
		_ = stdout.Close()
	}()
	t.Cleanup(func() { stop(); <-ended; t.Log(stderr.String()) })
	said := make(chan string, 10)
	go func() {
		defer close(said)
		for scanner := bufio.NewScanner(output); scanner.Scan(); {
			said <- scanner.Text()
		}
	}()
	require.Equal(t, "docket ready https://docket.example", <-said)
	return address, said, systemd
}

// post sends a request as the proxy does.
func post(t *testing.T, address, path string, body map[string]string) *nethttp.Response {
	t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	r, err := nethttp.NewRequestWithContext(t.Context(), nethttp.MethodPost, "http://"+address+http.Base+path, bytes.NewReader(encoded))
	require.NoError(t, err)
	r.Host = "docket.example"
	r.Header.Set("Content-Type", "application/json")
	answer, err := nethttp.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func TestTheFirstAdministratorInProduction(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	address, lines, systemd := serveProduction(t, url)
	told := make([]byte, 100)
	n, err := systemd.Read(told)
	require.NoError(t, err)
	require.Equal(t, "READY=1", string(told[:n]))
	link := <-lines
	require.Regexp(t, `^docket setup https://docket\.example/setup\?token=[A-Za-z0-9_-]{43}$`, link)
	_, token, _ := strings.Cut(link, "token=")
	member := docket(t, map[string]string{"DATABASE_URL": url}, "user", "create", "--email", "member@example.test", "--name", "Member")
	require.Zero(t, member.status, member.stderr)
	_, lines, _ = serveProduction(t, url)
	require.Regexp(t, "^docket setup ", <-lines, "accounts that are no administrators do not count")
	admin := map[string]string{"token": token, "email": "root@example.test", "name": "Root", "password": "a quieter horse"}
	require.Equal(t, nethttp.StatusCreated, post(t, address, "/users/setup", admin).StatusCode)
	again := post(t, address, "/users/setup", admin)
	require.Equal(t, nethttp.StatusBadRequest, again.StatusCode, "it works once")
	said, err := io.ReadAll(again.Body)
	require.NoError(t, err)
	require.Contains(t, string(said), "docket user create --admin-root", "the way on is named")

	signedIn := post(t, address, "/users/sign-in", map[string]string{"email": "root@example.test", "password": "a quieter horse"})
	require.Equal(t, nethttp.StatusOK, signedIn.StatusCode)
	cookie := signedIn.Cookies()[0]
	require.Equal(t, "__Host-docket_session", cookie.Name)
	require.True(t, cookie.Secure)
	require.Empty(t, cookie.Domain)
	require.Equal(t, "/", cookie.Path)

	get := func(name string) int {
		r, err := nethttp.NewRequestWithContext(t.Context(), nethttp.MethodGet, "http://"+address+http.Base+"/admin/users", nil)
		require.NoError(t, err)
		r.Host = "docket.example"
		r.AddCookie(&nethttp.Cookie{Name: name, Value: cookie.Value})
		answer, err := nethttp.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	require.Equal(t, nethttp.StatusOK, get("__Host-docket_session"))
	require.Equal(t, nethttp.StatusUnauthorized, get("docket_session"), "another host of the domain could have set it")

	_, lines, _ = serveProduction(t, url)
	select {
	case line := <-lines:
		require.Fail(t, "a link although there is an administrator", line)
	default:
	}
}

func TestPasswordsOff(t *testing.T) {
	t.Parallel()
	_, err := (&app{environment: map[string]string{"DOCKET_PASSWORDS": "off"}}).config()
	require.ErrorContains(t, err, "DOCKET_PASSWORDS")
	_, err = (&app{environment: map[string]string{"DOCKET_PASSWORDS": "no", "OIDC_ISSUER": "https://sso.example"}}).config()
	require.ErrorContains(t, err, "DOCKET_PASSWORDS")
	require.ErrorContains(t, err, "OIDC_CLIENT_SECRET")
	for want, cfg := range map[string]*Config{"": {}, "sso.example": {OIDCIssuer: "https://sso.example/realm"}, "Example": {OIDCIssuer: "https://sso.example", OIDCName: "Example"}} {
		require.Equal(t, want, cfg.oidcName())
	}
}
