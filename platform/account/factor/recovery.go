package factor

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// RecoveryCodes is how many codes an account gets.
const RecoveryCodes = 10

// recoveryBytes gives a code 80 bits, too many for a brute-force search, even of its plain hash.
const recoveryBytes = 10

// letters lacks l, o, 0 and 1, which look alike.
var letters = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// NewRecoveryCodes returns codes of the form xxxx-xxxx-xxxx-xxxx.
func NewRecoveryCodes() (codes []string) {
	for range RecoveryCodes {
		var b [recoveryBytes]byte
		_, _ = rand.Read(b[:]) // never fails
		text := letters.EncodeToString(b[:])
		codes = append(codes, text[:4]+"-"+text[4:8]+"-"+text[8:12]+"-"+text[12:])
	}
	return codes
}

// PlainRecovery returns a code in the form that is hashed: lower case, without hyphens and white
// space.
func PlainRecovery(code string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == '-' || r <= ' ' }), ""))
}
