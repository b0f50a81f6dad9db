package server

import (
	"path/filepath"
	"runtime"
	"strings"
)

// FitsSocket reports whether the folder's path can hold the server's socket: the system
// limits the length of a socket's path, and a client ends a host at a comma.
func FitsSocket(dir string) bool {
	longest := 107
	if runtime.GOOS == "darwin" {
		longest = 103
	}
	return len(filepath.Join(dir, ".s.PGSQL."+port)) <= longest && !strings.Contains(dir, ",")
}
