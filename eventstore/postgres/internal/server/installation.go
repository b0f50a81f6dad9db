// Package server runs a private PostgreSQL server: it finds the programs, creates a cluster, and starts and stops the
// postmaster. Packages local and pgtest decide who shares a cluster. Other modules must not import it.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// MinMajor is the oldest supported major version of PostgreSQL.
const MinMajor = 15

// ErrNotInstalled is wrapped by Find's error when the programs are missing.
var ErrNotInstalled = errors.New("PostgreSQL server programs not found")

// Installation is a PostgreSQL installation on this machine.
type Installation struct {
	Major    int
	postgres string
	initdb   string
}

// Find returns the first suitable installation: from PATH, then the newest of
// /usr/lib/postgresql/*/bin. A major of 0 accepts any supported version, any other must match
// exactly, since a cluster opens only under the major version that created it.
func Find(ctx context.Context, major int) (Installation, error) {
	return choose(ctx, append(fromPath(), fromDebian()...), major)
}

func choose(ctx context.Context, candidates []Installation, major int) (Installation, error) {
	for _, candidate := range candidates {
		version, err := majorOf(ctx, candidate.postgres)
		if err != nil {
			continue
		}
		candidate.Major = version
		if version == major || major == 0 && version >= MinMajor {
			return candidate, nil
		}
	}
	if ctx.Err() != nil {
		return Installation{}, context.Cause(ctx)
	}
	if major != 0 {
		return Installation{}, fmt.Errorf("%w: the cluster was made by PostgreSQL %d; install it with: apt-get install postgresql-%d", ErrNotInstalled, major, major)
	}
	return Installation{}, fmt.Errorf("%w in PATH or /usr/lib/postgresql/*/bin (version %d or newer is needed); install them with: apt-get install postgresql; or set DATABASE_URL", ErrNotInstalled, MinMajor)
}

func fromPath() []Installation {
	postgres, err := exec.LookPath("postgres")
	if err != nil {
		return nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return nil
	}
	return []Installation{{postgres: postgres, initdb: initdb}}
}

func fromDebian() []Installation {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well-formed
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(debianMajor(b), debianMajor(a)) })
	var found []Installation
	for _, dir := range dirs {
		i := Installation{postgres: filepath.Join(dir, "postgres"), initdb: filepath.Join(dir, "initdb")}
		if isProgram(i.postgres) && isProgram(i.initdb) {
			found = append(found, i)
		}
	}
	return found
}

func isProgram(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}

// debianMajor is the version in /usr/lib/postgresql/<version>/bin, or 0.
func debianMajor(bin string) int {
	major, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	return major
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func majorOf(ctx context.Context, postgres string) (int, error) {
	out, err := exec.CommandContext(ctx, postgres, "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("ask %s for its version: %w", postgres, err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return 0, fmt.Errorf("%s gave no version: %q", postgres, out)
	}
	return strconv.Atoi(string(match[1]))
}
