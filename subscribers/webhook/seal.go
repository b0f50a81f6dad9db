package webhook

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// sealedPrefix marks a secret that is encrypted. Those of Standard Webhooks begin with
// whsec_.
const sealedPrefix = "sealed:v1:"

// Keys encrypt signing secrets in the database. The first seals, all of them open, so a
// key can be replaced. No keys leave secrets as they are.
type Keys []sealKey

type sealKey struct {
	aead  cipher.AEAD
	nonce []byte // of HMAC, which derives nonces
}

// ParseKeys reads comma-separated keys of 32 bytes each in base64. Its error does not
// repeat them.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(part)
		if err != nil || len(raw) != 32 {
			return nil, errors.New("is not 32 bytes in base64, as openssl rand -base64 32 prints them")
		}
		block, err := aes.NewCipher(derive(raw, "encrypt"))
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		keys = append(keys, sealKey{aead, derive(raw, "nonce")})
	}
	return keys, nil
}

func derive(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("docket webhook secrets: " + purpose))
	return mac.Sum(nil)
}

// seal encrypts a secret. The nonce is derived from the secret, so that the same secret
// is sealed alike, and a plugin that declares it again changes nothing.
func (k Keys) seal(secret string) string {
	if len(k) == 0 {
		return secret
	}
	mac := hmac.New(sha256.New, k[0].nonce)
	mac.Write([]byte(secret))
	nonce := mac.Sum(nil)[:k[0].aead.NonceSize()]
	return sealedPrefix + base64.StdEncoding.EncodeToString(k[0].aead.Seal(nonce, nonce, []byte(secret), nil))
}

var errCannotOpen = errors.New("the signing secret was encrypted with a key that DOCKET_SECRETS_KEY does not hold")

// open decrypts what seal returned, also with a former key. A secret that is not sealed
// is returned as it is.
func (k Keys) open(stored string) (string, error) {
	text, sealed := strings.CutPrefix(stored, sealedPrefix)
	if !sealed {
		return stored, nil
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", errCannotOpen
	}
	for _, key := range k {
		if n := key.aead.NonceSize(); len(raw) >= n {
			if secret, err := key.aead.Open(nil, raw[:n], raw[n:], nil); err == nil {
				return string(secret), nil
			}
		}
	}
	return "", errCannotOpen
}

// SealSecrets encrypts the secrets that are not, or are with a former key, and returns
// how many. Any number of servers may call it at once. Servers of a release that knows
// no encryption fail to sign with a sealed secret, and their deliveries are retried.
func (s *Store) SealSecrets(ctx context.Context) (n int, err error) {
	if len(s.config.Keys) == 0 {
		return 0, nil
	}
	rows, err := s.pool.Query(ctx, `SELECT id::text, secret FROM core_webhooks`)
	if err != nil {
		return 0, fmt.Errorf("read webhook secrets: %w", err)
	}
	var id, stored string
	batch := &pgx.Batch{}
	_, err = pgx.ForEachRow(rows, []any{&id, &stored}, func() error {
		// One that cannot be opened stays: its deliveries fail with the reason.
		if secret, err := s.config.Keys.open(stored); err == nil {
			if sealed := s.config.Keys.seal(secret); sealed != stored {
				batch.Queue(`UPDATE core_webhooks SET secret = $2 WHERE id = $1 AND secret = $3`, id, sealed, stored)
			}
		}
		return nil
	})
	if err == nil && batch.Len() > 0 {
		err = s.pool.SendBatch(ctx, batch).Close()
	}
	if err != nil {
		return 0, fmt.Errorf("seal webhook secrets: %w", err)
	}
	return batch.Len(), nil
}
