package backup

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a disk that is full, when a backup is written, then its error says so, and not that pg_dump failed.
func TestAFullDiskIsNamed(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	dump := filepath.Join(t.TempDir(), "pg_dump")
	require.NoError(t, os.WriteFile(dump, []byte("#!/bin/sh\nwhile echo words; do :; done\n"), 0o700))
	err = Deployment{URL: "postgres://db/docket"}.write(t.Context(), full, dump, Manifest{})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NotContains(t, err.Error(), "pg_dump")
}

// Given a file system without hard links, then a backup gets its name all the same, and replaces nothing.
func TestABackupWithoutHardLinks(t *testing.T) {
	t.Parallel()
	noLinks := func(string, string) error { return syscall.EPERM }
	folder := t.TempDir()
	for i, want := range []error{nil, fs.ErrExist} {
		unfinished, file := filepath.Join(folder, "unfinished"), filepath.Join(folder, "backup.zip")
		require.NoError(t, os.WriteFile(unfinished, []byte{byte(i)}, 0o600))
		require.ErrorIs(t, place(unfinished, file, noLinks), want)
		held, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, []byte{0}, held)
	}
	lost := filepath.Join(folder, "lost.zip")
	require.ErrorIs(t, place(filepath.Join(folder, "gone"), lost, noLinks), fs.ErrNotExist)
	require.NoFileExists(t, lost, "an empty file would pass for a backup")
}
