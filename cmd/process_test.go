package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// binary builds docket once for the tests that run it as a process.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "docket-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "docket")
	out, err := exec.Command("go", "build", "-o", path, "./docket").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build docket: %w\n%s", err, out)
	}
	return path, nil
})

// process is a running docket that has said it is ready.
type process struct {
	t   testing.TB
	cmd *exec.Cmd
	url string
	// log is the file that its standard error goes to.
	log string
	// ended is closed when the process is gone.
	ended chan struct{}
	// clients are those of signIn, by email.
	clients map[string]*nethttp.Client
}

func startProcess(t testing.TB, environment map[string]string, args ...string) *process {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	return startBinary(t, path, environment, args...)
}

// startBinary starts a docket that was built elsewhere.
func startBinary(t testing.TB, path string, environment map[string]string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "DOCKET_LISTEN=127.0.0.1:0", "LOG_LEVEL=warn",
		"DOCKET_DATA_DIR="+filepath.Join(filepath.Dir(path), "state")) // where the key of events is kept
	for name, value := range environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer func() { require.NoError(t, stderr.Close()) }() // the process keeps its own
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &process{t: t, cmd: cmd, log: stderr.Name(), ended: make(chan struct{}), clients: map[string]*nethttp.Client{}}
	ready := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		ready <- line
		_, _ = io.Copy(io.Discard, stdout)
		_ = cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() { p.kill() })
	select {
	case line := <-ready:
		said, err := os.ReadFile(stderr.Name())
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line, "docket ready http://127.0.0.1:"), "%q\n%s", line, said)
		p.url = strings.TrimSpace(strings.TrimPrefix(line, "docket ready "))
	case <-time.After(2 * time.Minute):
		t.Fatal("docket was not ready within two minutes")
	}
	return p
}

// said is what stands in its log.
func (p *process) said() string {
	p.t.Helper()
	said, err := os.ReadFile(p.log)
	require.NoError(p.t, err)
	return string(said)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// end tells the process to end, which it does in good order and in the time that
// operators are promised.
func (p *process) end(signal os.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(signal))
	select {
	case <-p.ended:
		require.Zero(p.t, p.cmd.ProcessState.ExitCode())
	case <-time.After(10 * time.Second):
		p.t.Fatal("docket did not stop within 10 s")
	}
}

// send calls the API and gives the status and the body.
func (p *process) send(client *nethttp.Client, method, path string, body any) (int, map[string]any, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	r, err := nethttp.NewRequest(method, p.url+http.Base+path, bytes.NewReader(encoded))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	var decoded map[string]any
	err = json.NewDecoder(answer.Body).Decode(&decoded)
	return answer.StatusCode, decoded, err
}

// signIn gives a client with a session: the same one again.
func (p *process) signIn(email string) *nethttp.Client {
	p.t.Helper()
	if known := p.clients[email]; known != nil {
		return known
	}
	jar := &cookie{}
	client := &nethttp.Client{Jar: jar, Timeout: 30 * time.Second}
	status, _, err := p.send(client, nethttp.MethodPost, "/users/sign-in", map[string]string{"email": email, "password": demoPassword})
	require.NoError(p.t, err)
	require.Equal(p.t, nethttp.StatusOK, status)
	p.clients[email] = client
	return client
}

// TestKilledServerLosesNothing kills the server and its database under load, the
// way a machine fails, and holds what it acknowledged to what is there after.
func TestKilledServerLosesNothing(t *testing.T) {
	t.Parallel()
	dir := reachableDir(t)
	environment := map[string]string{"DOCKET_DATA_DIR": dir, "DATABASE_URL": ""}
	p := startProcess(t, environment, "demo")
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var wg sync.WaitGroup
	enough := make(chan struct{})
	for n := range 9 {
		client := p.signIn(fmt.Sprintf("member%d@demo.test", n+1))
		wg.Go(func() {
			for post := 1; post <= 20; post++ {
				status, body, err := p.send(client, nethttp.MethodPost, "/moderation/reports",
					map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(post), "reason": "spam"})
				if err != nil {
					return // the server is gone
				}
				if status == nethttp.StatusCreated {
					mu.Lock()
					acknowledged[body["id"].(string)] = true
					if len(acknowledged) == 40 {
						close(enough)
					}
					mu.Unlock()
				}
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(time.Minute):
		t.Fatal("nothing was filed")
	}
	p.kill()
	wg.Wait()

	p = startProcess(t, environment, "demo")
	mo := p.signIn("moderator@demo.test")
	for id := range acknowledged {
		p.must(mo, nethttp.MethodGet, "/moderation/reports/"+id, nil)
	}
	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify"}} {
		got := docket(t, environment, args...)
		require.Zero(t, got.status, got.stdout+got.stderr)
	}
}

// A server that is stopped while it starts has not failed.
func TestServerStopsBeforeItIsReady(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "demo"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			silent, err := net.Listen("tcp", "127.0.0.1:0") // a database that never answers
			require.NoError(t, err)
			defer func() { require.NoError(t, silent.Close()) }()
			path, err := binary()
			require.NoError(t, err)
			cmd := exec.Command(path, command)
			cmd.Env = append(os.Environ(), "DOCKET_LISTEN=127.0.0.1:0", "DATABASE_URL=postgres://docket@"+silent.Addr().String()+"/docket")
			var out, said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &said
			require.NoError(t, cmd.Start())
			waits, err := silent.Accept()
			require.NoError(t, err)
			defer func() { require.NoError(t, waits.Close()) }()

			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))

			require.NoError(t, cmd.Wait(), "exit status 0: %s", &said)
			require.Contains(t, said.String(), "told to stop")
			require.Empty(t, out.String(), "it never said that it was ready")
		})
	}
}
