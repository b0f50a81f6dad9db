// Package account stores accounts, and finds the caller of a request: by session, by API token, or by a JWT of the host
// platform. Session ids and tokens are stored as hashes only. Other modules must not import it.
// Tests of plugins are the exception: they pass NewUser and NewToken to the Accounts of their server.
package account

import (
	"net/url"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/platform/account/factor"
)

// Config configures a Store. The zero value is usable.
type Config struct {
	Now func() time.Time // default time.Now
	// Host verifies the JWTs of the host platform; nil accepts none.
	Host *HostVerifier
	// PasswordsOff restricts signing in to the organisation's identity provider.
	PasswordsOff bool
	// Secrets are keys that bind sessions, tokens and links to their owners, and seal the secrets
	// of second factors. The first one binds and seals, all of them verify and open. Without any, a
	// row inserted by SQL gives access to an account.
	Secrets [][]byte
	// Ledger records who has which second factor.
	Ledger ledger.Ledger
	// StaffTwoFactor confines staff who signed in by a password alone to their own account.
	StaffTwoFactor bool
}

// Store stores accounts, sessions, tokens and identities in PostgreSQL. It is safe for concurrent
// use and has no state that other servers need.
type Store struct {
	pool      *pgxpool.Pool
	now       func() time.Time
	patience  time.Duration
	host      *HostVerifier
	issuers   atomic.Pointer[map[string]PlatformIssuer] // by `iss`
	passwords *passwords
	mails     bool // links are mailed

	passwordsOff   bool
	staffTwoFactor bool

	seals    factor.Keys
	passkeys *factor.Passkeys // nil: this address cannot have any
	ledger   ledger.Ledger

	keys       bindingKeys
	boundSince time.Time // set by Bind

	callers callers
}

// New returns a Store. The caller closes the pool.
func New(pool *pgxpool.Pool, c Config) *Store {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Ledger.Now == nil {
		c.Ledger.Now = c.Now
	}
	s := &Store{
		seals: factor.NewKeys(c.Secrets), ledger: c.Ledger, staffTwoFactor: c.StaffTwoFactor,
		pool: pool, now: c.Now, patience: patience, host: c.Host, passwordsOff: c.PasswordsOff, keys: newBindingKeys(c.Secrets),
		passwords: newPasswords(min(runtime.GOMAXPROCS(0), maxPasswordSlots), argonMemory),
	}
	s.callers = newCallers(s)
	return s
}

// ServeAt sets Docket's public address, to which browsers bind passkeys. It must be called before requests are served.
func (s *Store) ServeAt(base *url.URL) (err error) {
	s.passkeys, err = factor.NewPasskeys(base)
	return err
}
