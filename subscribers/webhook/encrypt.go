package webhook

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// EncryptSecrets encrypts the secrets that are unencrypted, or encrypted with a former key, and
// returns how many. Servers may call it concurrently. Servers of a release without encryption fail
// to sign with an encrypted secret, and their deliveries are retried.
func (s *Store) EncryptSecrets(ctx context.Context) (n int, err error) {
	if len(s.config.Keys) == 0 {
		return 0, nil
	}
	var id, stored string
	batch := &pgx.Batch{}
	err = postgres.ForEach(ctx, s.pool, "read webhook secrets", []any{&id, &stored}, func() error {
		// A secret that cannot be decrypted stays as it is; its deliveries fail with the reason.
		if sealed, changed := s.config.Keys.Anew(stored); changed {
			batch.Queue(`UPDATE core_webhooks SET secret = $2 WHERE id = $1 AND secret = $3`, id, sealed, stored)
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
