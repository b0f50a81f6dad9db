package egress

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
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
