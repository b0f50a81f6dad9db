package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// programs are the paths of the cluster's programs, by name.
type programs map[string]string

// packages are the Debian packages of the programs, by program.
var packages = map[string]string{
	"etcd": "etcd-server", "patroni": "patroni", "haproxy": "haproxy", "nats-server": "nats-server", "pgbouncer": "pgbouncer",
}

// findPrograms returns all programs, or an error that names every package that is missing.
func findPrograms() (programs, error) {
	found := programs{}
	var missing []string
	for name, pkg := range packages {
		path, err := exec.LookPath(name)
		if err != nil { // not in an ordinary account's PATH
			path, err = exec.LookPath("/usr/sbin/" + name)
		}
		if err != nil {
			missing = append(missing, pkg)
			continue
		}
		found[name] = path
	}
	servers, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(servers) == 0 {
		missing = append(missing, "postgresql")
	} else {
		found["postgres"] = servers[len(servers)-1]
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("missing packages: %s; scripts/setup cluster installs them", strings.Join(missing, ", "))
	}
	return found, nil
}

// serverAccount returns the account for PostgreSQL, or nil for the process's own.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	found, err := user.Lookup("postgres")
	if err != nil {
		return nil, errNoAccount
	}
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(found.Gid, 10, 32)
	return &account{uint32(uid), uint32(gid)}, errors.Join(err, err2)
}
