package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docketmod/docket/eventstore/postgres/internal/server"
)

// A data directory holds:
//
//	postgres/     the cluster
//	run/          its socket, unless the path is too long for one
//	socket        the path of the socket's folder where it is another
//	server.log    the server's log
//	start.lock    held while the cluster is started or stopped
//	users.lock    held, shared, by each process that uses the cluster

// DefaultDataDir returns the data directory if none is set: /var/lib/docket for root,
// whose home the server's account cannot enter, otherwise the user's state folder.
func DefaultDataDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/docket", nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "docket"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no default data directory, set DOCKET_DATA_DIR: %w", err)
	}
	return filepath.Join(home, ".local", "state", "docket"), nil
}

// prepareDataDir creates the data directory and permits the server's account to enter it.
func prepareDataDir(dataDir string, account server.Account) error {
	// Others may enter missing parents, as with mkdir -p.
	if err := os.MkdirAll(filepath.Dir(dataDir), 0o755); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if err := os.Mkdir(dataDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("data directory: %w", err)
	}
	if info, err := os.Stat(dataDir); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("data directory: %s is not a folder", dataDir))
	}
	blocked, err := account.Blocked(dataDir)
	if err == nil && blocked == dataDir {
		err = account.Admit(dataDir)
		blocked = ""
	}
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if blocked != "" {
		return fmt.Errorf("data directory %s: PostgreSQL runs as the account %s, which may not enter %s; set DOCKET_DATA_DIR to a folder elsewhere, or run as that folder's owner", dataDir, account.Name(), blocked)
	}
	return nil
}

// describe returns the server of the cluster in dataDir.
func describe(ctx context.Context, dataDir string, account server.Account) (*server.Server, error) {
	s := &server.Server{
		Account: account,
		DataDir: filepath.Join(dataDir, "postgres"),
		LogFile: filepath.Join(dataDir, "server.log"),
	}
	major, err := madeBy(s.DataDir)
	if err != nil {
		return nil, err
	}
	if s.Installation, err = server.Find(ctx, major); err != nil {
		return nil, err
	}
	s.SocketDir, err = socketDir(dataDir)
	return s, err
}

// madeBy returns the major version of PostgreSQL that created the cluster, or 0 if there is none.
func madeBy(pgData string) (int, error) {
	content, err := os.ReadFile(filepath.Join(pgData, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	return major, nil
}

// create creates the cluster unless it exists. It is renamed into place as the last
// step, so an interrupted creation starts over.
func (c *Cluster) create(ctx context.Context) error {
	if _, err := os.Stat(c.server.DataDir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made := *c.server
	made.DataDir += ".new"
	if err := os.RemoveAll(made.DataDir); err != nil {
		return fmt.Errorf("make the local cluster: %w", err)
	}
	if err := made.Account.MakeDir(made.DataDir); err != nil {
		return fmt.Errorf("make the local cluster: %w", err)
	}
	c.log.Info().Str("data", c.server.DataDir).Int("version", made.Installation.Major).Msg("making a PostgreSQL cluster")
	if err := made.InitDB(ctx); err != nil {
		return err
	}
	if err := os.Rename(made.DataDir, c.server.DataDir); err != nil {
		return fmt.Errorf("make the local cluster: %w", err)
	}
	return syncDir(filepath.Dir(c.server.DataDir))
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
