package targetscope

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// TestMovesHidesFilingsAndReconcilingNeverDeadlock lets every writer of a
// target's rows meet on a few posts. PostgreSQL ends a deadlock with an error
// after deadlock_timeout, so that one would fail the test.
func TestMovesHidesFilingsAndReconcilingNeverDeadlock(t *testing.T) {
	t.Parallel()
	const posts, rounds = 3, 40
	b := newBundle(t)
	categories := []string{"general", "support", "offtopic"}
	for id := 1; id <= posts; id++ {
		b.post(id, at("general"))
		b.report(id, "general")
	}
	r := b.reconciler(b.category)
	b.exec(`ALTER TABLE "forum posts" ENABLE TRIGGER USER`)

	group, ctx := errgroup.WithContext(t.Context())
	repeat := func(f func(id int) error) {
		group.Go(func() error {
			for range rounds {
				if err := f(1 + rand.IntN(posts)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	move := func(id int) error {
		_, err := b.pool.Exec(ctx, `UPDATE "forum posts" SET "category's id" = $2 WHERE id = $1`, id, categories[rand.IntN(3)])
		return err
	}
	hide := func(id int) error { return hideFromReport(ctx, b, id) }
	repeat(move)
	repeat(move)
	repeat(hide)
	repeat(hide)
	repeat(func(id int) error {
		_, err := b.pool.Exec(ctx, fileTarget, strconv.Itoa(id), "general")
		return err
	})
	repeat(func(int) error { return r.Run(ctx) })
	require.NoError(t, group.Wait())

	for id := 1; id <= posts; id++ {
		category, _, err := b.category(t.Context(), strconv.Itoa(id))
		require.NoError(t, err)
		b.requireScope(id, category)
	}
}

// hideFromReport locks as a content action does: the report, then the content.
func hideFromReport(ctx context.Context, b *bundle, id int) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var report string
		err := tx.QueryRow(ctx, `SELECT id FROM core_moderation_reports WHERE target_id = $1 FOR UPDATE`, strconv.Itoa(id)).Scan(&report)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE "forum posts" SET hidden_at = now() WHERE id = $1`, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_moderation_reports SET version = version + 1 WHERE id = $1`, report)
		return err
	})
	if err != nil {
		return fmt.Errorf("hide: %w", err)
	}
	return nil
}
