// Package content gives content types their SQL: the targets that the types
// generate (spec 2.1, 2.5), scope families over tables (spec 2.4), and the
// public content API's reads. Tables belong to plugins and already exist;
// their names reach SQL quoted, and values only as parameters.
package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
)

// Store reads the tables of plugins. Its pool is for nothing else, so that slow
// content cannot keep commands from their connections (design 3).
type Store struct {
	pool *pgxpool.Pool
}

// NewStore reads over the pool, which the caller closes.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool} }

var _ plugin.Content = (*Store)(nil)

// Type makes the target and the reader of a content type. It reports each table
// and column that does not exist or does not fit; then it makes nothing.
func (s *Store) Type(ctx context.Context, pluginID string, t *content.Type, fault content.Report) (plugin.Made, error) {
	faults := 0
	counted := func(path, format string, args ...any) {
		faults++
		fault(path, format, args...)
	}
	tables, err := s.tablesOf(ctx, t, counted)
	if err != nil {
		return plugin.Made{}, err
	}
	t.Check(func(string, string, ...any) { faults++ }) // reported by the registration
	if faults > 0 || tables == nil {
		return plugin.Made{}, nil
	}
	b := bind(t, tables)
	var made plugin.Made
	if t.Reports != nil {
		made.Target = s.target(pluginID, b)
	}
	if t.PublicAPI != nil {
		made.Reader = s.reader(b)
	}
	return made, nil
}

// tables are the columns of a type's own table and of its translations.
type tables struct {
	base         columns
	translations columns // nil without
}

func (s *Store) tablesOf(ctx context.Context, t *content.Type, fault content.Report) (*tables, error) {
	base, err := s.columnsOf(ctx, t.Table, "table", fault)
	if err != nil || base == nil {
		return nil, err
	}
	out := &tables{base: base}
	if t.Locale != nil && t.Locale.Table != "" {
		out.translations, err = s.columnsOf(ctx, t.Locale.Table, "locale.table", fault)
		if err != nil {
			return nil, err
		}
	}
	checkFit(t, out, fault)
	return out, nil
}

// insufficientPrivilege is PostgreSQL's code for what a role may not do.
const insufficientPrivilege = "42501"

// columnsOf reads the columns of the table at a path of the declaration, and reports
// one that does not exist, with nil, or may not be read. The error is that the
// database cannot be asked.
func (s *Store) columnsOf(ctx context.Context, table, path string, fault content.Report) (columns, error) {
	var found columns
	if sane(table) {
		var err error
		found, err = readColumns(ctx, s.pool, table)
		if denied := (*pgconn.PgError)(nil); errors.As(err, &denied) && denied.Code == insufficientPrivilege {
			fault(path, "the service's database role may not look into the schema of the table %q; it needs USAGE", table)
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the columns of %s: %w", table, err)
		}
	}
	switch {
	case found == nil && table != "":
		fault(path, "the table %q does not exist", table)
	case found != nil && !found.mayRead():
		fault(path, "the service's database role may not read the table %q; it needs SELECT", table)
	}
	return found, nil
}
