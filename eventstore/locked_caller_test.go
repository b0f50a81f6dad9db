package eventstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// prompt is less than the time limit of a batch.
const prompt = 8 * time.Second

// Given a reporter whom another connection holds locked, and whose filings share batches
// with those of others, the others are filed while the lock is held.
func TestALockedReporterFailsNobodyElse(t *testing.T) {
	t.Parallel()
	for name, lock := range map[string]string{
		"by another filing":          `SELECT pg_advisory_xact_lock(hashtextextended('docket:filing:' || $1, 0))`,
		"by a change of the account": `SELECT FROM core_users WHERE id::text = $1 FOR UPDATE`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			users := b.users(t, 32)
			tx := pgtest.Begin(t, b.pool)
			pgtest.Exec(t, tx, lock, users[0])

			var locked sync.WaitGroup
			for wave := range 3 {
				got := platformtest.Outcomes(len(users)+1, func(i int) error {
					if i > len(users)-2 {
						locked.Go(func() { _, _ = b.store.File(context.Background(), filing(users[0], fmt.Sprint("locked", wave, i))) })
						return nil
					}
					ctx, cancel := context.WithTimeout(context.Background(), prompt)
					defer cancel()
					_, err := b.store.File(ctx, filing(users[i+1], fmt.Sprint(wave, i)))
					return err
				})
				require.Equal(t, map[domain.Code]int{"": len(users) + 1}, got)
			}

			require.NoError(t, tx.Rollback(t.Context()))
			locked.Wait()
			b.file(t, users[0], "unlocked")
		})
	}
}
