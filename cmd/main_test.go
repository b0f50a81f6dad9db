package cmd

import (
	"bytes"
	"context"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// outcome is what a command did.
type outcome struct {
	status         int
	stdout, stderr string
}

func docket(t testing.TB, environment map[string]string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{environment: environment, stdout: &stdout, stderr: &stderr}
	status := a.run(t.Context(), args)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestExitStatuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		args   []string
		status int
		stdout string // a part of it
		stderr string // a part of it
	}{
		{"help", []string{"--help"}, 0, "Usage: docket <command>", ""},
		{"help of a command", []string{"migrate", "--help"}, 0, "migrate up", ""},
		{"help of a command's command", []string{"migrate", "up", "--help"}, 0, "Usage: docket migrate up", ""},
		{"version", []string{"version"}, 0, "docket ", ""},
		{"no command", nil, 2, "", "docket --help"},
		{"half a command", []string{"migrate"}, 2, "", "expected one of"},
		{"unknown command", []string{"nothing"}, 2, "", "nothing"},
		{"unknown option", []string{"version", "--loud"}, 2, "", "--loud"},
		{"the demo takes the options of serve", []string{"demo", "--migrate", "--plugin", "x", "--report-spam"}, 1, "", "DATABASE_URL: is not a URL"},
		{"failure", []string{"migrate", "up"}, 1, "", "DATABASE_URL: is not a URL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := docket(t, map[string]string{"DATABASE_URL": "mysql://x"}, c.args...)
			require.Equal(t, c.status, got.status, got.stderr)
			require.Contains(t, got.stdout, c.stdout)
			require.Contains(t, got.stderr, c.stderr)
			if c.status != 0 {
				require.Empty(t, got.stdout, "standard output is for answers")
			}
		})
	}
}

// Given a full disk, then a command whose output is lost has failed.
func TestLostOutputIsAFailure(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	var stderr bytes.Buffer
	require.Equal(t, exitFailure, (&app{stdout: full, stderr: &stderr}).run(t.Context(), []string{"audit", "key"}))
	require.Contains(t, stderr.String(), "no space left on device")
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.Empty(t)}

	up := docket(t, environment, "migrate", "up")
	require.Equal(t, 0, up.status, up.stderr)
	require.Contains(t, up.stdout, "applied 20261011193321_add_moderation_reports.sql\n")
	require.Equal(t, "nothing to apply\n", docket(t, environment, "migrate", "up").stdout)
	require.NotContains(t, docket(t, environment, "migrate", "status").stdout, "pending")

	down := docket(t, environment, "migrate", "down")
	applied := strings.Split(strings.TrimSpace(up.stdout), "\n")
	require.Equal(t, strings.Replace(applied[len(applied)-1], "applied", "reverted", 1)+"\n", down.stdout, down.stderr)
	status := docket(t, environment, "migrate", "status").stdout
	require.Contains(t, status, "pending")
	require.Equal(t, strings.Count(up.stdout, "\n"), strings.Count(status, "\n"))
}

func TestCommandsAskForMigrations(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.Empty(t)}
	id := uuid.NewString()
	for _, args := range [][]string{
		{"serve"}, {"replay", id}, {"replay", "--queue", "--at", "2026-11-01T00:00:00Z"}, {"erase", "--report", id},
		{"audit", "verify"}, {"audit", "export"}, {"audit", "prove", id}, {"projections", "status"}, {"projections", "verify"},
		{"projections", "rebuild"}, {"projections", "resume", "daily"}, {"user", "delete", "a@b"}, {"token", "list", "--user", "a@b"},
	} {
		got := docket(t, environment, args...)
		require.Equal(t, 1, got.status, "%v", args)
		require.Contains(t, got.stderr, "migrations are pending", "%v", args)
	}
}

func TestInterruptedCommandFails(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	a := &app{environment: map[string]string{"DATABASE_URL": pgtest.Empty(t)}, stdout: &stdout, stderr: &stderr}
	require.Equal(t, 1, a.run(ctx, []string{"migrate", "up"}))
	require.Contains(t, stderr.String(), "context canceled")
}

func with(base map[string]string, more ...string) map[string]string {
	all := maps.Clone(base)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}
