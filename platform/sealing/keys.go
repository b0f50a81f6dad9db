// Package sealing encrypts secrets that Docket shares with others and needs for signing, so that a copy of the database
// contains none of them. Other modules must not import it.
package sealing

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// Keys encrypt signing secrets in the database. The first key encrypts and all decrypt, so that a
// key can be replaced. Without keys, secrets are stored unencrypted.
type Keys []secretKey

type secretKey struct {
	aead  cipher.AEAD
	nonce []byte // of HMAC, which derives nonces
}

// Split parses comma-separated keys of 32 bytes each in base64. Its error does not quote them.
func Split(text string) (keys [][]byte, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(part)
		if err != nil || len(raw) != 32 {
			return nil, errors.New("is not 32 bytes in base64, as openssl rand -base64 32 prints them")
		}
		keys = append(keys, raw)
	}
	return keys, nil
}

// NewKeys returns the keys from Split.
func NewKeys(split [][]byte) (keys Keys) {
	for _, raw := range split {
		block, _ := aes.NewCipher(derive(raw, "encrypt")) // neither fails for 32 bytes
		aead, _ := cipher.NewGCM(block)
		keys = append(keys, secretKey{aead, derive(raw, "nonce")})
	}
	return keys
}

func derive(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("docket webhook secrets: " + purpose))
	return mac.Sum(nil)
}
