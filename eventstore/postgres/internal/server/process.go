package server

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

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
