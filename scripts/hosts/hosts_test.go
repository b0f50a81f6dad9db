// Package hosts_test runs the platforms of this folder beside a demo of Docket.
package hosts_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
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
func (c *caller) signIn() { c.t.Helper(); c.signInAs("admin") }

func (c *caller) signInAs(name string) {
	c.t.Helper()
	signed := c.postJSON("/users/sign-in", map[string]string{"email": name + "@demo.test", "password": "demo-password"})
	require.Equal(c.t, http.StatusOK, signed.status, signed.text)
}

// done sends a request that must succeed, and returns its answer.
func (c *caller) done(method, path string, body any) map[string]any {
	c.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(c.t, err)
	a := c.send(method, path, "application/json", string(encoded))
	require.Less(c.t, a.status, 300, a.text)
	return a.object
}

// told counts the notices of a member by kind.
func told(member *caller) map[any]int {
	n := map[any]int{}
	for _, notice := range edges(member.get("/users/notices?first=50").object) {
		n[notice["kind"]]++
	}
	return n
}

// twoStrikes publishes a rule that is worth two strikes, for which the ladder proposes a suspension, and lets a second
// moderator see everything.
func twoStrikes(admin *caller) (rule map[string]any) {
	admin.t.Helper()
	for _, entry := range edges(admin.get("/admin/staff/moderators").object) {
		if entry["user"].(map[string]any)["email"] == "moderator@demo.test" {
			admin.done(http.MethodPatch, "/admin/staff/entry/moderator/"+entry["id"].(string), map[string]any{"unrestricted": true})
		}
	}
	admin.done(http.MethodPut, "/admin/ladder", map[string]any{"steps": []any{map[string]any{"strikes": 2, "kind": "suspend", "days": 7}}})
	return admin.done(http.MethodPost, "/admin/policies", map[string]any{"key": "flooding", "title": "No flooding", "text": "Once is enough.", "template": "You posted it again and again.", "strikes": 2, "strikeDays": 365})
}

// suspends decides a report by a rule that is worth two strikes, for which the ladder proposes a suspension. The
// author, whom Docket knows by a token of the platform and who was suspended once before, sees it and appeals, and another moderator
// overturns it: then nothing stands, here and on the platform, and everybody was told.
func suspends(admin, author *caller, report, authorID string, barred func() bool) {
	t := admin.t
	t.Helper()
	rule := twoStrikes(admin)
	judge := &caller{t, admin.base, http.Header{}}
	judge.signInAs("moderator")

	path := "/moderation/reports/" + report
	proposed := admin.done(http.MethodGet, path+"/proposal?policy=flooding", nil)["items"].([]any)[0].(map[string]any)["measure"].(map[string]any)
	require.Equal(t, "suspend", proposed["kind"])
	admin.done(http.MethodPost, path+"/resolve", map[string]any{"expectedVersion": admin.get(path).object["version"], "resolution": "action_taken",
		"policy": map[string]any{"key": "flooding", "version": rule["version"]}, "measures": []any{map[string]any{"authorId": authorID, "kind": "suspend", "until": proposed["until"]}}})
	pgtest.Eventually(t, barred, "the platform suspends the author")
	imposed := admin.get(path).object["measures"].([]any)
	require.Equal(t, "ladder", imposed[len(imposed)-1].(map[string]any)["because"])

	// With the measure before. Its decision was reopened at once, and may have no notice.
	var before map[any]int
	pgtest.Eventually(t, func() bool { before = told(author); return before["measure"] == 3 }, "the author hears of the suspension")
	require.Positive(t, before["decision"])
	standing := author.get("/users/standing").object
	require.EqualValues(t, 2, standing["strikes"])
	require.Len(t, standing["measures"], 1)
	appeal := author.done(http.MethodPost, "/users/decisions/"+report+"/appeal", map[string]any{"text": "I wrote it once."})["id"].(string)
	judge.done(http.MethodPost, "/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": admin.get(path).object["version"]})
	began := time.Now()
	pgtest.Eventually(t, func() bool { return !barred() }, "the suspension is gone on the platform")
	t.Logf("it was gone on the platform %s after the appeal", time.Since(began).Round(time.Millisecond))
	requireNothingStands(author, map[any]int{"appeal": 1, "decision": before["decision"], "measure": 4})
}

// requireNothingStands waits until the author has heard of each fact once, by kind, and requires that they have
// neither strikes nor measures.
func requireNothingStands(author *caller, heard map[any]int) {
	t := author.t
	t.Helper()
	standing := author.get("/users/standing").object
	require.EqualValues(t, 0, standing["strikes"])
	require.Empty(t, standing["measures"])
	if !assert.Eventually(t, func() bool { return maps.Equal(heard, told(author)) }, 20*time.Second, 100*time.Millisecond) {
		require.Equal(t, heard, told(author), "the author hears of each once: %s", author.get("/users/notices?first=50").text)
	}
}

// verifies returns a function that holds the database of a server to its log.
func verifies(t *testing.T, environment []string, binary string) func() {
	return func() {
		t.Helper()
		for _, what := range []string{"audit", "projections"} {
			run(t, environment, binary, what, "verify")
		}
	}
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
