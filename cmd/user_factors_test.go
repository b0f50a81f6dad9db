package cmd

import (
	"io"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

// A sole administrator who has lost every factor is helped at the server, and the audit keeps it.
func TestAnOperatorResetsFactors(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": t.TempDir(), "DOCKET_DATA_DIR": t.TempDir(), "DOCKET_BASE_URL": "http://docket.test"}
	for _, email := range []string{"ada@example.test", "eve@example.test"} {
		made := docketWithInput(t, environment, "correct horse\n", "user", "create", "--email", email, "--name", "Ada", "--password-stdin", "--admin-root")
		require.Zero(t, made.status, made.stderr)
	}
	s, err := NewServer(t.Context(), environment, io.Discard)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	signIn := func(email string) account.Session {
		t.Helper()
		session, err := s.Accounts().SignIn(t.Context(), email, "correct horse", account.Client{})
		require.NoError(t, err)
		return session
	}
	verified := func() outcome { return docket(t, environment, "audit", "verify") }
	for _, email := range []string{"ada@example.test", "eve@example.test"} {
		session := signIn(email)
		self := account.Self{UserID: session.User.ID, SessionID: session.ID}
		made, err := s.Accounts().BeginTOTP(t.Context(), self)
		require.NoError(t, err)
		code, err := totp.GenerateCode(made.Secret, time.Now())
		require.NoError(t, err)
		_, err = s.Accounts().ConfirmTOTP(t.Context(), self, code)
		require.NoError(t, err)
		require.NotNil(t, signIn(email).SecondStep)
	}

	reset := docket(t, environment, "user", "reset-factors", "ADA@example.test")
	require.Zero(t, reset.status, reset.stderr)
	require.Nil(t, signIn("ada@example.test").SecondStep)
	require.Equal(t, 1, docket(t, environment, "user", "reset-factors", "nobody@example.test").status)
	deleted := docket(t, environment, "user", "delete", "eve@example.test")
	require.Zero(t, deleted.status, deleted.stderr)
	require.Zero(t, verified().status, verified().stdout)

	pgtest.Exec(t, s.Pool(), `INSERT INTO core_factors (id, user_id, kind, name, secret, created_at, counter)
		SELECT gen_random_uuid(), id, 'passkey', '', '\x00', now(), 0 FROM core_users WHERE email = 'ada@example.test'`)
	named := verified()
	require.Equal(t, 1, named.status)
	require.Contains(t, named.stdout+named.stderr, "no server signed it")
}
