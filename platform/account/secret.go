package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// secretBytes gives session ids and tokens 256 bits. They cannot be guessed, so a plain SHA-256
// suffices to store them.
const secretBytes = 32

// secretLength is the length of a secret's text.
const secretLength = 43

// NewSecret returns a secret of secretLength characters.
func NewSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails; the program ends if the system has no randomness
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// HashSecret returns what is stored of a secret.
func HashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
