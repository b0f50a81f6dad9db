package account

import (
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

// A flood of wrong passwords from one address, with as many connections as it likes, must
// not keep a person elsewhere from signing in.
func TestAFloodStarvesNobodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.passwords = newPasswords(2, 2048) // KiB: long enough for a queue, short enough for its bound
	u, err := b.CreateUser(t.Context(), NewUser{Email: "ada@example.test", Name: "Ada", Password: password})
	require.NoError(t, err)
	flood := Client{Address: netip.MustParseAddr("198.51.100.1")}
	codes := make(chan domain.Code, 150)
	var all sync.WaitGroup
	for i := range cap(codes) {
		all.Go(func() {
			_, err := b.SignIn(t.Context(), "guess"+string(rune('a'+i%26))+"@example.test", "wrong password", flood)
			codes <- domain.ErrorCode(err)
		})
	}
	require.Eventually(t, func() bool {
		b.passwords.queue.mu.Lock()
		defer b.passwords.queue.mu.Unlock()
		return len(b.passwords.queue.waiting) > 20
	}, 30*time.Second, time.Millisecond)
	began := time.Now()
	require.NoError(t, b.signsIn(t, u.Email, password))
	took := time.Since(began)
	b.passwords.queue.mu.Lock()
	waiting := len(b.passwords.queue.waiting)
	b.passwords.queue.mu.Unlock()
	require.Positive(t, waiting, "the person did not wait for the whole flood")
	t.Logf("signed in after %s, while %d of the flood still waited", took, waiting)
	all.Wait()
	close(codes)
	counts := map[domain.Code]int{}
	for code := range codes {
		counts[code]++
	}
	// A machine too slow to try a hundred within the bound of the queue refuses the rest as unavailable.
	wrong := counts[domain.CodeInvalidCredentials]
	require.Positive(t, wrong, "%v", counts)
	require.LessOrEqual(t, wrong, failuresPerAddress, "%v", counts)
	require.Equal(t, cap(codes), wrong+counts[domain.CodeRateLimited]+counts[domain.CodeUnavailable], "%v", counts)
}

// Given every turn taken, then an attempt beyond the limits is refused without waiting for
// one: those who guess take no place from those who do not.
func TestAnAttemptBeyondTheLimitsWaitsForNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	b.fail(t, failuresPerAccount, u.Email, home)
	for i := range 2 {
		leave, err := b.passwords.queue.enter(t.Context(), addressOf(i))
		require.NoError(t, err)
		defer leave()
	}
	requireCode(t, domain.CodeRateLimited, b.signsIn(t, u.Email, password))
}
