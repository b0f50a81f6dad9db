package proof_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore/proof"
)

// names are the files of a folder.
func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// Servers that share a new folder agree on its key, whoever makes it, and none
// reads one that is not written yet.
func TestAFolderHasOneKey(t *testing.T) {
	t.Parallel()
	f := proof.Folder{Path: filepath.Join(t.TempDir(), "audit")}
	signers := make([]note.Signer, 16)
	var servers errgroup.Group
	for i := range signers {
		servers.Go(func() (err error) {
			signers[i], err = f.Signer()
			return err
		})
	}
	require.NoError(t, servers.Wait())

	for _, s := range signers {
		require.Equal(t, signers[0].KeyHash(), s.KeyHash())
	}
	public, err := f.PublicKey()
	require.NoError(t, err)
	verifier, err := note.NewVerifier(public)
	require.NoError(t, err)
	require.Equal(t, signers[0].KeyHash(), verifier.KeyHash())
	require.Equal(t, []string{"key", "key.pub"}, names(t, f.Path))
}

// Given the public half of a key that is missing, as after a restore, no other key is made
// in its place.
func TestAMissingKeyIsNotReplaced(t *testing.T) {
	t.Parallel()
	f := proof.Folder{Path: t.TempDir()}
	signer, err := f.Signer()
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(f.Path, proof.KeyFile)))

	_, err = f.Signer()

	require.ErrorContains(t, err, "its public half is there")
	public, err := f.PublicKey()
	require.NoError(t, err)
	require.Equal(t, signer.Public, public)
}

func TestTakingACheckpointOfTheSameLogGivesTheOneThatIsKept(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	f := proof.Folder{Path: t.TempDir()}
	signer, err := f.Signer()
	require.NoError(t, err)
	none, err := proof.Folder{Path: f.Path + "/none"}.Checkpoints()
	require.NoError(t, err)
	require.Empty(t, none)
	earlier, err := proof.Take(t.Context(), l.Pool, nil, signer, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	kept, err := f.Keep(earlier)
	require.NoError(t, err)

	again, path, err := f.Take(t.Context(), l.Pool)
	require.NoError(t, err)
	require.Equal(t, kept, path)
	require.Equal(t, string(earlier.Note), string(again.Note))
	held, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(held), string(again.Note))
	all, err := f.Checkpoints()
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, l.kept[0].Tree, all[0].Tree)

	l.File(t, 0, "later")
	l.Seal(t)
	later, path, err := f.Take(t.Context(), l.Pool)
	require.NoError(t, err)
	require.Equal(t, earlier.N+1, later.N)
	require.NotEqual(t, kept, path)

	_, err = proof.Folder{Path: f.Path, Key: "PRIVATE+KEY+x"}.Signer()
	require.Error(t, err)
	// Without a folder each is a new one.
	private, _, err := note.GenerateKey(rand.Reader, "test")
	require.NoError(t, err)
	_, path, err = proof.Folder{Key: private}.Take(t.Context(), l.Pool)
	require.NoError(t, err)
	require.Empty(t, path)
}

// Of servers that take one of the same log at once, one keeps its, and it is what
// all of them tell.
func TestServersKeepOneCheckpointOfALog(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	f := proof.Folder{Path: t.TempDir()}
	signer, err := f.Signer()
	require.NoError(t, err)
	told := make([]string, 8)
	var servers errgroup.Group
	for i := range told {
		c, err := proof.Take(t.Context(), l.Pool, nil, signer, time.Now().Add(-time.Duration(i)*time.Hour))
		require.NoError(t, err)
		servers.Go(func() error {
			path, err := f.Keep(c)
			if err != nil {
				return err
			}
			held, err := os.ReadFile(path)
			told[i] = string(held)
			return err
		})
	}
	require.NoError(t, servers.Wait())
	for _, note := range told {
		require.Equal(t, told[0], note)
	}
	require.Len(t, names(t, f.Path), 3)
}
