package sealing

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// sealedPrefix begins an encrypted secret. An unencrypted one begins with whsec_, as in Standard Webhooks.
const sealedPrefix = "sealed:v1:"

// Seal encrypts a secret. The nonce is derived from the secret, so that the result is deterministic: a plugin that
// declares the same secret again changes nothing.
func (k Keys) Seal(secret string) string {
	if len(k) == 0 {
		return secret
	}
	mac := hmac.New(sha256.New, k[0].nonce)
	mac.Write([]byte(secret))
	nonce := mac.Sum(nil)[:k[0].aead.NonceSize()]
	return sealedPrefix + base64.StdEncoding.EncodeToString(k[0].aead.Seal(nonce, nonce, []byte(secret), nil))
}

// ErrUnknownKey means that a secret was encrypted with another key.
var ErrUnknownKey = errors.New("the signing secret was encrypted with a key that DOCKET_SECRETS_KEY does not hold")

// Open decrypts the result of Seal, also for a former key. An unencrypted secret is returned as it is.
func (k Keys) Open(stored string) (string, error) {
	text, sealed := strings.CutPrefix(stored, sealedPrefix)
	if !sealed {
		return stored, nil
	}
	// The decoder ignores line breaks and unused bits, which Seal never writes.
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != text {
		return "", ErrUnknownKey
	}
	for _, key := range k {
		if n := key.aead.NonceSize(); len(raw) >= n {
			if secret, err := key.aead.Open(nil, raw[:n], raw[n:], nil); err == nil {
				return string(secret), nil
			}
		}
	}
	return "", ErrUnknownKey
}

// Anew returns the secret encrypted with the first key, and whether that differs from the stored text. A secret that
// cannot be decrypted stays as it is.
func (k Keys) Anew(stored string) (sealed string, changed bool) {
	secret, err := k.Open(stored)
	if err != nil {
		return stored, false
	}
	sealed = k.Seal(secret)
	return sealed, sealed != stored
}

// Derive derives a signing secret for a purpose from another one, which it does not reveal.
func Derive(secret, purpose string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("docket derived secret: " + purpose))
	return secretPrefix + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// secretPrefix begins a secret of Standard Webhooks.
const secretPrefix = "whsec_"

// NewSecret makes a signing secret of 256 bits in the form of Standard Webhooks.
func NewSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}
