package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"

	"github.com/docketmod/docket/eventstore/postgres/internal/server"
)

const (
	// urlVariable names a server to test on instead of the private one.
	urlVariable = "DOCKET_TEST_DATABASE_URL"
	// clusterVariable tells the keeper process which private cluster it is for.
	clusterVariable = "DOCKET_PGTEST_CLUSTER"
)

// OwnCluster gives a test program a private cluster that it shares only with programs of the
// same name. TestMain calls it before any test. It has no effect if DOCKET_TEST_DATABASE_URL
// is set.
func OwnCluster(name string) error { return os.Setenv(clusterVariable, "-"+name) }

func findServer(ctx context.Context) (*testServer, error) {
	if given := os.Getenv(urlVariable); given != "" {
		return givenServer(ctx, given)
	}
	private, err := privateServer(ctx)
	if err != nil {
		return nil, err
	}
	maintenance, err := pgxpool.New(ctx, private.URL("postgres"))
	if err != nil {
		return nil, err
	}
	// Without fsync, copying files is faster than copying through the WAL.
	return &testServer{maintenance: maintenance, url: private.URL, strategy: "STRATEGY file_copy"}, nil
}

func givenServer(ctx context.Context, given string) (*testServer, error) {
	maintenance, err := pgxpool.New(ctx, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", urlVariable, err)
	}
	parsed, err := url.Parse(given)
	if err != nil || parsed.Scheme == "" {
		return nil, fmt.Errorf("%s must be a URL, as postgres://user@host/database", urlVariable)
	}
	return &testServer{maintenance: maintenance, url: func(database string) string {
		other := *parsed
		other.Path = "/" + database
		return other.String()
	}}, nil
}

// privateCluster is the folder of the shared private cluster and its locks.
//
//   - start.lock is held while the cluster is started or stopped.
//   - users.lock is held, shared, by every process that uses the cluster, until the process ends.
//   - keeper.lock is held by the process that will stop the cluster.
//
// The last two are taken under the first.
type privateCluster struct {
	dir    string
	start  *server.FileLock
	users  *server.FileLock
	keeper *server.FileLock
}

// baseDir returns a folder in memory if that is large enough, since creating the hundreds of files
// of a database is then ten times faster. It decides by size and not by free space, so that all
// processes choose the same folder.
func baseDir() string {
	const (
		memory = "/dev/shm"
		plenty = 4 << 30
	)
	var stat unix.Statfs_t
	if err := unix.Statfs(memory, &stat); err != nil || stat.Blocks*uint64(stat.Bsize) < plenty {
		return os.TempDir()
	}
	return memory
}

func openPrivateCluster() (*privateCluster, error) {
	dir := filepath.Join(baseDir(), "docket-pgtest-"+strconv.Itoa(os.Geteuid())+os.Getenv(clusterVariable))
	// Others may enter the folder, since the server may run as another account. Its content is
	// accessible to that account only.
	if err := os.Mkdir(dir, 0o711); err != nil && !os.IsExist(err) {
		return nil, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(stat.Uid) != os.Geteuid() {
		return nil, fmt.Errorf("%s is not a folder of ours; remove it, or set TMPDIR or %s", dir, urlVariable)
	}
	start, err := server.OpenLock(filepath.Join(dir, "start.lock"))
	if err != nil {
		return nil, err
	}
	users, err := server.OpenLock(filepath.Join(dir, "users.lock"))
	if err != nil {
		return nil, err
	}
	keeper, err := server.OpenLock(filepath.Join(dir, "keeper.lock"))
	if err != nil {
		return nil, err
	}
	return &privateCluster{dir: dir, start: start, users: users, keeper: keeper}, nil
}

func (c *privateCluster) server(ctx context.Context) (*server.Server, error) {
	installation, err := server.Find(ctx, 0)
	if err != nil {
		return nil, err
	}
	account, err := server.ServerAccount()
	if err != nil {
		return nil, err
	}
	return &server.Server{
		Installation: installation,
		Account:      account,
		DataDir:      filepath.Join(c.dir, "data"),
		SocketDir:    filepath.Join(c.dir, "socket"),
		LogFile:      filepath.Join(c.dir, "server.log"),
		Settings: map[string]string{
			// Nothing has to survive a crash.
			"fsync": "off", "full_page_writes": "off",
			// Many small databases and processes at once.
			"max_connections": "300", "shared_buffers": "64MB", "max_wal_size": "256MB",
			"jit": "off", "log_checkpoints": "off",
		},
	}, nil
}

// privateServer joins the cluster and starts it if necessary. The locks stay open until the process
// ends.
func privateServer(ctx context.Context) (_ *server.Server, err error) {
	c, err := openPrivateCluster()
	if err != nil {
		return nil, err
	}
	if err := c.start.Exclusive(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.start.Close()) }()
	// It is held exclusively only briefly, and under start.lock.
	if _, err := c.users.TryShared(); err != nil {
		return nil, err
	}
	held = append(held, c.users)
	s, err := c.server(ctx)
	if err != nil {
		return nil, err
	}
	if s.PID() == 0 || s.Answers(ctx) != nil {
		if err := s.Stop(ctx); err != nil {
			return nil, err
		}
		if err := c.create(ctx, s); err != nil {
			return nil, err
		}
	}
	unkept, err := c.keeper.TryExclusive()
	if err == nil && unkept {
		err = startKeeper()
	}
	return s, errors.Join(err, c.keeper.Close())
}

// held keeps the users lock reachable, since the garbage collector closes unreachable files.
var held []*server.FileLock

func (c *privateCluster) create(ctx context.Context, s *server.Server) error {
	for _, dir := range []string{s.DataDir, s.SocketDir} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := s.Account.MakeDir(dir); err != nil {
			return err
		}
	}
	if err := s.InitDB(ctx, "--no-sync"); err != nil {
		return err
	}
	return s.Start(ctx)
}
