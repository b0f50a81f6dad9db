// Package staff stores staff entries: who may administer and moderate what. The rules are in domain/permission. This
// package enforces them under concurrency by locking the rows that a rule reads. Other modules must not import it.
package staff

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
)

// Config configures a Store.
type Config struct {
	Now     func() time.Time    // default time.Now
	Catalog *permission.Catalog // what can be granted
	Scopes  *registry.Scopes    // for the resources that grants select
	Signer  eventstore.Signer   // signs the ledger; nil in tests that do not verify it
}

// Store stores staff entries in PostgreSQL. It is safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	now     func() time.Time
	catalog *permission.Catalog
	scopes  *registry.Scopes
	ledger  ledger.Ledger
}

// New returns a Store. The caller closes the pool.
func New(pool *pgxpool.Pool, c Config) *Store {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Store{pool: pool, now: c.Now, catalog: c.Catalog, scopes: c.Scopes, ledger: ledger.Ledger{Signer: c.Signer, Now: c.Now}}
}

// By is the author of a change: a user, or the operator at the command line if UserID
// is empty.
type By struct{ UserID string }

// Operator is the operator at the command line.
func Operator() By { return By{} }
