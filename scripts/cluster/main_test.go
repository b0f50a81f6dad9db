//go:build cluster

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// whole bounds the tests, which take a third of it when nothing else runs. It is below go
// test's own limit, which would leave programs behind.
const whole = 25 * time.Minute

// running is the cluster that the tests share, one after the other, and the Docket of
// this tree.
var (
	running *cluster
	binary  string
)

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	complain := func(err error) int {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		return 1
	}
	dir, err := os.MkdirTemp("", "docket-cluster-")
	if err != nil {
		return complain(err)
	}
	kept := filepath.Join(dir, "logs")
	if running, err = newCluster(dir); err != nil {
		return complain(err)
	}
	fmt.Println("logs:", kept)
	began := time.Now()
	defer func() {
		if err := running.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "cluster:", err)
		}
		removeData(dir)
	}()
	binary = filepath.Join(dir, "docket")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "../../cmd/docket").CombinedOutput(); err != nil {
		return complain(fmt.Errorf("%w: %s", err, out))
	}
	if err := running.makeAuditKey(ctx, binary); err != nil {
		return complain(err)
	}
	if err := running.start(ctx); err != nil {
		return complain(err)
	}
	fmt.Printf("started in %s\n", time.Since(began).Round(time.Second))
	time.AfterFunc(whole, func() {
		fmt.Fprintf(os.Stderr, "cluster: not done after %s\n", whole)
		_ = running.stop()
		os.Exit(1)
	})
	return m.Run()
}

// removeData leaves nothing of the cluster but its logs.
func removeData(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != "logs" {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// docket runs a command of the Docket of this tree with the settings of the first server,
// and returns what it prints. It must succeed.
func docket(t *testing.T, more []string, args ...string) string {
	t.Helper()
	out, err := docketFails(t, more, args...)
	require.NoError(t, err, "docket %s: %s", strings.Join(args, " "), out)
	return out
}

func docketFails(t *testing.T, more []string, args ...string) (string, error) {
	t.Helper()
	environment, err := running.docketEnvironment(0, more...)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environment...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// startDockets starts both Dockets of that binary on a database that they own.
func startDockets(t *testing.T, binary string, more ...string) {
	t.Helper()
	for i := range running.Docket {
		require.NoError(t, running.startDocket(t.Context(), i, binary, more...))
	}
	require.NoError(t, running.wait(t.Context()))
	t.Cleanup(func() {
		if err := running.stopDockets(); err != nil {
			t.Error(err)
		}
	})
}

// wait returns when both Dockets answer through the proxy.
func (c *cluster) wait(ctx context.Context) error {
	for _, s := range c.Docket {
		if err := c.proxySees(ctx, "docket", s.Name); err != nil {
			return err
		}
	}
	return nil
}

// settings name the database of a test in place of the cluster's.
func settings(database string, more ...string) []string {
	return append([]string{"DATABASE_URL=" + running.databaseURL("docket", database), "DATABASE_READ_URL=" + running.replicaURL("docket", database)}, more...)
}
