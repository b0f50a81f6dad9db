// Package content implements content types in SQL: the report targets that they generate, scope families over tables,
// and the reads of the public content API. The tables belong to plugins and already exist; SQL contains their names
// quoted, and values only as parameters. Other modules must not import it.
package content

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/registry"
)

// Store reads the tables of plugins. Its pool must be used for nothing else, so that slow content
// cannot take connections from commands.
type Store struct {
	pool *pgxpool.Pool
	// public is full while the public content API uses half of the connections. The others are for
	// captures, for which filings wait.
	public chan struct{}
	// finders are the wordFinders of types that can be parents of others, by id.
	finders sync.Map
}

// NewStore returns a Store that reads through the pool. The caller closes the pool.
func NewStore(pool *pgxpool.Pool) *Store {
	return &Store{pool: pool, public: make(chan struct{}, max(1, pool.Config().MaxConns/2))}
}

var _ registry.Content = (*Store)(nil)

// Type returns the target and the reader of a content type. It reports each table and
// column that does not exist or does not fit, and then returns neither.
func (s *Store) Type(ctx context.Context, pluginID string, t *content.Type, fault content.FaultFunc) (registry.BuiltType, error) {
	faults := 0
	counted := func(path, format string, args ...any) {
		faults++
		fault(path, format, args...)
	}
	tables, err := s.tablesOf(ctx, t, counted)
	if err != nil {
		return registry.BuiltType{}, err
	}
	t.Check(func(string, string, ...any) { faults++ }) // reported by the registration
	if faults > 0 || tables == nil {
		return registry.BuiltType{}, nil
	}
	b := bind(t, tables)
	var made registry.BuiltType
	s.finders.Store(t.ID, s.words(b))
	if t.Reports != nil {
		made.Target = s.target(pluginID, b)
	}
	if t.PublicAPI != nil {
		made.Reader = s.reader(b)
	}
	return made, nil
}

// tables has the columns of a type's own table and of its translations.
type tables struct {
	base         columns
	translations columns // nil if there are none
	people       columns // of authors; nil if there are none
}

func (s *Store) tablesOf(ctx context.Context, t *content.Type, fault content.FaultFunc) (*tables, error) {
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
	if t.People != nil {
		if out.people, err = s.columnsOf(ctx, t.People.Table, "people.table", fault); err != nil {
			return nil, err
		}
		out.checkPeople(t.People, fault)
	}
	checkFit(t, out, fault)
	return out, nil
}

// insufficientPrivilege is PostgreSQL's code for a missing privilege.
const insufficientPrivilege = "42501"

// columnsOf returns the columns of a table; path is its place in the declaration. A missing table,
// for which it returns nil, and an unreadable one are faults. The error means that the database did
// not respond.
func (s *Store) columnsOf(ctx context.Context, table, path string, fault content.FaultFunc) (columns, error) {
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
