package http_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

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
