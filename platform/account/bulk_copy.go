package account

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Copy makes n accounts by COPY, named by a word and a number, which cannot sign in. It
// returns their ids.
func Copy(ctx context.Context, pool *pgxpool.Pool, name string, n int, at time.Time) ([]string, error) {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7()).String()
	}
	_, err := pool.CopyFrom(ctx, pgx.Identifier{"core_users"}, []string{"id", "name", "created_at"},
		pgx.CopyFromSlice(n, func(i int) ([]any, error) { return []any{ids[i], fmt.Sprintf("%s %d", name, i), at}, nil }))
	if err != nil {
		return nil, fmt.Errorf("copy accounts: %w", err)
	}
	return ids, nil
}
