// Package account keeps the accounts of a Docket that runs alone and finds the
// caller of a request: by session, by API token, or by a JWT of the host
// platform (contract section 2). Ids and tokens are stored as hashes only.
package account

import (
	"errors"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/platform/rounds"
)

// DefaultSessionLifetime is how long a session lasts from signing in.
const DefaultSessionLifetime = 14 * 24 * time.Hour

// DefaultPatience is how long finding the caller of a request may take, the wait
// for a connection and for the host platform's keys included, and each of the two
// questions that signing in asks. Then the database
// counts as gone: requests do not pile up on one that takes connections and
// answers nothing.
const DefaultPatience = 8 * time.Second

// maxPasswordSlots bounds how many passwords are hashed at once, and with it
// the memory that guessing can take: argonMemory each.
const maxPasswordSlots = 2

// Config has defaults for all but what a deployment must say.
type Config struct {
	Now             func() time.Time // default time.Now
	SessionLifetime time.Duration    // default DefaultSessionLifetime
	Patience        time.Duration    // default DefaultPatience
	// Host verifies the JWTs of the host platform; nil accepts none.
	Host *HostVerifier
}

// Store is accounts, sessions, tokens and identities in PostgreSQL. It is safe
// for concurrent use, and holds no state that another server would need.
type Store struct {
	pool      *pgxpool.Pool
	now       func() time.Time
	lifetime  time.Duration
	patience  time.Duration
	host      *HostVerifier
	passwords *passwords
	sessions  rounds.Rounds[[]byte, *callerRow] // by the hash of a session's id
}

// New makes a Store. The pool remains the caller's to close.
func New(pool *pgxpool.Pool, c Config) (*Store, error) {
	if pool == nil {
		return nil, errors.New("account: a pool is needed")
	}
	if c.SessionLifetime < 0 {
		return nil, errors.New("account: the session lifetime is negative")
	}
	if c.SessionLifetime == 0 {
		c.SessionLifetime = DefaultSessionLifetime
	}
	if c.Patience <= 0 {
		c.Patience = DefaultPatience
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Store{
		pool: pool, now: c.Now, lifetime: c.SessionLifetime, patience: c.Patience, host: c.Host,
		passwords: newPasswords(min(runtime.GOMAXPROCS(0), maxPasswordSlots), argonMemory),
	}
	s.sessions = rounds.Rounds[[]byte, *callerRow]{Do: s.findSessions, Most: 100, AtOnce: 2, Patience: 10 * time.Millisecond, Timeout: c.Patience}
	return s, nil
}
