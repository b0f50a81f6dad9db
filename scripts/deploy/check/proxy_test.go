package check

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// block is a fenced block of docs/operate.md.
func block(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/operate.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```").FindStringSubmatch(string(page))
	require.NotNil(t, found)
	require.LessOrEqual(t, strings.Count(found[1], "\n"), 8)
	return found[1]
}

// certificate writes one that nobody attests, and its key.
func certificate(t *testing.T, folder string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"moderation.example"}, NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, b := range map[string]*pem.Block{"moderation.pem": {Type: "CERTIFICATE", Bytes: signed}, "moderation.key": {Type: "PRIVATE KEY", Bytes: encoded}} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(b), 0o600))
	}
}

// Behind nginx and Caddy as docs/operate.md sets them up people sign in over TLS with their own
// addresses, the live feed arrives while it is open, and what is inside stays inside.
func TestProxies(t *testing.T) {
	for name, made := range map[string]func(t *testing.T, folder, server, listen string) []string{
		"nginx": func(t *testing.T, folder, server, listen string) []string {
			t.Helper()
			site := strings.NewReplacer("127.0.0.1:8080", server, "listen 443", "listen "+listen, "/etc/ssl", folder).Replace(block(t, "nginx"))
			config := filepath.Join(folder, "nginx.conf")
			whole := "daemon off;\npid " + folder + "/pid;\nerror_log " + folder + "/error.log;\nevents {}\nhttp {\naccess_log off;\n"
			for _, temp := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				whole += temp + "_temp_path " + folder + "/" + temp + ";\n"
			}
			require.NoError(t, os.WriteFile(config, []byte(whole+site+"}\n"), 0o600))
			return []string{"nginx", "-c", config}
		},
		"caddy": func(t *testing.T, folder, server, listen string) []string {
			t.Helper()
			_, port, err := net.SplitHostPort(listen)
			require.NoError(t, err)
			site := strings.NewReplacer("127.0.0.1:8080", server, "moderation.example {", "moderation.example:"+port+" {\n\ttls "+folder+"/moderation.pem "+folder+"/moderation.key").
				Replace(block(t, "caddy"))
			config := filepath.Join(folder, "Caddyfile")
			require.NoError(t, os.WriteFile(config, []byte("{\n\tadmin off\n\tauto_https disable_redirects\n}\n"+site), 0o600))
			return []string{"caddy", "run", "--adapter", "caddyfile", "--config", config}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			data, err := os.MkdirTemp("", "docket-proxy-")
			require.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(data) })
			require.NoError(t, os.Chmod(data, 0o755))
			server, listen, folder := freePort(t), freePort(t), t.TempDir()
			start(t, []string{"DATABASE_URL=" + os.Getenv("DOCKET_CHECK_DATABASE_URL"), "DOCKET_DATA_DIR=" + data, "DOCKET_LISTEN=" + server,
				"DOCKET_BASE_URL=https://moderation.example", "DOCKET_TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error"}, "../../../bin/docket", "demo")
			certificate(t, folder)
			command := made(t, folder, server, listen)
			start(t, nil, command[0], command[1:]...)

			jar, err := cookiejar.New(nil)
			require.NoError(t, err)
			// A person's own address, of which the proxy tells the server.
			dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
			browser := &http.Client{Jar: jar, Transport: &http.Transport{
				DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return dialer.DialContext(ctx, network, listen)
				},
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the test's own certificate
			}}
			const site = "https://moderation.example"
			ask := func(method, path, body string) (int, string) {
				request, err := http.NewRequestWithContext(ctx, method, site+path, bytes.NewReader([]byte(body)))
				require.NoError(t, err)
				request.Header.Set("Content-Type", "application/json")
				answer, err := browser.Do(request)
				if err != nil {
					return 0, err.Error()
				}
				defer answer.Body.Close()
				text, err := io.ReadAll(answer.Body)
				require.NoError(t, err)
				return answer.StatusCode, string(text)
			}
			const core = "/api/@platform/core"
			require.Eventually(t, func() bool {
				status, _ := ask(http.MethodGet, core+"/users/session", "")
				return status == http.StatusOK
			}, 20*time.Second, 100*time.Millisecond, "the proxy leads to the server")
			for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
				status, _ := ask(http.MethodGet, path, "")
				require.Equal(t, http.StatusNotFound, status, path)
			}
			status, text := ask(http.MethodPost, core+"/users/sign-in", `{"email": "admin@demo.test", "password": "demo-password"}`)
			require.Equal(t, http.StatusOK, status, text)
			_, text = ask(http.MethodGet, core+"/users/sessions", "")
			require.Contains(t, text, `"address":"127.0.0.2"`)

			request, err := http.NewRequestWithContext(ctx, http.MethodGet, site+core+"/moderation/live", nil)
			require.NoError(t, err)
			feed, err := browser.Do(request)
			require.NoError(t, err)
			defer feed.Body.Close()
			require.Equal(t, http.StatusOK, feed.StatusCode)
			lines := bufio.NewReader(feed.Body)
			_, err = lines.ReadString('\n')
			require.NoError(t, err, "the feed begins while it is open")
			status, text = ask(http.MethodPost, core+"/moderation/reports", `{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam"}`)
			require.Equal(t, http.StatusCreated, status, text)
			for told := ""; !strings.Contains(told, `"reportId"`); {
				told, err = lines.ReadString('\n')
				require.NoError(t, err, "the event arrives while the feed is open")
			}
		})
	}
}
