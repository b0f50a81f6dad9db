package account

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

var (
	firstKey  = bytes.Repeat([]byte{1}, 32)
	secondKey = bytes.Repeat([]byte{2}, 32)
)

// started is a server with the keys that has started on b's database.
func (b *bundle) started(t *testing.T, keys ...[]byte) *Store {
	t.Helper()
	s := New(b.pool, Config{Now: b.clock.Now, Secrets: keys})
	s.passwords = newPasswords(2, 64)
	_, err := s.Bind(t.Context())
	require.NoError(t, err)
	return s
}

// owner returns whom the credentials sign in at s: an account, a plugin, or nobody.
func owner(t *testing.T, s *Store, c Credentials) string {
	t.Helper()
	caller, err := s.Authenticate(t.Context(), c)
	if domain.ErrorCode(err) == domain.CodeUnauthorized {
		return ""
	}
	require.NoError(t, err)
	if caller == nil {
		return ""
	}
	return caller.UserID + caller.PluginID
}

func (b *bundle) sessionOf(t *testing.T, s *Store, userID string) Credentials {
	t.Helper()
	session, err := s.StartSession(t.Context(), userID)
	require.NoError(t, err)
	return Credentials{SessionID: session.ID}
}

// insertPlain inserts a session and a token as the release before does, and as somebody with SQL can.
func (b *bundle) insertPlain(t *testing.T, userID string) (session, token Credentials) {
	t.Helper()
	session, token = Credentials{SessionID: NewSecret()}, Credentials{Bearer: tokenPrefix + NewSecret()}
	b.exec(t, "INSERT INTO core_sessions (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
		HashSecret(session.SessionID), userID, start.Add(-time.Hour), start.AddDate(1, 0, 0))
	b.exec(t, "INSERT INTO core_api_tokens (id, hash, user_id, name, use, created_at) VALUES ($1, $2, $3, '', 'admin', $4)",
		newID(), HashSecret(token.Bearer), userID, start.Add(-time.Hour))
	return session, token
}

func TestARowThatIsMovedOpensNothing(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][][]byte{"without a key": nil, "with a key": {firstKey}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := b.started(t, keys...)
			ada, root := b.user(t, "ada@example.test"), b.user(t, "root@example.test")
			session := b.sessionOf(t, s, ada.ID)
			text, _, err := s.CreateToken(t.Context(), ada.ID, NewToken{Use: permission.UseRead})
			require.NoError(t, err)
			host, _, err := s.CreateHostToken(t.Context(), "shop", NewToken{})
			require.NoError(t, err)
			grace, link, err := s.Invite(t.Context(), "grace@example.test", "Grace", "en", base)
			require.NoError(t, err)
			token1, token2 := Credentials{Bearer: text}, Credentials{Bearer: host}
			require.Equal(t, []string{ada.ID, ada.ID, "shop"}, []string{owner(t, s, session), owner(t, s, token1), owner(t, s, token2)})

			b.exec(t, "UPDATE core_sessions SET user_id = $1", root.ID)
			b.exec(t, "UPDATE core_api_tokens SET user_id = $1", root.ID)
			b.exec(t, "UPDATE core_host_tokens SET plugin_id = 'forum'")
			b.exec(t, "UPDATE core_account_links SET user_id = $1", root.ID)
			for _, at := range []*Store{s, b.started(t, keys...)} {
				require.Equal(t, []string{"", "", ""}, []string{owner(t, at, session), owner(t, at, token1), owner(t, at, token2)})
				requireCode(t, domain.CodeValidationFailed, at.Reset(t.Context(), token(t, link), chosen, atHome))
			}
			b.exec(t, "UPDATE core_account_links SET user_id = $1", grace.ID)
			require.NoError(t, s.Reset(t.Context(), token(t, link), chosen, atHome))

			t.Log("nor does a token gain a use")
			b.exec(t, "UPDATE core_api_tokens SET user_id = $1, use = 'admin'", ada.ID)
			require.Empty(t, owner(t, s, token1))
		})
	}
}

func TestARowThatIsMadeBySQLOpensNothingWithAKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	root := b.user(t, "root@example.test")
	before, tokenBefore := b.insertPlain(t, root.ID)
	s := b.started(t, firstKey)

	t.Log("for an hour a server of the release before may make rows")
	during, tokenDuring := b.insertPlain(t, root.ID)
	b.clock.Advance(bindingWindow - time.Microsecond)
	unused, _ := b.insertPlain(t, root.ID)
	for _, c := range []Credentials{before, tokenBefore, during, tokenDuring} {
		require.Equal(t, root.ID, owner(t, s, c))
	}
	b.clock.Advance(time.Microsecond)
	session, made := b.insertPlain(t, root.ID)
	plain := Credentials{SessionID: NewSecret()}
	hash := HashSecret(plain.SessionID)
	b.exec(t, "INSERT INTO core_sessions (hash, user_id, created_at, expires_at, mac) VALUES ($1, $2, $3, $4, $5)",
		hash, root.ID, start, start.AddDate(1, 0, 0), sessionBinding(root.ID, hash).plain())
	host := Credentials{Bearer: tokenPrefix + NewSecret()}
	b.exec(t, "INSERT INTO core_host_tokens (id, hash, plugin_id, name, created_at) VALUES ($1, $2, 'shop', '', $3)", newID(), HashSecret(host.Bearer), start)
	link := NewSecret()
	b.exec(t, "INSERT INTO core_account_links (id, purpose, user_id, hash, expires_at) VALUES ($1, 'reset', $2, $3, $4)",
		uuid.NewString(), root.ID, HashSecret(link), start.AddDate(1, 0, 0))

	refused := func(s *Store) {
		t.Helper()
		for _, c := range []Credentials{before, tokenBefore, during, tokenDuring} {
			require.Equal(t, root.ID, owner(t, s, c), "what was bound goes on")
		}
		for _, c := range []Credentials{unused, session, made, plain, host} {
			require.Empty(t, owner(t, s, c))
		}
		requireCode(t, domain.CodeValidationFailed, s.Reset(t.Context(), link, chosen, atHome))
	}
	refused(s)
	refused(b.started(t, firstKey))
	for _, reset := range []string{"UPDATE core_binding_keys SET since = '2030-01-01'", "DELETE FROM core_binding_keys"} {
		b.exec(t, reset)
		refused(b.started(t, firstKey))
	}
}

func TestWithoutAKeySessionsFromBeforeGoOnAndAreBound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, root := b.user(t, "ada@example.test"), b.user(t, "root@example.test")
	before, _ := b.insertPlain(t, ada.ID)
	s := b.started(t)
	later, _ := b.insertPlain(t, ada.ID)
	require.Equal(t, []string{ada.ID, ada.ID}, []string{owner(t, s, before), owner(t, s, later)})
	b.exec(t, "UPDATE core_sessions SET user_id = $1", root.ID)
	require.Equal(t, []string{"", ""}, []string{owner(t, s, before), owner(t, s, later)})
}

func TestKeysAreIntroducedAndReplacedServerByServer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.user(t, "ada@example.test")
	without := b.started(t)
	session := b.sessionOf(t, without, ada.ID)
	first := b.started(t, firstKey)
	onFirst, onWithout := b.sessionOf(t, first, ada.ID), b.sessionOf(t, without, ada.ID)
	for _, s := range []*Store{without, first} {
		for _, c := range []Credentials{session, onFirst, onWithout} {
			require.Equal(t, ada.ID, owner(t, s, c))
		}
	}
	b.clock.Advance(2 * bindingWindow)
	knowing := b.started(t, firstKey, secondKey)
	second := b.started(t, secondKey, firstKey)
	onSecond, onKnowing := b.sessionOf(t, second, ada.ID), b.sessionOf(t, knowing, ada.ID)
	for _, s := range []*Store{knowing, second} {
		for _, c := range []Credentials{session, onFirst, onWithout, onSecond, onKnowing} {
			require.Equal(t, ada.ID, owner(t, s, c))
		}
	}
	inserted, _ := b.insertPlain(t, ada.ID)
	require.Empty(t, owner(t, second, inserted), "another key opens no new hour")

	alone := b.started(t, secondKey)
	for _, c := range []Credentials{session, onFirst, onWithout, onSecond, onKnowing} {
		require.Equal(t, ada.ID, owner(t, alone, c), "all were bound anew when they were used or a server started")
	}
}
