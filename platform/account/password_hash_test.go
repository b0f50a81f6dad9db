package account

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPasswordVerifiesAgainstItsOwnHashOnly(t *testing.T) {
	t.Parallel()
	p := newPasswords(2, argonMemory)
	hash, err := p.hash(t.Context(), home, password)
	require.NoError(t, err)
	other, err := p.hash(t.Context(), home, password)
	require.NoError(t, err)
	require.NotEqual(t, hash, other, "a salt of its own")
	require.NotContains(t, hash, password)

	for given, want := range map[string]bool{password: true, password + " ": false, "": false} {
		right, err := p.verify(given, hash)
		require.NoError(t, err)
		require.Equal(t, want, right, given)
	}
}

func TestNoPasswordOpensAnAccountWithoutOne(t *testing.T) {
	t.Parallel()
	p := newPasswords(1, argonMemory)
	for _, given := range []string{"", password, strings.Repeat("\x00", 32)} {
		right, err := p.verify(given, "")
		require.NoError(t, err)
		require.False(t, right)
	}
}

func TestStoredHashIsBounded(t *testing.T) {
	t.Parallel()
	valid := encodeHash(argonMemory, make([]byte, 16), make([]byte, 32))
	_, err := decodeHash(valid)
	require.NoError(t, err)
	tests := map[string]string{
		"empty":              "",
		"another algorithm":  strings.Replace(valid, "argon2id", "argon2i", 1),
		"another version":    strings.Replace(valid, "v=19", "v=16", 1),
		"memory without end": strings.Replace(valid, "m=19456", "m=4000000000", 1),
		"no memory":          strings.Replace(valid, "m=19456", "m=0", 1),
		"time without end":   strings.Replace(valid, "t=2", "t=1000", 1),
		"no threads":         strings.Replace(valid, "p=1", "p=0", 1),
		"a short key":        encodeHash(argonMemory, make([]byte, 16), make([]byte, 4)),
		"a short salt":       encodeHash(argonMemory, make([]byte, 2), make([]byte, 32)),
		"not base64":         valid + "!",
	}
	for name, hash := range tests {
		_, err := decodeHash(hash)
		require.ErrorContains(t, err, "unknown format", name)
	}
}

func TestWaitingForATurnEndsWithTheContext(t *testing.T) {
	t.Parallel()
	p := newPasswords(1, argonMemory)
	release, err := p.queue.enter(t.Context(), home)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.hash(ctx, home, password)
	require.ErrorIs(t, err, context.Canceled)
	release()
	_, err = p.hash(t.Context(), home, password)
	require.NoError(t, err)
}
