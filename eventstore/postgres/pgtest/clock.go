package pgtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Clock is the time that now() returns in a test's database. It does not advance by itself.
type Clock struct {
	t    testing.TB
	pool *pgxpool.Pool
	now  time.Time
}

// SetClock makes now() return this time, rounded to microseconds, in statements of the pool's
// database. Column defaults and functions of the schema still use the server's clock, and so do
// connections of other pools that are open.
func SetClock(t testing.TB, pool *pgxpool.Pool, now time.Time) *Clock {
	t.Helper()
	c := &Clock{t: t, pool: pool, now: now.UTC().Round(time.Microsecond)}
	// now() is looked up in this schema before pg_catalog.
	c.exec(`CREATE SCHEMA clock CREATE TABLE shown (at timestamptz NOT NULL)`)
	c.exec(`INSERT INTO clock.shown VALUES ($1)`, c.now)
	c.exec(`CREATE FUNCTION clock.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM clock.shown'`)
	c.exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = clock, pg_catalog, public', current_database()); END $$`)
	pool.Reset()
	return c
}

// Now returns the time that the clock shows, in UTC.
func (c *Clock) Now() time.Time { return c.now }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.t.Helper()
	c.now = c.now.Add(d)
	c.exec(`UPDATE clock.shown SET at = $1`, c.now)
}

func (c *Clock) exec(sql string, args ...any) {
	c.t.Helper()
	if _, err := c.pool.Exec(context.Background(), sql, args...); err != nil {
		c.t.Fatalf("pgtest: clock: %v", err)
	}
}
