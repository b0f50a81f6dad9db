package backup

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// findProgram returns the path of pg_dump or pg_restore of a major version, whose dumps
// that server can read: from PATH, else from Debian's folder of that version.
func findProgram(ctx context.Context, name string, major int) (string, error) {
	candidates := []string{filepath.Join("/usr/lib/postgresql", strconv.Itoa(major), "bin", name)}
	if path, err := exec.LookPath(name); err == nil {
		candidates = slices.Insert(candidates, 0, path)
	}
	var others []string
	for _, path := range candidates {
		found, err := majorOf(ctx, path)
		if err == nil && found == major {
			return path, nil
		}
		if err == nil {
			others = append(others, strconv.Itoa(found))
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	message := fmt.Sprintf("there is no %s %d, the version of the server: install postgresql-client-%d", name, major, major)
	if len(others) > 0 {
		message += fmt.Sprintf(" (found version %s)", strings.Join(others, ", "))
	}
	return "", errors.New(message)
}

var versionText = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func majorOf(ctx context.Context, program string) (int, error) {
	out, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return 0, err
	}
	found := versionText.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("%s does not tell its version", program)
	}
	return strconv.Atoi(string(found[1]))
}

// poolParameters matches the parameters of pgx, which PostgreSQL's own programs refuse.
var poolParameters = regexp.MustCompile(`^(pool_\w+|default_query_exec_mode|statement_cache_capacity|description_cache_capacity)$`)

// program is one of PostgreSQL's programs, connected to the database of a URL. The password is
// passed in the environment, since others may read command lines.
func program(ctx context.Context, path, databaseURL string, args ...string) (*exec.Cmd, error) {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return nil, errors.New("the database's address is not a URL") // the parser's error may contain the password
	}
	environment := os.Environ()
	query := u.Query()
	password, set := u.User.Password()
	if query.Has("password") {
		password, set = query.Get("password"), true
	}
	if set {
		environment = append(environment, "PGPASSWORD="+password)
		u.User = url.User(u.User.Username())
	}
	for name := range query {
		if name == "password" || poolParameters.MatchString(name) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	cmd := exec.CommandContext(ctx, path, append(args, "--dbname="+u.String())...)
	cmd.Env = append(environment, "PGAPPNAME=docket backup")
	return cmd, nil
}
