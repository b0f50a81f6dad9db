// Package staff keeps the staff entries: who may administer and moderate what
// (contract section 5). The rules are domain/permission's; this package holds
// them under concurrency, by locking the rows that a rule looks at.
package staff

import (
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// Config is what a Store needs beside its pool.
type Config struct {
	Now     func() time.Time    // default time.Now
	Catalog *permission.Catalog // what can be granted
	Scopes  *scope.Registry     // whose resources grants select
}

// Store is the staff entries in PostgreSQL, safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	now     func() time.Time
	catalog *permission.Catalog
	scopes  *scope.Registry
}

// New makes a Store. The pool remains the caller's to close.
func New(pool *pgxpool.Pool, c Config) (*Store, error) {
	if pool == nil || c.Catalog == nil || c.Scopes == nil {
		return nil, errors.New("staff: a pool, the catalog and the scope families are needed")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Store{pool: pool, now: c.Now, catalog: c.Catalog, scopes: c.Scopes}, nil
}

// Entry is one staff entry.
type Entry struct {
	ID   string
	Kind permission.Kind
	User Person
	permission.Entry
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Person is an account as staff see it. Email is "" where it has none.
type Person struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// By is who makes a change: a user, or with an empty UserID the operator at the
// server's command line.
type By struct{ UserID string }

// Operator makes changes that no account makes.
func Operator() By { return By{} }
