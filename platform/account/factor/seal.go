package factor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"slices"
)

// ErrSealed means that no key opens a secret, or that it was sealed for another row.
var ErrSealed = errors.New("the secret of a second factor cannot be opened with DOCKET_SECRETS_KEY, or belongs to another row")

// The first byte of a sealed secret says how it is sealed.
const (
	sealedPublic = iota // with a publicly known key: bound to its row, but not hidden
	sealedSecret
)

// Keys seal secrets for the rows that store them. The first key seals, and all open. Without keys
// anybody can open a secret, but still not one that was moved to another row.
type Keys struct {
	secret []cipher.AEAD
	public cipher.AEAD
}

// NewKeys derives the keys for this purpose only.
func NewKeys(secrets [][]byte) (k Keys) {
	for _, secret := range append([][]byte{nil}, secrets...) {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte("docket accounts: seal factors"))
		block, _ := aes.NewCipher(mac.Sum(nil)) // whose 32 bytes are a key
		aead, _ := cipher.NewGCMWithRandomNonce(block)
		if secret == nil {
			k.public = aead
		} else {
			k.secret = append(k.secret, aead)
		}
	}
	return k
}

// Seal seals a secret for a row of an account.
func (k Keys) Seal(userID, rowID string, secret []byte) []byte {
	kind, aead := byte(sealedPublic), k.public
	if len(k.secret) > 0 {
		kind, aead = sealedSecret, k.secret[0]
	}
	return aead.Seal([]byte{kind}, nil, secret, row(kind, userID, rowID)) //nolint:gosec // the cipher draws its nonce itself
}

// Open returns a sealed secret, and whether it should be resealed with the first key. loose also
// accepts what was sealed without a key.
func (k Keys) Open(userID, rowID string, sealed []byte, loose bool) (secret []byte, renew bool, err error) {
	if len(sealed) == 0 {
		return nil, false, ErrSealed
	}
	keys := k.secret
	if sealed[0] == sealedPublic {
		if keys = nil; loose || len(k.secret) == 0 {
			keys = []cipher.AEAD{k.public}
		}
	}
	for i, aead := range keys {
		if secret, err := aead.Open(nil, nil, sealed[1:], row(sealed[0], userID, rowID)); err == nil {
			return secret, i > 0 || sealed[0] == sealedPublic && len(k.secret) > 0, nil
		}
	}
	return nil, false, ErrSealed
}

func row(kind byte, userID, rowID string) []byte {
	return slices.Concat([]byte("docket factor\x00"), []byte{kind}, []byte(userID), []byte{0}, []byte(rowID))
}
