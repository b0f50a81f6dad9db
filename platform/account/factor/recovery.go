package factor

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// RecoveryCodes is how many codes an account is given at once.
const RecoveryCodes = 10

// recoveryBytes gives a code 80 bits, too many to find by trying, also from its plain hash.
const recoveryBytes = 10

// letters has no l, o, 0 or 1, which look alike.
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

// PlainRecovery returns a code in the form that is hashed: without hyphens and white space, in
// small letters.
func PlainRecovery(code string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == '-' || r <= ' ' }), ""))
}
