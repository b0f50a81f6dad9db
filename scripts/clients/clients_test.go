//go:build clients

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	dockethttp "github.com/docketmod/docket/http"
)

// The committed clients are those of the document.
func TestTheClientsAreOfThisDocument(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run(t, nil, ".", "./generate", folder)
	for _, file := range []string{"go/docket.go", "ts/docket.d.ts"} {
		fresh, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		committed, err := os.ReadFile(file)
		require.NoError(t, err)
		if string(fresh) != string(committed) {
			t.Errorf("%s is not of this document: run make clients", file)
		}
		require.NotRegexp(t, `(?m)(: any\b|\binterface\{\}$|\binterface\{\} .json)`, string(committed), "a value without a type in %s", file)
	}
}

// The clients compile and speak to a server through a proxy that compares requests and answers with the
// document: every operation with its example, as one that has read nothing else would call it.
func TestClients(t *testing.T) {
	t.Parallel()
	environment := append(os.Environ(), "DATABASE_URL="+pgtest.URL(t), "DOCKET_DATA_DIR="+t.TempDir(), "DOCKET_LISTEN=127.0.0.1:0", "LOG_LEVEL=warn")
	binary := filepath.Join(t.TempDir(), "docket")
	run(t, nil, ".", "go", "build", "-o", binary, "../../cmd/docket")
	server := serve(t, environment, binary)
	token := func(user string) string {
		return run(t, environment, ".", binary, "token", "create", "--use", "admin", "--user", user)
	}
	moderator := token("moderator@demo.test")
	report := func(post int) string { return file(t, server, moderator, post) }
	calls := described(t)
	require.Greater(t, len(calls), 59)

	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		own := t.TempDir()
		run(t, nil, ".", "cp", "-r", "go", own)
		own = filepath.Join(own, "go")
		copyFile(t, "testdata/use.go", filepath.Join(own, "use", "main.go"))
		writeFile(t, filepath.Join(own, "every", "main.go"), goCalls(calls, report(1)))
		offline := append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
		require.Equal(t, "in_progress Mo Moderator 1 true\nevent: assigned\nnot_found", run(t, offline, own, "go", "run", "./use", server, moderator))
		check(t, calls, run(t, offline, own, "go", "run", "./every", proxy(t, server), token("admin@demo.test")))
	})
	t.Run("TypeScript", func(t *testing.T) {
		t.Parallel()
		own := t.TempDir()
		run(t, nil, ".", "cp", "-r", "ts", own)
		own = filepath.Join(own, "ts")
		modules, err := filepath.Abs("node_modules")
		require.NoError(t, err)
		require.NoError(t, os.Symlink(modules, filepath.Join(own, "node_modules")))
		copyFile(t, "testdata/use.ts", filepath.Join(own, "use.ts"))
		writeFile(t, filepath.Join(own, "every.ts"), tsCalls(calls, report(2)))
		writeFile(t, filepath.Join(own, "page.ts"), "declare const process: { env: Record<string, string | undefined> }\n"+pageExample(t))
		run(t, nil, own, "node_modules/.bin/tsc", "--strict", "--target", "es2022", "--module", "nodenext", "use.ts", "every.ts", "page.ts")
		require.Equal(t, "in_progress Mo Moderator 1 true\nevent: assigned\n400", run(t, nil, own, "node", "use.js", server, moderator))
		check(t, calls, run(t, nil, own, "node", "every.js", proxy(t, server), token("admin@demo.test")))
	})
}

// pageExample is all TypeScript that docs/api.md prints.
func pageExample(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	blocks := strings.Split(string(page), "```ts\n")[1:]
	require.NotEmpty(t, blocks)
	for i, block := range blocks {
		blocks[i], _, _ = strings.Cut(block, "```")
	}
	return strings.Join(blocks, "")
}

// refused are the operations that an administrator's token may not do: the factors of a person, and what
// takes a token for signals.
var refused = map[string]bool{"sendSignals": true, "beginTOTP": true, "confirmTOTP": true, "beginPasskey": true, "addPasskey": true, "renewRecoveryCodes": true, "removeOwnFactor": true}

// check reads a line "operation status" for each call.
func check(t *testing.T, calls []call, out string) {
	t.Helper()
	answered, good := map[string]bool{}, 0
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		require.Len(t, fields, 2, line)
		answered[fields[0]] = true
		require.NotEqual(t, byte('5'), fields[1][0], line)
		if !refused[fields[0]] {
			require.NotEqual(t, "403", fields[1], line)
		}
		if fields[1][0] == '2' {
			good++
		}
	}
	require.Len(t, answered, len(calls))
	require.Greater(t, good, 50, out)
}

// file files a report of a post and returns its id.
func file(t *testing.T, server, token string, post int) string {
	t.Helper()
	body := fmt.Sprintf(`{"pluginId":"forum","targetType":"forum.post","targetId":"%d","reason":"spam"}`, 10+post)
	r, err := http.NewRequest(http.MethodPost, server+"/api/@platform/core/moderation/reports", strings.NewReader(body))
	require.NoError(t, err)
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
	a, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer a.Body.Close()
	var filed struct{ ID string }
	require.NoError(t, json.NewDecoder(a.Body).Decode(&filed))
	require.NotEmpty(t, filed.ID)
	return filed.ID
}

// proxy serves a server's API at the address that it returns, and fails the test for a request or an answer
// that is not as the document says.
func proxy(t *testing.T, server string) string {
	t.Helper()
	raw, err := dockethttp.OpenAPI()
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(raw)
	require.NoError(t, err)
	document.Servers = nil // whatever the address
	routes, err := gorillamux.NewRouter(document)
	require.NoError(t, err)
	base, err := url.Parse(server + "/api/@platform/core")
	require.NoError(t, err)
	compared := openapi3filter.NewValidator(routes, openapi3filter.Strict(true),
		openapi3filter.ValidationOptions(openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}),
		openapi3filter.OnLog(func(context.Context, string, error) {}),
		openapi3filter.OnErr(func(_ context.Context, w http.ResponseWriter, status int, _ openapi3filter.ErrCode, err error) {
			t.Errorf("against the document: %v", err)
			w.WriteHeader(status)
		}))
	p := httptest.NewServer(compared.Middleware(httputil.NewSingleHostReverseProxy(base)))
	t.Cleanup(p.Close)
	return p.URL
}

// serve starts a demo and returns its address.
func serve(t *testing.T, environment []string, binary string) (address string) {
	t.Helper()
	return strings.TrimPrefix(start(t, environment, "docket ready ", binary, "demo"), "docket ready ")
}

// start runs a program until the test ends, and returns the line that says it is ready.
func start(t *testing.T, environment []string, ready, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env, c.Stderr = environment, t.Output()
	c.Cancel, c.WaitDelay = func() error { return c.Process.Signal(syscall.SIGTERM) }, 10*time.Second
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.Contains(lines.Text(), ready) {
			drained := make(chan struct{})
			go func() {
				for lines.Scan() {
				}
				close(drained)
			}()
			t.Cleanup(func() { <-drained; _ = c.Wait() })
			return strings.TrimSpace(lines.Text())
		}
	}
	require.Fail(t, "not ready", program)
	return ""
}

// run returns what a program prints in a folder. It must succeed.
func run(t *testing.T, environment []string, folder, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	c.Dir, c.Env = folder, environment
	out, err := c.Output()
	if err != nil {
		var failed *exec.ExitError
		require.ErrorAs(t, err, &failed)
		require.NoError(t, err, "%s %v: %s%s", program, args, out, failed.Stderr)
	}
	return strings.TrimSpace(string(out))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	writeFile(t, to, string(text))
}

func writeFile(t *testing.T, to, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	require.NoError(t, os.WriteFile(to, []byte(text), 0o600))
}
