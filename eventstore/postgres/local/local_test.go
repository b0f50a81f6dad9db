package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/local"
)

func TestClusterIsDurableAndPrivate(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	c := start(t, dir)
	for setting, want := range map[string]string{
		"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
		"log_error_verbosity": "terse", "listen_addresses": "", "server_encoding": "UTF8", "lc_ctype": "C.UTF-8",
		"unix_socket_directories": `"` + filepath.Join(dir, "run") + `"`,
	} {
		var got string
		connect(t, c.URL(), func(conn *pgx.Conn) {
			require.NoError(t, conn.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got))
		})
		require.Equal(t, want, got, setting)
	}
	for _, folder := range []string{"postgres", "run"} {
		info, err := os.Stat(filepath.Join(dir, folder))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm(), folder)
		require.NotZero(t, info.Sys().(*syscall.Stat_t).Uid, "PostgreSQL never runs as root")
	}

	t.Log("its data survives a restart")
	write(t, c.URL(), "kept")
	require.NoError(t, c.Stop())
	require.Zero(t, postmaster(dir), "the last one to leave stops the server")
	require.NoError(t, c.Stop(), "stopping again does no harm")
	require.Equal(t, []string{"kept"}, read(t, start(t, dir).URL()))
}

func TestTheServerRunsUntilItsLastUserLeaves(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	starter := startProcess(t, dir)
	pid := postmaster(dir)
	command := start(t, dir)
	require.Equal(t, starter.url, command.URL())
	write(t, command.URL(), "by the command")
	require.NoError(t, command.Stop())
	require.Equal(t, pid, postmaster(dir))
	require.Equal(t, []string{"by the command"}, read(t, starter.url))

	other := start(t, dir)
	starter.leave()
	require.Equal(t, pid, postmaster(dir), "who started it may leave first")
	write(t, other.URL(), "still here")
	require.NoError(t, other.Stop())
	require.Zero(t, postmaster(dir))
}

func TestStartersRaceSafely(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	var wg sync.WaitGroup
	clusters := make([]*local.Cluster, 6)
	faults := make([]error, len(clusters))
	for i := range clusters {
		wg.Go(func() {
			clusters[i], faults[i] = local.Start(context.Background(), dir, zerolog.Nop())
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(faults...))
	pid := postmaster(dir)
	require.NotZero(t, pid)
	for i, c := range clusters {
		write(t, c.URL(), strconv.Itoa(i))
		require.Equal(t, pid, postmaster(dir))
		require.NoError(t, c.Stop())
	}
	require.Zero(t, postmaster(dir))
}

func TestKilledOwnersServerIsReplacedAndKeepsData(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	owner := startProcess(t, dir)
	write(t, owner.url, "acknowledged")
	orphan := postmaster(dir)
	owner.kill()
	require.Equal(t, orphan, postmaster(dir), "the server outlives its killed owner")

	next := start(t, dir)
	require.NotEqual(t, orphan, postmaster(dir))
	require.Equal(t, []string{"acknowledged"}, read(t, next.URL()))
}

func TestKilledServerStartsAgainUnderItsUser(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	c := start(t, dir)
	write(t, c.URL(), "acknowledged")
	killed := postmaster(dir)
	require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
	eventually(t, "the server runs again", func() bool {
		pid := postmaster(dir)
		return pid != 0 && pid != killed && answers(t, c.URL())
	})
	require.Equal(t, []string{"acknowledged"}, read(t, c.URL()))
}

func TestBothKilled(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	owner := startProcess(t, dir)
	write(t, owner.url, "acknowledged")
	owner.kill()
	require.NoError(t, syscall.Kill(postmaster(dir), syscall.SIGKILL))
	require.FileExists(t, filepath.Join(dir, "postgres", "postmaster.pid"))
	require.FileExists(t, filepath.Join(dir, "run", ".s.PGSQL.5432.lock"))

	next := start(t, dir)
	require.Equal(t, []string{"acknowledged"}, read(t, next.URL()))
}

func TestStalePidOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	owner := startProcess(t, dir)
	write(t, owner.url, "acknowledged")
	server := postmaster(dir)
	owner.kill()
	require.NoError(t, syscall.Kill(server, syscall.SIGKILL))

	// The machine restarted, and the number is now that of a process which
	// PostgreSQL would take for a server, being of the same account.
	other := exec.Command("sleep", "600")
	info, err := os.Stat(filepath.Join(dir, "postgres"))
	require.NoError(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	if int(stat.Uid) != os.Geteuid() {
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}
	}
	require.NoError(t, other.Start())
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	for _, file := range []string{"postgres/postmaster.pid", "run/.s.PGSQL.5432.lock"} {
		path := filepath.Join(dir, file)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		_, rest, _ := strings.Cut(string(content), "\n")
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "%d\n%s", other.Process.Pid, rest), 0o600))
	}

	next := start(t, dir)
	require.Equal(t, []string{"acknowledged"}, read(t, next.URL()))
	require.NoError(t, other.Process.Signal(syscall.Signal(0)), "the other process was let be")
}

func TestSocketMovesWhenItsPathIsUnfit(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, folder string
		moves        bool
	}{
		{"spaces and quotes", `it's "a" folder`, false},
		{"too long", strings.Repeat("long/", 20) + "d", true},
		{"a comma", "a,b", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(dataDir(t), c.folder)
			if c.moves {
				copyMade(t, dir)
			}
			cluster := start(t, dir)
			write(t, cluster.URL(), "works")
			moved := strings.TrimSpace(fileText(filepath.Join(dir, "socket")))
			require.Equal(t, c.moves, moved != "")
			if c.moves {
				info, err := os.Stat(moved)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
			}
			other := startProcess(t, dir)
			require.Equal(t, []string{"works"}, read(t, other.url), "another process finds it")
			other.leave()
			require.NoError(t, cluster.Stop())
			if c.moves {
				require.NoDirExists(t, moved)
			}
		})
	}
}

func TestFolderThatTheServerMayNotEnter(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		// Only root hands the server to another account; for everybody else the
		// folder below is simply one's own.
		write(t, start(t, filepath.Join(t.TempDir(), "private", "data")).URL(), "works")
		return
	}
	parent := filepath.Join(dataDir(t), "private")
	require.NoError(t, os.Mkdir(parent, 0o700))
	_, err := local.Start(t.Context(), filepath.Join(parent, "data"), zerolog.Nop())
	require.ErrorContains(t, err, "may not enter "+parent)
	require.ErrorContains(t, err, "DOCKET_DATA_DIR")

	// The data directory itself is let open a little, and no further.
	write(t, start(t, parent).URL(), "works")
	info, err := os.Stat(parent)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o710), info.Mode().Perm())
}

func TestDataDirectoryThatIsNone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, dir := range map[string]string{"a file": file, "under a file": filepath.Join(file, "data")} {
		_, err := local.Start(t.Context(), dir, zerolog.Nop())
		require.ErrorContains(t, err, "data directory", name)
	}
}

func TestClusterOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "postgres"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "postgres", "PG_VERSION"), []byte("9\n"), 0o600))
	_, err := local.Start(t.Context(), dir, zerolog.Nop())
	require.ErrorContains(t, err, "apt-get install postgresql-9")
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := local.Start(ctx, dir, zerolog.Nop())
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, postmaster(dir))

	t.Log("and what an interrupted creation leaves behind is made anew")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres.new", "base"), 0o700))
	write(t, start(t, dir).URL(), "works")
}

// dataDir is a folder with a short path that the server's account can reach.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dkt") //nolint:usetesting // t.TempDir's path is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// made is a data directory of which the cluster has been made, and stopped.
var made = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dkt")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return dir, err
	}
	c, err := local.Start(context.Background(), dir, zerolog.Nop())
	if err != nil {
		return dir, err
	}
	return dir, c.Stop()
})

// madeDir is a dataDir with a cluster, which takes a tenth of the time to copy.
func madeDir(t *testing.T) string {
	t.Helper()
	dir := dataDir(t)
	copyMade(t, dir)
	return dir
}

func copyMade(t *testing.T, dir string) {
	t.Helper()
	from, err := made()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(from, "postgres"), dir).Run())
}

func start(t *testing.T, dir string) *local.Cluster {
	t.Helper()
	c, err := local.Start(t.Context(), dir, zerolog.New(t.Output()))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

// postmaster is the process id of the server that runs on dir, or 0.
func postmaster(dir string) int {
	first, _, _ := strings.Cut(fileText(filepath.Join(dir, "postgres", "postmaster.pid")), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || !strings.Contains(fileText(fmt.Sprintf("/proc/%d/cmdline", pid)), dir) {
		return 0
	}
	return pid
}

func fileText(path string) string {
	content, _ := os.ReadFile(path) // none is as an empty one
	return string(content)
}

func connect(t *testing.T, url string, use func(*pgx.Conn)) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	use(conn)
}

func answers(t *testing.T, url string) bool {
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return false
	}
	_ = conn.Close(context.Background())
	return true
}

func write(t *testing.T, url, word string) {
	t.Helper()
	connect(t, url, func(conn *pgx.Conn) {
		_, err := conn.Exec(t.Context(), "CREATE TABLE IF NOT EXISTS words (word text)")
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), "INSERT INTO words VALUES ($1)", word)
		require.NoError(t, err)
	})
}

func read(t *testing.T, url string) []string {
	t.Helper()
	var words []string
	connect(t, url, func(conn *pgx.Conn) {
		rows, err := conn.Query(t.Context(), "SELECT word FROM words")
		require.NoError(t, err)
		words, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
	})
	return words
}
