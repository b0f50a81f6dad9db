package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// secretBytes makes session ids and tokens of 256 bits: too many to guess, so
// that one plain SHA-256 is hash enough to store them by.
const secretBytes = 32

// secretLength is the length of a secret's text.
const secretLength = 43

func newSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails; the program ends if the system has no randomness
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
