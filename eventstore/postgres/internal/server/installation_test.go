package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	old, fit, newer := fake(t, "14.3"), fake(t, "15.18 (Debian 15.18-0+deb12u1)"), fake(t, "18beta1")
	broken := Installation{postgres: "/nonexistent/postgres"}
	cases := []struct {
		name  string
		from  []Installation
		major int
		want  int
	}{
		{"the first that is new enough", []Installation{broken, old, fit, newer}, 0, 15},
		{"the first one wins over a newer one", []Installation{newer, fit}, 0, 18},
		{"the one that made the cluster", []Installation{newer, fit}, 15, 15},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := choose(t.Context(), c.from, c.major)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Major)
		})
	}
}

func TestChooseNamesThePackageToInstall(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		from  []Installation
		major int
		want  string
	}{
		{"nothing there", nil, 0, "apt-get install postgresql;"},
		{"too old", []Installation{fake(t, "14.3")}, 0, "apt-get install postgresql;"},
		{"another one made the cluster", []Installation{fake(t, "17.1")}, 16, "apt-get install postgresql-16"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := choose(t.Context(), c.from, c.major)
			require.ErrorIs(t, err, ErrNotInstalled)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestChooseTellsCancellationFromAbsence(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := choose(ctx, []Installation{fake(t, "15.1")}, 0)
	require.ErrorIs(t, err, context.Canceled)
}

// fake is an installation whose postgres program says the version.
func fake(t *testing.T, version string) Installation {
	t.Helper()
	program := filepath.Join(t.TempDir(), "postgres")
	script := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s'\n", version)
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	return Installation{postgres: program}
}
