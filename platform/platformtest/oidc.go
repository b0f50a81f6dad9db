package platformtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// OIDCProvider is oidc-provider, a certified OpenID provider for Node, on loopback.
type OIDCProvider struct {
	t      testing.TB
	Issuer string
	stop   func()
}

// The client that the provider knows.
const (
	OIDCClientID     = "docket"
	OIDCClientSecret = "a-secret-of-thirty-two-characters"
)

// providerFolder is scripts/oidc, with its packages installed once in a process.
var providerFolder = sync.OnceValues(func() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	folder := filepath.Join(filepath.Dir(file), "..", "..", "scripts", "oidc")
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

// NewOIDCProvider starts a provider that sends people back to redirect, until the test
// ends. It needs Node.
func NewOIDCProvider(t testing.TB, redirect string, environment ...string) *OIDCProvider {
	t.Helper()
	folder, err := providerFolder()
	require.NoError(t, err, "install the packages of scripts/oidc; npm is needed")
	cmd := exec.CommandContext(t.Context(), "node", "provider.mjs")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), append(environment,
		"OIDC_CLIENT_ID="+OIDCClientID, "OIDC_CLIENT_SECRET="+OIDCClientSecret, "OIDC_REDIRECT_URI="+redirect)...)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	input, err := cmd.StdinPipe() // its end ends the provider, should this process be killed
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stop := sync.OnceFunc(func() { _, _ = input.Close(), cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(stop)
	issuer, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, "the provider did not start")
	return &OIDCProvider{t, strings.TrimSpace(issuer), stop}
}

// SignInAs makes the provider sign everybody in with these claims from now on.
func (p *OIDCProvider) SignInAs(claims map[string]any) {
	p.t.Helper()
	encoded, err := json.Marshal(claims)
	require.NoError(p.t, err)
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.Issuer+"/person", bytes.NewReader(encoded))
	require.NoError(p.t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
	require.Equal(p.t, http.StatusNoContent, response.StatusCode)
}

// Stop ends the provider.
func (p *OIDCProvider) Stop() { p.stop() }
