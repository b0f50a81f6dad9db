package egress

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Given a proxy in the environment, which would reach what it is asked for from where it
// stands, then requests do not go through it.
func TestNoProxyIsUsed(t *testing.T) {
	asked := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(proxy.Close)
	for _, name := range []string{"HTTP_PROXY", "http_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	client := NewClient(Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Timeout: 10 * time.Second})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://10.0.0.1/", nil)
	require.NoError(t, err)
	answer, err := client.Do(request)
	if err == nil {
		_ = answer.Body.Close()
	}
	var refused *refusedError
	require.ErrorAs(t, err, &refused)
	require.False(t, asked)
}

// Whatever the other side does, a request ends by its deadline, and its connection is closed.
func TestADeadlineHoldsWhateverTheAnswerIs(t *testing.T) {
	t.Parallel()
	const late, invalid = "no complete answer within", "no valid HTTP answer"
	const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
	for name, c := range map[string]struct {
		begin, repeat string // what is written once, and then for ever
		deaf          bool   // reads nothing of the request
		want          string
	}{
		"switches protocols":             {begin: switched, want: "answered 101"},
		"switches protocols and talks":   {begin: switched, repeat: "x", want: "answered 101"},
		"says nothing":                   {want: late},
		"says nothing and hears nothing": {deaf: true, want: late},
		"promises for ever":              {repeat: "HTTP/1.1 103 Early Hints\r\nLink: </" + strings.Repeat("x", 8<<10) + ">\r\n\r\n", want: invalid},
		"drips headers":                  {begin: "HTTP/1.1 200 OK\r\n", repeat: "x", want: late},
		"drips a body":                   {begin: "HTTP/1.1 200 OK\r\n\r\n", repeat: "x", want: late},
		"drips chunks":                   {begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", repeat: "1\r\nx\r\n", want: late},
		"is not HTTP":                    {begin: "secret\r\n", repeat: "secret", want: invalid},
		"says a strange status":          {begin: "HTTP/1.1 secret OK\r\n\r\n", want: invalid},
		"says a strange header":          {begin: "HTTP/1.1 200 OK\r\nsecret\r\n\r\n", want: invalid},
		"says a strange length":          {begin: "HTTP/1.1 200 OK\r\nContent-Length: secret\r\n\r\n", want: invalid},
		"says headers of a megabyte":     {begin: "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", want: invalid},
		"stops in a body":                {begin: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nx", want: late},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { _ = listener.Close() })
			closed, over := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(closed)
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				defer func() { _ = conn.Close() }()
				if !c.deaf {
					if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						_, _ = io.Copy(io.Discard, r.Body)
					}
				}
				_, err = conn.Write([]byte(c.begin))
				for every := time.NewTicker(10 * time.Millisecond); err == nil && c.repeat != ""; <-every.C {
					_, err = conn.Write([]byte(c.repeat))
				}
				if c.deaf {
					<-over
				}
				_, _ = io.Copy(io.Discard, conn) // until the client closes it
			}()
			timeout, body := 300*time.Millisecond, ""
			if c.want != late {
				timeout = 5 * time.Second
			}
			if c.deaf {
				body = strings.Repeat("x", 16<<20) // more than the kernel takes
			}
			client := NewClient(Options{Allow: Everywhere(), Timeout: timeout, KeepAlive: true})
			ended := make(chan error, 1)
			go func() {
				defer close(over)
				answer, err := client.Post("http://"+listener.Addr().String(), "text/plain", strings.NewReader(body))
				if err == nil {
					_, err = io.Copy(io.Discard, answer.Body)
					_ = answer.Body.Close()
				}
				client.CloseIdleConnections() // one that was made too late was not used
				ended <- err
			}()
			select {
			case err := <-ended:
				require.Error(t, err)
				said := Explain(context.Background(), err, timeout)
				require.Contains(t, said, c.want)
				require.NotContains(t, said, "secret", "what the other side says is not kept")
			case <-time.After(10 * time.Second):
				t.Fatal("the request does not end")
			}
			select {
			case <-closed:
			case <-time.After(10 * time.Second):
				t.Fatal("the connection stays open")
			}
		})
	}
}

// What cannot be reached is told by its reason.
func TestAFailureIsExplained(t *testing.T) {
	t.Parallel()
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain, secure := httptest.NewServer(nothing), httptest.NewTLSServer(nothing)
	secure.Config.ErrorLog = nil
	busy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	for _, s := range []*httptest.Server{plain, secure, busy} {
		t.Cleanup(s.Close)
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for name, c := range map[string]struct {
		url   string
		allow []netip.Prefix
		want  string
	}{
		"it hangs up":              {busy.URL, loopback, "connection failed: it ended before the answer did"},
		"nobody listens":           {"http://127.0.0.1:1/", loopback, "connection failed: dial tcp"},
		"a private one":            {plain.URL, nil, "127.0.0.1 is not public"},
		"the metadata service":     {"http://169.254.169.254/latest", nil, "169.254.169.254 is not public"},
		"a name of a private one":  {"http://localhost:1/", nil, "is not public"},
		"a decimal address":        {"http://2130706433/", nil, ""},
		"a mapped address":         {"http://[::ffff:10.0.0.1]/", nil, "10.0.0.1 is not public"},
		"no such name":             {"http://docket.invalid/", nil, "cannot be resolved"},
		"an untrusted certificate": {secure.URL, loopback, "TLS: the certificate is not trusted"},
		"no TLS":                   {strings.Replace(plain.URL, "http:", "https:", 1), loopback, "does not speak TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := NewClient(Options{Allow: c.allow, Timeout: 20 * time.Second}).Post(c.url, "text/plain", nil)
			if err == nil {
				_ = answer.Body.Close()
			}
			require.Error(t, err)
			require.Contains(t, Explain(t.Context(), err, 20*time.Second), c.want)
		})
	}
}
