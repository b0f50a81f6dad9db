package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// encryptedPrefix marks a secret that is encrypted. Those of Standard Webhooks begin with
// whsec_.
const encryptedPrefix = "sealed:v1:"

// encrypt encrypts a secret. The nonce is derived from the secret, so that the same secret
// is encrypted alike, and a plugin that declares it again changes nothing.
func (k Keys) encrypt(secret string) string {
	if len(k) == 0 {
		return secret
	}
	mac := hmac.New(sha256.New, k[0].nonce)
	mac.Write([]byte(secret))
	nonce := mac.Sum(nil)[:k[0].aead.NonceSize()]
	return encryptedPrefix + base64.StdEncoding.EncodeToString(k[0].aead.Seal(nonce, nonce, []byte(secret), nil))
}

var errCannotDecrypt = errors.New("the signing secret was encrypted with a key that DOCKET_SECRETS_KEY does not hold")

// decrypt undoes encrypt, also with a former key. A secret that is not encrypted
// is returned as it is.
func (k Keys) decrypt(stored string) (string, error) {
	text, encrypted := strings.CutPrefix(stored, encryptedPrefix)
	if !encrypted {
		return stored, nil
	}
	// The decoder ignores line breaks and unused bits, which encrypt never writes.
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != text {
		return "", errCannotDecrypt
	}
	for _, key := range k {
		if n := key.aead.NonceSize(); len(raw) >= n {
			if secret, err := key.aead.Open(nil, raw[:n], raw[n:], nil); err == nil {
				return string(secret), nil
			}
		}
	}
	return "", errCannotDecrypt
}

// EncryptSecrets encrypts the secrets that are not encrypted, or with a former key, and
// returns how many. Any number of servers may call it at once. Servers of a release without
// encryption fail to sign with an encrypted secret, and their deliveries are retried.
func (s *Store) EncryptSecrets(ctx context.Context) (n int, err error) {
	if len(s.config.Keys) == 0 {
		return 0, nil
	}
	var id, stored string
	batch := &pgx.Batch{}
	err = postgres.ForEach(ctx, s.pool, "read webhook secrets", []any{&id, &stored}, func() error {
		// A secret that cannot be decrypted stays as it is; its deliveries fail with the reason.
		if secret, err := s.config.Keys.decrypt(stored); err == nil {
			if encrypted := s.config.Keys.encrypt(secret); encrypted != stored {
				batch.Queue(`UPDATE core_webhooks SET secret = $2 WHERE id = $1 AND secret = $3`, id, encrypted, stored)
			}
		}
		return nil
	}, `SELECT id::text, secret FROM core_webhooks`)
	if err == nil && batch.Len() > 0 {
		err = s.pool.SendBatch(ctx, batch).Close()
	}
	if err != nil {
		return 0, fmt.Errorf("encrypt webhook secrets: %w", err)
	}
	return batch.Len(), nil
}
