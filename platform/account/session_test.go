package account

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func (b *bundle) sessionsOf(t *testing.T, userID, current string) []OwnSession {
	t.Helper()
	request := SessionList.First(100)
	page, err := b.Sessions(t.Context(), userID, current, request)
	require.NoError(t, err)
	return page.Edges
}

func TestASessionIsListedWithWhereItBegan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	first, err := b.SignIn(t.Context(), u.Email, password, atHome)
	require.NoError(t, err)
	b.clock.Advance(time.Second)
	_, err = b.SignIn(t.Context(), u.Email, password, Client{Address: netip.MustParseAddr("2001:db8::1"), UserAgent: strings.Repeat("x", 400) + "\x00"})
	require.NoError(t, err)

	list := b.sessionsOf(t, u.ID, first.ID)
	require.Equal(t, []bool{false, true}, []bool{list[0].Current, list[1].Current})
	require.Equal(t, "2001:db8::", list[0].Address.String())
	require.Len(t, list[0].UserAgent, maxUserAgent)
	require.Equal(t, "test", list[1].UserAgent)
	require.NotEqual(t, first.ID, list[1].ID)
}

// Given a session that is being started and has ended the oldest, when another starts, then
// it waits for the first and ends the next oldest.
func TestAnAccountHoldsFiftySessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	var sessions []Session
	for range maxSessions {
		sessions = append(sessions, b.startSession(t, u.ID))
		b.clock.Advance(time.Second)
	}
	tx := pgtest.Begin(t, b.pool)
	require.NoError(t, b.insertSession(t.Context(), tx, b.newSession(u, atHome)))

	second := make(chan error, 1)
	go func() {
		_, err := b.StartSession(t.Context(), u.ID)
		second <- err
	}()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-second)
	require.Len(t, b.sessionsOf(t, u.ID, ""), maxSessions)
	for i, s := range sessions[:3] {
		require.Equal(t, i < 2, b.caller(t, Credentials{SessionID: s.ID}) == nil, "the two oldest are gone")
	}
}

func TestTheLastUseOfASessionIsRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	session := b.startSession(t, u.ID)
	for _, step := range []struct{ passes, since time.Duration }{
		{sessionUsedEvery - time.Second, 0}, {time.Second, sessionUsedEvery}, {time.Minute, sessionUsedEvery},
	} {
		b.clock.Advance(step.passes)
		b.caller(t, Credentials{SessionID: session.ID})
		require.Equal(t, start.Add(step.since), time.Time(b.sessionsOf(t, u.ID, "")[0].LastUsedAt).UTC())
	}
}

func TestPasswordChangeEndsEveryOtherSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	mine := b.startSession(t, u.ID)
	b.startSession(t, u.ID)
	const chosen = "a quieter horse"

	tests := map[string]struct {
		current, chosen string
		code            domain.Code
	}{
		"wrong":              {"wrong password", chosen, domain.CodeInvalidCredentials},
		"too short":          {password, "elevenchars", domain.CodeValidationFailed},
		"too long":           {password, strings.Repeat("ü", 201), domain.CodeValidationFailed},
		"the email":          {password, "ADA@example.test", domain.CodeValidationFailed},
		"none given":         {"", chosen, domain.CodeValidationFailed},
		"one without an end": {strings.Repeat("x", 1025), chosen, domain.CodeValidationFailed},
	}
	for name, test := range tests {
		requireCode(t, test.code, b.ChangePassword(t.Context(), u.ID, mine.ID, test.current, test.chosen, false, atHome))
		require.Len(t, b.sessionsOf(t, u.ID, ""), 2, name)
	}
	require.NoError(t, b.ChangePassword(t.Context(), u.ID, mine.ID, password, chosen, false, atHome))
	left := b.sessionsOf(t, u.ID, mine.ID)
	require.Len(t, left, 1)
	require.True(t, left[0].Current)
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, u.Email, password))
	require.NoError(t, b.signsIn(t, u.Email, chosen))

	t.Log("guesses of the current password count like failed sign-ins")
	b.fail(t, 10, u.Email, home)
	requireCode(t, domain.CodeRateLimited, b.ChangePassword(t.Context(), u.ID, mine.ID, chosen, password, false, atHome))
}

func TestAKnownAddressIsNotLockedOutByOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	require.NoError(t, b.signsIn(t, u.Email, password))
	for i := range 100 {
		b.fail(t, 1, strings.Repeat("x", i+1)+"@example.test", home)
	}
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, u.Email, "wrong password"))
	require.NoError(t, b.signsIn(t, u.Email, password))
	b.fail(t, 9, u.Email, home)
	requireCode(t, domain.CodeRateLimited, b.signsIn(t, u.Email, password))
}

func TestADisabledAccountIsClosed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	session := b.startSession(t, u.ID)
	token, _ := b.createToken(t, u.ID, NewToken{})

	disabled, err := b.SetDisabled(t.Context(), u.ID, true, allowAll)
	require.NoError(t, err)
	require.True(t, disabled.Disabled)
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, u.Email, password))
	_, err = b.StartSession(t.Context(), u.ID)
	require.ErrorIs(t, err, errNoAccount)
	require.Nil(t, b.caller(t, Credentials{SessionID: session.ID}))
	requireCode(t, domain.CodeUnauthorized, b.opens(t, token))

	enabled, err := b.SetDisabled(t.Context(), u.ID, false, allowAll)
	require.NoError(t, err)
	require.False(t, enabled.Disabled)
	require.NoError(t, b.signsIn(t, u.Email, password))
	require.NoError(t, b.opens(t, token))
	_, err = b.SetDisabled(t.Context(), uuid.NewString(), true, allowAll)
	requireCode(t, domain.CodeNotFound, err)
	_, err = b.SetDisabled(t.Context(), u.ID, true, func(ctx ctx, tx tx) error { return domain.Errorf(domain.CodeForbidden, "no") })
	requireCode(t, domain.CodeForbidden, err)
	require.NoError(t, b.signsIn(t, u.Email, password), "what is refused changes nothing")
}

func TestModeratorsWhoUseASessionAreOnline(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, ben, member := b.user(t, "ada@example.test"), b.user(t, "ben@example.test"), b.user(t, "member@example.test")
	for _, u := range []User{ada, ben} {
		b.staff(t, "moderator", u.ID, true, "[]")
	}
	online := func() (ids []string) {
		t.Helper()
		first, all, err := b.Online(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, first, all)
		for _, p := range first {
			ids = append(ids, p.ID)
		}
		return ids
	}
	require.Empty(t, online())

	b.startSession(t, member.ID)
	first := b.startSession(t, ben.ID)
	second := b.startSession(t, ada.ID)
	require.ElementsMatch(t, []string{ada.ID, ben.ID}, online())
	few, all, err := b.Online(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, few, 1)
	require.Equal(t, 2, all)

	b.clock.Advance(sessionUsedEvery)
	b.caller(t, Credentials{SessionID: first.ID})
	b.clock.Advance(time.Minute)
	require.Equal(t, []string{ben.ID}, online(), "Ada has left the panel")
	b.caller(t, Credentials{SessionID: second.ID})
	require.Len(t, online(), 2)

	require.NoError(t, b.SignOut(t.Context(), first.ID))
	require.Equal(t, []string{ada.ID}, online())
}
