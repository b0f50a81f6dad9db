package proof

import (
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
)

type signedHash struct{ hash, signature []byte }

// signedHashes returns a new key and hashes that it signed.
func signedHashes(t testing.TB, n int) (*signers, []signedHash) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "test")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	known := &signers{}
	known.keys, err = parseKeys([]string{public})
	require.NoError(t, err)
	all := make([]signedHash, n)
	for i := range all {
		hash := make([]byte, 32)
		_, _ = rand.Read(hash)
		signature, err := signer.Sign(hash)
		require.NoError(t, err)
		all[i] = signedHash{hash, signature}
	}
	return known, all
}

// invalid returns the indexes of the signatures that no key made.
func (s *signers) invalid(signed []signedHash) (wrong []int) {
	for i, e := range signed {
		if !s.valid(e.hash, e.signature) {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

func TestNoOtherSignatureIsValid(t *testing.T) {
	t.Parallel()
	known, all := signedHashes(t, 2)
	require.Empty(t, known.invalid(all))
	order := []byte{0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 31: 0x10}
	for name, harm := range map[string]func(e *signedHash){
		"another hash":       func(e *signedHash) { e.hash[7] ^= 1 },
		"another R":          func(e *signedHash) { e.signature[3] ^= 4 },
		"another s":          func(e *signedHash) { e.signature[40] ^= 4 },
		"a bit of s":         func(e *signedHash) { e.signature[63] |= 0x80 },
		"s and the order":    func(e *signedHash) { addTo(e.signature[32:], order) },
		"no signature":       func(e *signedHash) { e.signature = nil },
		"too short":          func(e *signedHash) { e.signature = e.signature[:63] },
		"too long":           func(e *signedHash) { e.signature = append(e.signature, 0) },
		"zeros":              func(e *signedHash) { e.signature = make([]byte, 64) },
		"of another event":   func(e *signedHash) { e.signature = all[0].signature },
		"by another's key":   func(e *signedHash) { _, other := signedHashes(t, 1); e.signature = other[0].signature },
		"not a point":        func(e *signedHash) { copy(e.signature, slices.Repeat([]byte{2}, 31)) },
		"nothing but a hash": func(e *signedHash) { e.signature = e.hash },
	} {
		t.Run(name, func(t *testing.T) {
			harmed := signedHash{slices.Clone(all[1].hash), slices.Clone(all[1].signature)}
			harm(&harmed)
			require.False(t, known.valid(harmed.hash, harmed.signature))
		})
	}
}

// addTo adds little-endian numbers.
func addTo(a, b []byte) {
	carry := 0
	for i := range a {
		carry += int(a[i])
		if i < len(b) {
			carry += int(b[i])
		}
		a[i], carry = byte(carry), carry>>8
	}
}

func TestEventsOfSeveralServersAreValid(t *testing.T) {
	t.Parallel()
	one, ofOne := signedHashes(t, 3)
	two, ofTwo := signedHashes(t, 3)
	known := &signers{keys: append(one.keys, two.keys...)}
	require.Empty(t, known.invalid(ofOne))
	require.Empty(t, known.invalid(ofTwo))
	require.Empty(t, known.invalid(append(slices.Clone(ofTwo), ofOne...)))
	require.Len(t, one.invalid(append(slices.Clone(ofTwo), ofOne...)), 3)
	require.Len(t, (&signers{}).invalid(ofOne), 3)
}
