package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// PID returns the process id of the running postmaster, or 0. It does not trust the pid file alone:
// after a crash, another process may have that id.
func (s *Server) PID() int {
	lines := s.pidFile()
	if len(lines) == 0 {
		return 0
	}
	pid, err := strconv.Atoi(lines[0])
	if err != nil || pid <= 0 || !servesFrom(pid, s.DataDir) {
		return 0
	}
	return pid
}

// ClearStale removes the leftovers of a crashed server, so that the next one starts.
// PostgreSQL does so itself unless the old process id is in use again, which is likely
// after a reboot. It waits for the crashed server's last processes until ctx ends,
// since two servers on one cluster would destroy it. The server must not be running,
// and nobody else may start it meanwhile.
func (s *Server) ClearStale(ctx context.Context) error {
	if err := poll(ctx, func() (bool, error) { return !s.memoryInUse(), nil }); err != nil {
		return fmt.Errorf("processes of a crashed PostgreSQL still work in %s: %w", s.DataDir, err)
	}
	for _, path := range []string{
		filepath.Join(s.DataDir, "postmaster.pid"),
		filepath.Join(s.SocketDir, ".s.PGSQL."+port),
		filepath.Join(s.SocketDir, ".s.PGSQL."+port+".lock"),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear up after a crash: %w", err)
		}
	}
	return nil
}

// memoryInUse reports whether any process still uses the shared memory that the pid
// file names. Every process of a server uses it to its end.
func (s *Server) memoryInUse() bool {
	const line = 6 // of the pid file: the segment's key and id
	lines := s.pidFile()
	if len(lines) <= line {
		return false
	}
	fields := strings.Fields(lines[line])
	if len(fields) != 2 {
		return false
	}
	id, err := strconv.Atoi(fields[1])
	if err != nil {
		return false
	}
	var segment unix.SysvShmDesc
	_, err = unix.SysvShmCtl(id, unix.IPC_STAT, &segment)
	return err == nil && segment.Nattch > 0
}

// pidFile returns the trimmed lines of postmaster.pid, or none if there is no such
// file.
func (s *Server) pidFile() []string {
	content, err := os.ReadFile(filepath.Join(s.DataDir, "postmaster.pid"))
	if err != nil {
		return nil
	}
	lines := strings.Split(string(content), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// servesFrom reports whether the process is a living postmaster of dataDir, by the
// arguments that Start gave it. On systems without /proc it accepts any living process.
func servesFrom(pid int, dataDir string) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	arguments, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil {
		_, err := os.Stat("/proc/self/cmdline")
		return err != nil
	}
	return bytes.Contains(arguments, []byte("\x00-D\x00"+dataDir+"\x00"))
}
