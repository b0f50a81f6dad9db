package cmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func docketWithInput(t *testing.T, environment map[string]string, input string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{environment: environment, stdin: strings.NewReader(input), stdout: &stdout, stderr: &stderr}
	status := a.run(t.Context(), args)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestUsersAndTokens(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	create := []string{"user", "create", "--email", "ada@example.test", "--name", "Ada", "--password-stdin", "--admin-root"}

	made := docketWithInput(t, environment, "correct horse\n", create...)
	require.Equal(t, 0, made.status, made.stderr)
	require.Regexp(t, `^[0-9a-f-]{36}\n$`, made.stdout)
	again := docketWithInput(t, environment, "correct horse\n", create...)
	require.Equal(t, 1, again.status)
	require.Contains(t, again.stderr, "docket: An account with this email exists\n")

	token := docket(t, environment, "token", "create", "--user", "ADA@example.test", "--name", "CI", "--use", "read", "--expires", "720h")
	require.Equal(t, 0, token.status, token.stderr)
	require.Regexp(t, `^dkt_\S+\n$`, token.stdout)
	list := docket(t, environment, "token", "list", "--user", "ada@example.test")
	require.Equal(t, 0, list.status, list.stderr)
	row := strings.Fields(strings.Split(list.stdout, "\n")[1])
	require.Equal(t, []string{"CI", "read"}, row[1:3])
	require.Equal(t, "-", row[6], "not revoked")
	require.NotContains(t, list.stdout, strings.TrimSpace(token.stdout))
	require.Equal(t, 0, docket(t, environment, "token", "revoke", row[0]).status)
	list = docket(t, environment, "token", "list", "--user", "ada@example.test")
	require.NotEqual(t, "-", strings.Fields(strings.Split(list.stdout, "\n")[1])[6])

	last := docket(t, environment, "user", "delete", "ada@example.test")
	require.Equal(t, 1, last.status)
	require.Contains(t, last.stderr, "the last unrestricted administrator", "the last root stays")
	second := docket(t, environment, "user", "create", "--email", "b@example.test", "--name", "B", "--admin-root")
	require.Equal(t, 0, second.status, second.stderr)
	deleted := docket(t, environment, "user", "delete", "ada@example.test")
	require.Equal(t, 0, deleted.status, deleted.stderr)
	require.Equal(t, 1, docket(t, environment, "token", "list", "--user", "ada@example.test").status)
}

func TestUserAndTokenFaults(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	tests := []struct {
		name   string
		args   []string
		status int
		stderr string
	}{
		{"no email", []string{"user", "create", "--name", "A"}, 2, "--email"},
		{"an empty email", []string{"user", "create", "--email", " ", "--name", "A"}, 2, "--email"},
		{"two passwords", []string{"user", "create", "--email", "a@b", "--name", "A", "--password", "x", "--password-stdin"}, 2, "password"},
		{"no password in standard input", []string{"user", "create", "--email", "a@b", "--name", "A", "--password-stdin"}, 1, "no password"},
		{"every fault", []string{"user", "create", "--email", "a", "--name", " ", "--password", "x"}, 1,
			"docket: name: A name is needed; email: This is not an email address; password: A password has at least 8 bytes\n"},
		{"unknown use", []string{"token", "create", "--user", "a@b", "--use", "write"}, 2, "--use"},
		{"no time at all", []string{"token", "create", "--user", "a@b", "--expires", "0s"}, 2, "--expires"},
		{"less than no time", []string{"token", "create", "--user", "a@b", "--expires=-1h"}, 2, "--expires"},
		{"unknown account", []string{"token", "create", "--user", "a@b"}, 1, "docket: account a@b: not found\n"},
		{"unknown token", []string{"token", "revoke", "x"}, 1, "docket: token x: not found\n"},
		{"unknown account to delete", []string{"user", "delete", "a@b"}, 1, "docket: account a@b: not found\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := docketWithInput(t, environment, "", test.args...)
			require.Equal(t, test.status, got.status, got.stderr)
			require.Contains(t, got.stderr, test.stderr)
		})
	}
}
