package account

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// execer is a pool or a transaction.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func foreignKeyBroken(err error) bool { return hasCode(err, "23503") }

// uniqueBroken reports whether err violates the named unique index.
func uniqueBroken(err error, index string) bool {
	var pg *pgconn.PgError
	return hasCode(err, "23505") && errors.As(err, &pg) && pg.ConstraintName == index
}

func hasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}
