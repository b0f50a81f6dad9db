package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// outsideProgram is a program of a module outside of this repository, as docs/plugins.md says: a new
// plugin, and with it the plugins of testdata/outside, of which PLUGINS says which it has.
var outsideProgram = sync.OnceValues(func() (path string, err error) {
	docket, err := binary()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(filepath.Dir(docket), "outside")
	dir, path := filepath.Join(folder, "shop"), filepath.Join(folder, "docket")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	if err := runIn(folder, docket, "plugin", "new", "shop", "--go"); err != nil {
		return "", err
	}
	program, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		return "", err
	}
	const its = "cmd.Main(newPlugin)"
	if !strings.Contains(string(program), its) {
		return "", errors.New("the new plugin is no program")
	}
	program = []byte(strings.Replace(string(program), its, "cmd.Main(sources(newPlugin)...)", 1))
	return path, errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), program, 0o600),
		os.CopyFS(dir, os.DirFS("testdata/outside")), goOutside(dir, "build", "-o", path, "."))
})

// startOutside starts that program with the plugins that PLUGINS names.
func startOutside(t testing.TB, environment map[string]string) *process {
	t.Helper()
	path, err := outsideProgram()
	require.NoError(t, err)
	return startBinary(t, path, environment, "demo")
}

// goOutside runs a command of go in a module that needs this one. A workspace names where this one
// is: unlike a replacement, it lets the two share what is compiled.
func goOutside(dir string, args ...string) error {
	here, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if err := runIn(dir, "go", "work", "init", ".", here); err != nil {
		return err
	}
	return runIn(dir, "go", args...)
}

func runIn(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
	}
	return nil
}

// TestReadmePlugin builds a server of its own in a folder elsewhere and goes through all that
// its plugins in Go bring.
func TestReadmePlugin(t *testing.T) {
	t.Parallel()
	path, err := outsideProgram()
	require.NoError(t, err)
	url := pgtest.URL(t)
	run := func(args ...string) string {
		c := exec.Command(path, args...)
		c.Env = append(os.Environ(), "DATABASE_URL="+url, "STATS=on")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
		return string(out)
	}
	require.Regexp(t, `pending +shop/20260101000000_reviews.sql`, run("migrate", "status"))
	require.Equal(t, "applied shop/20260101000000_reviews.sql\napplied stats/1_notes.sql\n", run("migrate", "up"))
	require.Equal(t, "nothing to apply\n", run("migrate", "up"))
	require.Equal(t, "reverted stats/1_notes.sql\n", run("migrate", "down", "--plugin", "stats"))

	p := startOutside(t, map[string]string{"DATABASE_URL": url, "STATS": "on"}) // it migrates
	pool := connectTo(t, url)
	member, root := p.signIn("member1@demo.test"), p.signIn("admin@demo.test")

	filed := p.must(member, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "shop", "targetType": "shop.review", "targetId": "1", "reason": "spam"})
	p.must(root, nethttp.MethodPost, "/moderation/reports/"+filed["id"].(string)+"/actions/hide", map[string]int{"expectedVersion": 1})

	r, err := nethttp.NewRequestWithContext(t.Context(), nethttp.MethodPost, p.url+"/api/stats/notes", strings.NewReader(`{"Word": "base64"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	guest, err := nethttp.DefaultClient.Do(r.Clone(t.Context()))
	require.NoError(t, err)
	require.NoError(t, guest.Body.Close())
	require.Equal(t, nethttp.StatusUnauthorized, guest.StatusCode)
	r.Body = io.NopCloser(strings.NewReader(`{"Word": "base64"}`))
	accepted, err := member.Do(r)
	require.NoError(t, err)
	require.NoError(t, accepted.Body.Close())
	require.Equal(t, nethttp.StatusAccepted, accepted.StatusCode)

	// The first attempt of the task fails; the second one is due at once.
	require.Eventually(t, func() bool {
		_, err := pool.Exec(context.Background(), "UPDATE core_queue SET available_at = now() WHERE plugin_id = 'stats' AND attempts = 1")
		_, tickErr := tick(p)
		return err == nil && tickErr == nil && count(pool, `SELECT count(*) FROM stats_notes WHERE what LIKE 'task%'`) == 1
	}, time.Minute, 100*time.Millisecond)
	task := pgtest.One[string](t, pool, "SELECT substr(what, 6) FROM stats_notes WHERE what LIKE 'task%'")
	var payload map[string]string
	require.NoError(t, json.Unmarshal([]byte(task), &payload))
	require.Equal(t, map[string]string{"word": "base64", "by": "Mara Member"}, payload)
	require.Eventually(t, func() bool {
		return count(pool, "SELECT count(*) FROM shop_letters WHERE review = 1 AND hidden") == 1 &&
			count(pool, "SELECT count(*) FROM stats_notes WHERE what = 'heard 1'") == 1 &&
			count(pool, "SELECT count(*) FROM stats_notes WHERE what = 'job'") > 0
	}, time.Minute, 100*time.Millisecond)
}

func count(pool *pgxpool.Pool, query string) (n int) {
	if pool.QueryRow(context.Background(), query).Scan(&n) != nil {
		return -1
	}
	return n
}

func tick(p *process) (int, error) {
	r, err := nethttp.NewRequest(nethttp.MethodPost, p.url+"/api/@platform/core/cron", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer docket-default-cron-secret")
	answer, err := nethttp.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}
