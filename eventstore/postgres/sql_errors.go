package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// ForeignKeyBroken reports whether err violates a foreign key.
func ForeignKeyBroken(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23503"
}

// UniqueBroken reports whether err violates the named unique index.
func UniqueBroken(err error, index string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == index
}
