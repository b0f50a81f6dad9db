// Package content gives content types their SQL: the targets that the types
// generate (spec 2.1, 2.5), scope families over tables (spec 2.4), and the
// public content API's reads. Tables belong to plugins and already exist;
// their names reach SQL quoted, and values only as parameters.
package content

import (
	"context"
	"fmt"

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
	base, err := s.columnsOf(ctx, t.Table)
	if err != nil {
		return nil, err
	}
	if base == nil {
		if t.Table != "" {
			fault("table", "the table %q does not exist", t.Table)
		}
		return nil, nil
	}
	out := &tables{base: base}
	if t.Locale != nil && t.Locale.Table != "" {
		out.translations, err = s.columnsOf(ctx, t.Locale.Table)
		if err != nil {
			return nil, err
		}
		if out.translations == nil {
			fault("locale.table", "the table %q does not exist", t.Locale.Table)
		}
	}
	checkFit(t, out, fault)
	return out, nil
}

// columnsOf reads the columns of a table; nil when there is no such table. The
// error is that the database cannot be asked.
func (s *Store) columnsOf(ctx context.Context, table string) (columns, error) {
	if !sane(table) {
		return nil, nil
	}
	found, err := readColumns(ctx, s.pool, table)
	if err != nil {
		return nil, fmt.Errorf("read the columns of %s: %w", table, err)
	}
	return found, nil
}
