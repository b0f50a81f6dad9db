package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docketmod/docket/eventstore/postgres/internal/server"
)

// socketDir returns the folder of the socket: run in the data directory or, if that
// path is too long for a socket, the temporary folder recorded there. It is "" if none
// is recorded yet.
func socketDir(dataDir string) (string, error) {
	if dir := filepath.Join(dataDir, "run"); server.FitsSocket(dir) {
		return dir, nil
	}
	content, err := os.ReadFile(filepath.Join(dataDir, "socket"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the socket: %w", err)
	}
	return string(content), nil
}

// prepareSocketDir creates the folder of the socket. The server must not be running.
func (c *Cluster) prepareSocketDir() error {
	dataDir := filepath.Dir(c.server.DataDir)
	if c.server.SocketDir == filepath.Join(dataDir, "run") {
		return c.server.Account.MakeDir(c.server.SocketDir)
	}
	if c.server.SocketDir != "" && c.server.Account.MakeDir(c.server.SocketDir) == nil {
		return nil
	}
	dir, err := c.temporarySocketDir()
	if err != nil {
		return fmt.Errorf("folder for the socket: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dataDir, "socket"), []byte(dir), 0o600); err != nil {
		return fmt.Errorf("folder for the socket: %w", err)
	}
	c.server.SocketDir = dir
	return nil
}

// temporarySocketDir creates a folder with an unpredictable name.
func (c *Cluster) temporarySocketDir() (string, error) {
	var faults error
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		dir, err := os.MkdirTemp(parent, "docket-")
		if err == nil && server.FitsSocket(dir) {
			if err = c.server.Account.MakeDir(dir); err == nil {
				var blocked string
				if blocked, err = c.server.Account.Blocked(dir); err == nil && blocked == "" {
					return dir, nil
				}
			}
		}
		if err == nil {
			err = fmt.Errorf("%s cannot hold it", parent)
		}
		faults = errors.Join(faults, err)
		if dir != "" {
			faults = errors.Join(faults, os.Remove(dir))
		}
	}
	return "", faults
}

// removeSocketDir removes a temporary folder of the socket. The server must not be
// running.
func (c *Cluster) removeSocketDir() error {
	dataDir := filepath.Dir(c.server.DataDir)
	if c.server.SocketDir == "" || strings.HasPrefix(c.server.SocketDir, dataDir+"/") {
		return nil
	}
	if err := os.RemoveAll(c.server.SocketDir); err != nil {
		return fmt.Errorf("remove the socket's folder: %w", err)
	}
	return os.Remove(filepath.Join(dataDir, "socket"))
}
