package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// The limits of contract section 2: so many failures in any window of 15 minutes.
const (
	failureWindow       = 15 * time.Minute
	failuresPerAccount  = 10  // from one address
	failuresPerAddress  = 100 // to whichever accounts
	networkOfIPv6       = 64  // bits; who has one address of it has them all
	failuresLockClass   = 0x646f636b
	failuresOfAnAddress = `SELECT account, failed_at FROM core_sign_in_failures
		WHERE address = $1 AND failed_at > $2 ORDER BY failed_at DESC LIMIT 100`
)

// failure is a sign-in that failed.
type failure struct {
	account []byte
	at      time.Time
}

// retryAfter tells how long an account is closed to an address, given the
// failures from that address within the window, newest first; 0 is not at all.
func retryAfter(failures []failure, account []byte, now time.Time) time.Duration {
	var wait time.Duration
	ofAccount := 0
	for i, f := range failures {
		limited := i+1 == failuresPerAddress
		if bytes.Equal(f.account, account) {
			ofAccount++
			limited = limited || ofAccount == failuresPerAccount
		}
		if limited {
			// One more is allowed when this one has left the window.
			wait = max(wait, f.at.Add(failureWindow).Sub(now))
		}
	}
	return wait
}

func rateLimited(wait time.Duration) error {
	e := domain.Errorf(domain.CodeRateLimited, "Too many failed sign-ins; try again later.")
	e.RetryAfter = wait
	return e
}

// accountKey is the account that an email means, be there one or not.
func accountKey(email string) []byte {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))
	return sum[:]
}

// addressKey is what counts as one address. Peers without one, such as those of
// a Unix socket, count together.
func addressKey(address netip.Addr) netip.Addr {
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

func scanFailure(row pgx.CollectableRow) (failure, error) {
	var f failure
	err := row.Scan(&f.account, &f.at)
	return f, err
}

// attempt is one sign-in: where from, to what.
type attempt struct {
	address netip.Addr
	account []byte
	now     time.Time
}

// settle decides the attempt in its turn among those of its address, which an
// advisory lock gives: the limits are exact on however many servers, and
// password hashing holds neither lock nor connection. The failures are read by
// a statement of their own, since one snapshot would be from before the lock.
// When it returns nil, the attempt is within the limits and, if it failed,
// counted.
func (a attempt) settle(ctx context.Context, tx pgx.Tx, failed bool) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, $2)", failuresLockClass, a.lockKey()); err != nil {
		return fmt.Errorf("lock sign-in failures: %w", err)
	}
	rows, err := tx.Query(ctx, failuresOfAnAddress, a.address, a.now.Add(-failureWindow))
	if err != nil {
		return fmt.Errorf("read sign-in failures: %w", err)
	}
	failures, err := pgx.CollectRows(rows, scanFailure)
	if err != nil {
		return fmt.Errorf("read sign-in failures: %w", err)
	}
	if wait := retryAfter(failures, a.account, a.now); wait > 0 {
		return rateLimited(wait)
	}
	if !failed {
		return nil
	}
	_, err = tx.Exec(ctx, "INSERT INTO core_sign_in_failures (address, account, failed_at) VALUES ($1, $2, $3)",
		a.address, a.account, a.now)
	if err != nil {
		return fmt.Errorf("store sign-in failure: %w", err)
	}
	return nil
}

// lockKey may be the same for two addresses, which then wait for each other.
func (a attempt) lockKey() int32 {
	sum := sha256.Sum256(a.address.AsSlice())
	return int32(binary.BigEndian.Uint32(sum[:]))
}
