package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Limits on failures in any window of 15 minutes.
const (
	failureWindow       = 15 * time.Minute
	failuresPerAccount  = 10  // from one address
	failuresPerAddress  = 100 // to whichever accounts
	networkOfIPv6       = 64  // bits; one host usually has all addresses of the network
	failuresLockClass   = 0x646f636b
	failuresOfAnAddress = `SELECT account, failed_at FROM core_sign_in_failures
		WHERE address = $1 AND failed_at > $2 ORDER BY failed_at DESC LIMIT 1000`
)

// failure is a sign-in that failed.
type failure struct {
	Account []byte
	At      time.Time
}

// retryAfter returns how long an account refuses an address, given the failures from that address within the window,
// newest first. 0 means that it does not. If the account has a session from the address, only its own failures count:
// behind an undeclared proxy all people share one address, and others must not lock it.
func retryAfter(failures []failure, account []byte, known bool, now time.Time) time.Duration {
	var wait time.Duration
	ofAccount := 0
	for i, f := range failures {
		limited := i+1 == failuresPerAddress && !known
		if bytes.Equal(f.Account, account) {
			ofAccount++
			limited = limited || ofAccount == failuresPerAccount
		}
		if limited {
			// The next attempt is allowed once this one has left the window.
			wait = max(wait, f.At.Add(failureWindow).Sub(now))
		}
	}
	return wait
}

func rateLimited(wait time.Duration) error {
	return &domain.Error{Code: domain.CodeRateLimited, Message: "Too many failed sign-ins; try again later.", RetryAfter: wait}
}

// accountKey identifies the account of an email, whether it exists or not.
func accountKey(email string) []byte { return HashSecret(strings.ToLower(email)) }

// AddressKey returns the unit that limits count as one address. Peers without an address, such as those of a Unix
// socket, count as one.
func AddressKey(address netip.Addr) netip.Addr {
	if !address.IsValid() {
		return netip.IPv6Unspecified()
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		if prefix, err := address.Prefix(networkOfIPv6); err == nil {
			return prefix.Addr()
		}
	}
	return address
}

// attempt is one sign-in.
type attempt struct {
	address netip.Addr
	account []byte
	known   bool // the account has a session from the address
	now     time.Time
}

// settle checks an attempt against the limits and counts its failure. It serializes the attempts of an address, so that
// the limits are exact on any number of servers, while hashing holds neither lock nor connection. It reads the failures
// in a separate statement, since the snapshot of the one that waits for the lock is older. If it returns nil, the
// attempt is within the limits and a failure is counted.
func (a attempt) settle(ctx context.Context, tx pgx.Tx, failed bool) error {
	if err := a.lock(ctx, tx); err != nil {
		return err
	}
	failures, err := postgres.Collect(ctx, tx, "read sign-in failures", pgx.RowToStructByPos[failure], failuresOfAnAddress, a.address, a.now.Add(-failureWindow))
	if err != nil {
		return err
	}
	if wait := retryAfter(failures, a.account, a.known, a.now); wait > 0 {
		return rateLimited(wait)
	}
	if !failed {
		return nil
	}
	return postgres.Exec(ctx, tx, "store sign-in failure", "INSERT INTO core_sign_in_failures (address, account, failed_at) VALUES ($1, $2, $3)",
		a.address, a.account, a.now)
}

// lock serializes attempts from one address until the transaction ends. Two addresses may share a key, and then wait
// for each other.
func (a attempt) lock(ctx context.Context, tx pgx.Tx) error {
	sum := sha256.Sum256(a.address.AsSlice())
	key := int32(binary.BigEndian.Uint32(sum[:]))
	return postgres.Exec(ctx, tx, "lock attempts of an address", "SELECT pg_advisory_xact_lock($1, $2)", failuresLockClass, key)
}
