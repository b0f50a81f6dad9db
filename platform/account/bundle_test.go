package account

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

var (
	start = time.Date(2026, 10, 2, 12, 0, 0, 0, time.UTC)
	home  = netip.MustParseAddr("203.0.113.7")

	atHome = Client{Address: home, UserAgent: "test"}
)

const password = "correct horse"

// bundle is a store on a database of its own, with a clock that stands still
// until a test moves it.
type bundle struct {
	*Store
	pool  *pgxpool.Pool
	clock *platformtest.Clock
}

func setup(t *testing.T) *bundle { return setupWith(t, nil) }

func setupWith(t *testing.T, host func(now func() time.Time) *HostVerifier) *bundle {
	t.Helper()
	b := &bundle{pool: pgtest.New(t), clock: platformtest.NewClock(start)}
	config := Config{Now: b.clock.Now}
	if host != nil {
		config.Host = host(b.clock.Now)
	}
	b.Store = New(b.pool, config)
	// The cost is for attackers; with the race detector it would take minutes.
	b.passwords = newPasswords(2, 64)
	return b
}

func (b *bundle) user(t *testing.T, email string) User {
	t.Helper()
	u, err := b.CreateUser(t.Context(), NewUser{Email: email, Name: "Ada", Password: password})
	require.NoError(t, err)
	return u
}

// staff gives a user a staff entry.
func (b *bundle) staff(t *testing.T, kind, userID string, unrestricted bool, grants string) {
	t.Helper()
	b.exec(t, `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, permissions, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5::jsonb, now(), now())`, uuid.NewString(), kind, userID, unrestricted, grants)
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	pgtest.Exec(t, b.pool, sql, args...)
}

func (b *bundle) count(t *testing.T, sql string, args ...any) int {
	t.Helper()
	return pgtest.One[int](t, b.pool, sql, args...)
}

func (b *bundle) delete(t *testing.T, userID string) {
	t.Helper()
	b.exec(t, "DELETE FROM core_users WHERE id = $1", userID)
}

func requireCode(t *testing.T, code domain.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, domain.ErrorCode(err), err.Error())
}

// signsIn returns why nobody signs in by these from home, or nil.
func (b *bundle) signsIn(t *testing.T, email, password string) error {
	t.Helper()
	_, err := b.SignIn(t.Context(), email, password, atHome)
	return err
}

// opens returns why a token opens nothing, or nil.
func (b *bundle) opens(t *testing.T, bearer string) error {
	t.Helper()
	_, err := b.Authenticate(t.Context(), Credentials{Bearer: bearer})
	return err
}

// caller is whom the credentials are of, nil for a guest.
func (b *bundle) caller(t *testing.T, c Credentials) *permission.Caller {
	t.Helper()
	caller, err := b.Authenticate(t.Context(), c)
	require.NoError(t, err)
	return caller
}

func (b *bundle) startSession(t *testing.T, userID string) Session {
	t.Helper()
	session, err := b.StartSession(t.Context(), userID)
	require.NoError(t, err)
	return session
}

func (b *bundle) createToken(t *testing.T, userID string, n NewToken) (text string, token Token) {
	t.Helper()
	text, token, err := b.CreateToken(t.Context(), userID, n)
	require.NoError(t, err)
	return text, token
}
