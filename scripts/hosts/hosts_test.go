// Package hosts_test runs the platforms of this folder beside a demo of Docket.
package hosts_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	core   = "/api/@platform/core"
	secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
)

// buildDocket returns the path of a new binary.
func buildDocket(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docket")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "../../cmd/docket").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// start runs a program until the test ends and returns the last word of its first line, the
// address at which it is ready.
func start(t *testing.T, cmd *exec.Cmd) (address string) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	late := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		require.NoError(t, err, "not ready: %s", &said)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		force := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		defer force.Stop()
		_ = cmd.Wait()
	})
	words := strings.Fields(line)
	return words[len(words)-1]
}

// run returns what a program prints. It must succeed.
func run(t *testing.T, environment []string, path string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = environment
	return strings.TrimSpace(string(output(t, cmd)))
}

// output returns what a command prints. It must succeed.
func output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, &said)
	return out
}

// caller sends requests to one site with the same headers, and keeps its cookie.
type caller struct {
	t      *testing.T
	base   string
	header http.Header
}

// answer is a status with its headers and its body, which is decoded if it is a JSON object.
type answer struct {
	status int
	header http.Header
	text   string
	object map[string]any
}

func (c *caller) send(method, path, kind, body string) answer {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	require.NoError(c.t, err)
	r.Header = c.header.Clone()
	if body != "" {
		r.Header.Set("Content-Type", kind)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(c.t, err)
	defer response.Body.Close()
	for _, cookie := range response.Cookies() {
		c.header.Set("Cookie", cookie.Name+"="+cookie.Value)
	}
	text, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	_ = json.Unmarshal(text, &a.object)
	return a
}

func (c *caller) get(path string) answer { c.t.Helper(); return c.send(http.MethodGet, path, "", "") }

func (c *caller) postForm(path, body string) answer {
	c.t.Helper()
	return c.send(http.MethodPost, path, "application/x-www-form-urlencoded", body)
}

func (c *caller) postJSON(path string, body any) answer {
	c.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(c.t, err)
	return c.send(http.MethodPost, path, "application/json", string(encoded))
}

// signIn signs the demo's administrator in at Docket.
func (c *caller) signIn() {
	c.t.Helper()
	signed := c.postJSON("/users/sign-in", map[string]string{"email": "admin@demo.test", "password": "demo-password"})
	require.Equal(c.t, http.StatusOK, signed.status, signed.text)
}

// edges are the entries of a page.
func edges(page any) (all []map[string]any) {
	for _, e := range page.(map[string]any)["edges"].([]any) {
		all = append(all, e.(map[string]any))
	}
	return all
}

// timeline returns the types of a report's timeline, oldest first.
func timeline(report map[string]any) (types []string) {
	for _, e := range edges(report["timeline"]) {
		types = append(types, e["type"].(string))
	}
	return types
}

// connect writes a manifest as it stands in this folder, with another address of its platform.
func connect(t *testing.T, manifest, from, to string) string {
	t.Helper()
	text, err := os.ReadFile(manifest)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	path := filepath.Join(t.TempDir(), filepath.Base(manifest))
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0o600))
	return path
}
