package account

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

type (
	ctx = context.Context
	tx  = pgx.Tx
)

var base = &url.URL{Scheme: "https", Host: "docket.example.test"}

const chosen = "a quieter horse"

func allowAll(ctx, tx) error { return nil }

// mailing makes the store mail links and returns the inbox and the queue that does it.
func (b *bundle) mailing(t *testing.T) (*platformtest.MailServer, *queue.Queue) {
	t.Helper()
	inbox := platformtest.NewMailServer(t)
	server, err := mail.NewServer(inbox.URL)
	require.NoError(t, err)
	q := queue.New(b.pool, queue.Config{})
	require.NoError(t, b.MailLinks(q, server, base))
	return inbox, q
}

var tokenOf = regexp.MustCompile(`https://docket\.example\.test/(\S+)token=(\S+)`)

func token(t *testing.T, text string) string {
	t.Helper()
	found := tokenOf.FindStringSubmatch(text)
	require.NotNil(t, found, text)
	return found[2]
}

func TestAForgottenPasswordIsResetByMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inbox, q := b.mailing(t)
	u := b.user(t, "ada@example.test")
	session := b.startSession(t, u.ID)

	require.NoError(t, b.Forgot(t.Context(), " ADA@example.test ", "ar", atHome))
	require.NoError(t, b.Forgot(t.Context(), "nobody@example.test", "en", atHome))
	require.NoError(t, b.Forgot(t.Context(), "not an email", "en", atHome))
	require.NoError(t, q.Drain(t.Context()))
	got := inbox.Next()
	inbox.RequireNone()
	require.Equal(t, "ada@example.test", got.Recipient)
	require.Contains(t, got.HTML, `dir="rtl"`)
	require.Contains(t, got.Text, "https://docket.example.test/reset?token=")
	secret := token(t, got.Text)
	require.Empty(t, pgtest.WhereFound(t, b.pool, secret), "only its hash is stored")

	t.Log("a password that is refused leaves the link")
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), secret, "short", atHome))
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), secret, u.Email, atHome))

	t.Log("it works once, however many use it at once")
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeValidationFailed: 9},
		platformtest.Outcomes(10, func(int) error { return b.Reset(t.Context(), secret, chosen, atHome) }))
	require.NoError(t, b.signsIn(t, u.Email, chosen))
	require.Nil(t, b.caller(t, Credentials{SessionID: session.ID}), "former sessions have ended")
}

func TestALinkEndsAfterAnHourOrWithThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inbox, q := b.mailing(t)
	u := b.user(t, "ada@example.test")
	forgot := func() string {
		require.NoError(t, b.Forgot(t.Context(), u.Email, "en", atHome))
		require.NoError(t, q.Drain(t.Context()))
		return token(t, inbox.Next().Text)
	}
	first := forgot()
	b.clock.Advance(time.Hour)
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), first, chosen, atHome))
	second, third := forgot(), forgot()
	require.NoError(t, b.Reset(t.Context(), third, chosen, atHome))
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), second, chosen, atHome))
	for _, bad := range []string{"", "x", strings.Repeat("x", secretLength)} {
		requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), bad, chosen, atHome))
	}
	deleted, err := b.DeleteExpired(t.Context())
	require.NoError(t, err)
	require.Positive(t, deleted)
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_account_links"))
}

func TestAMailThatIsSentAgainEndsTheLinkBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inbox, q := b.mailing(t)
	u := b.user(t, "ada@example.test")
	require.NoError(t, b.Forgot(t.Context(), u.Email, "en", atHome))
	var secrets []string
	for range 2 { // as after a crash between sending and settling
		require.NoError(t, q.Drain(t.Context()))
		secrets = append(secrets, token(t, inbox.Next().Text))
		b.exec(t, "UPDATE core_queue SET status = 'pending', attempts = 0, completed_at = NULL")
	}
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), secrets[0], chosen, atHome))
	require.NoError(t, b.Reset(t.Context(), secrets[1], chosen, atHome))
	require.NoError(t, q.Drain(t.Context()))
	inbox.RequireNone()
}

func TestForgottenPasswordsAreLimitedSilently(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inbox, q := b.mailing(t)
	u := b.user(t, "ada@example.test")
	platformtest.Outcomes(3*forgotPerAccount, func(int) error { return b.Forgot(t.Context(), u.Email, "en", atHome) })
	require.NoError(t, q.Drain(t.Context()))
	for range forgotPerAccount {
		inbox.Next()
	}
	inbox.RequireNone()
	for i := range 2 * forgotPerAddress {
		require.NoError(t, b.Forgot(t.Context(), strings.Repeat("x", i+1)+"@example.test", "en", atHome))
	}
	require.Equal(t, forgotPerAddress, b.count(t, "SELECT count(*) FROM core_forgot_requests"))
}

func TestAnInvitationIsMailedOrShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, link, err := b.Invite(t.Context(), "ada@example.test", "Ada", "en", base)
	require.NoError(t, err)
	require.Empty(t, pgtest.WhereFound(t, b.pool, token(t, link)))
	b.clock.Advance(7*24*time.Hour - time.Second)
	require.NoError(t, b.Reset(t.Context(), token(t, link), chosen, atHome))
	require.NoError(t, b.signsIn(t, u.Email, chosen))
	_, _, err = b.Invite(t.Context(), "ADA@example.test", "Ada", "en", base)
	requireCode(t, domain.CodeAlreadyExists, err)
	_, _, err = b.Invite(t.Context(), "", "", "en", base)
	var faults *domain.Error
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults.Issues, 2)

	inbox, q := b.mailing(t)
	_, link, err = b.Invite(t.Context(), "grace@example.test", "<b>Grace</b>", "fr", base)
	require.NoError(t, err)
	require.Empty(t, link, "it is mailed")
	require.NoError(t, q.Drain(t.Context()))
	got := inbox.Next()
	require.Contains(t, got.Text, "Hello <b>Grace</b>,")
	require.Contains(t, got.HTML, "Hello &lt;b&gt;Grace&lt;/b&gt;,")
	require.NoError(t, b.Reset(t.Context(), token(t, got.Text), chosen, atHome))
}

func TestNoLinkOpensADisabledAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, link, err := b.Invite(t.Context(), "ada@example.test", "Ada", "en", base)
	require.NoError(t, err)
	inbox, q := b.mailing(t)
	require.NoError(t, b.Forgot(t.Context(), u.Email, "en", atHome))
	_, err = b.SetDisabled(t.Context(), u.ID, true, allowAll)
	require.NoError(t, err)
	require.NoError(t, b.Forgot(t.Context(), u.Email, "en", atHome))
	require.NoError(t, q.Drain(t.Context()))
	inbox.RequireNone()
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), token(t, link), chosen, atHome))
}

func TestTheFirstAdministratorIsMadeOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "member@example.test") // as a platform's first report makes one
	admin := NewUser{Email: "root@example.test", Name: "Root", Password: chosen}
	link, err := b.SetupLink(t.Context(), base, firstAdmin)
	require.NoError(t, err)
	requireCode(t, domain.CodeValidationFailed, b.Reset(t.Context(), token(t, link), chosen, atHome))
	t.Log("it ends after an hour")
	b.clock.Advance(time.Hour)
	_, err = b.SetUp(t.Context(), token(t, link), admin, atHome, firstAdmin)
	requireCode(t, domain.CodeValidationFailed, err)

	var links []string
	for range 3 {
		link, err := b.SetupLink(t.Context(), base, firstAdmin)
		require.NoError(t, err)
		require.Empty(t, pgtest.WhereFound(t, b.pool, token(t, link)))
		links = append(links, token(t, link))
	}
	_, err = b.SetUp(t.Context(), links[0], NewUser{Password: "short"}, atHome, firstAdmin)
	requireCode(t, domain.CodeValidationFailed, err)
	_, err = b.SetUp(t.Context(), links[0], NewUser{Email: "Member@example.test", Name: "Root", Password: chosen}, atHome, firstAdmin)
	requireCode(t, domain.CodeAlreadyExists, err)
	var granted atomic.Int32
	counting := Administrators{Exist: firstAdmin.Exist, Grant: func(ctx, tx, string) error { granted.Add(1); return nil }}
	require.Equal(t, 1, platformtest.Outcomes(12, func(i int) error {
		_, err := b.SetUp(t.Context(), links[i%3], admin, atHome, counting)
		return err
	})[""])
	require.EqualValues(t, 1, granted.Load())
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM core_users"))
	require.NoError(t, b.signsIn(t, admin.Email, chosen))
	link, err = b.SetupLink(t.Context(), base, firstAdmin)
	require.NoError(t, err)
	require.Empty(t, link, "there is an administrator")
}

// firstAdmin takes the account with this address for the administrator.
var firstAdmin = Administrators{Exist: func(ctx ctx, tx tx) (bool, error) {
	var exists bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_users WHERE email = 'root@example.test')`).Scan(&exists)
	return exists, err
}, Grant: allowUser}

func allowUser(ctx, tx, string) error { return nil }

func TestPasswordsCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	off := New(b.pool, Config{Now: b.clock.Now, PasswordsOff: true})
	_, err := off.SignIn(t.Context(), u.Email, password, atHome)
	requireCode(t, domain.CodeForbidden, err)
	requireCode(t, domain.CodeForbidden, off.ChangePassword(t.Context(), u.ID, "", password, chosen, false, atHome))
	requireCode(t, domain.CodeForbidden, off.Reset(t.Context(), "x", chosen, atHome))
	_, _, err = off.Invite(t.Context(), "grace@example.test", "Grace", "en", base)
	requireCode(t, domain.CodeForbidden, err)
	require.NoError(t, off.Forgot(t.Context(), u.Email, "en", atHome))
}
