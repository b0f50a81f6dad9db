package server

import (
	"path/filepath"
	"runtime"
	"strings"
)

// FitsSocket says whether the folder's path can hold the server's socket: the
// system bounds the length of a socket's path, and a client takes a comma in a
// host for the end of it.
func FitsSocket(dir string) bool {
	longest := 107
	if runtime.GOOS == "darwin" {
		longest = 103
	}
	return len(filepath.Join(dir, ".s.PGSQL."+port)) <= longest && !strings.Contains(dir, ",")
}
