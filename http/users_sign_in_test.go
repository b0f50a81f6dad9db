package http_test

import (
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

func sessionCookie(t *testing.T, a *answer) *nethttp.Cookie {
	t.Helper()
	require.Len(t, a.response.Cookies(), 1)
	require.Equal(t, "docket_session", a.response.Cookies()[0].Name)
	return a.response.Cookies()[0]
}

func TestSessionFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.withPassword("ada@example.test")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, id, permission.Entry{}))
	credentials := map[string]any{"email": "ada@example.test", "password": ownPassword}
	user := map[string]any{"id": id, "name": "Ada", "email": "ada@example.test", "isAdmin": false, "isModerator": true}

	in := b.guest().post("/users/sign-in", credentials).status(200)
	require.Equal(t, map[string]any{"user": user}, in.body)
	cookie := sessionCookie(t, in)
	require.Equal(t, []any{true, nethttp.SameSiteLaxMode, "/", false}, []any{cookie.HttpOnly, cookie.SameSite, cookie.Path, cookie.Secure})
	require.True(t, cookie.Expires.After(time.Now()))
	ada := b.clientOf(in)
	session := ada.get("/users/session").status(200).body
	require.Equal(t, []any{user, map[string]any{"passwords": true, "oidc": nil}, false}, []any{session["user"], session["signIn"], session["factorRequired"]})

	t.Log("signing in again ends the session before")
	again := b.clientOf(ada.post("/users/sign-in", credentials).status(200))
	require.Nil(t, ada.get("/users/session").status(200).body["user"])
	require.NotNil(t, again.get("/users/session").body["user"])

	for range 2 {
		cleared := sessionCookie(t, again.do(nethttp.MethodPost, "/users/sign-out", "application/json", nil).status(204))
		require.Empty(t, cleared.Value)
		require.True(t, cleared.Expires.Before(time.Now()))
		require.Nil(t, again.get("/users/session").status(200).body["user"])
	}
	b.guest().do(nethttp.MethodPost, "/users/sign-out", "application/json", nil).status(204)

	t.Log("with the database broken nobody is told to be a guest, which would sign people out in their browsers")
	b.exec("DROP TABLE core_staff_entries")
	b.member(0).get("/users/session").status(500)
}

func TestSignInIsRefused(t *testing.T) {
	t.Parallel()
	b := newBundleWith(t, map[string]string{"DOCKET_BASE_URL": "https://docket.example.test", "DOCKET_TRUSTED_PROXIES": "127.0.0.0/8"})
	b.withPassword("ada@example.test")
	from := func(address, email, password string) *answer {
		c := b.guest()
		c.header.Set("X-Forwarded-For", "1.1.1.1, "+address)
		return c.post("/users/sign-in", map[string]any{"email": email, "password": password})
	}
	unknown := from("203.0.113.9", "nobody@example.test", "wrong").fault(401, "invalid_credentials")
	require.Empty(t, unknown.response.Cookies())
	from("203.0.113.9", "", "").fault(400, "validation_failed")
	for range 10 {
		require.Equal(t, unknown.body, from("203.0.113.7", "ada@example.test", "wrong").fault(401, "invalid_credentials").body)
	}
	require.NotEmpty(t, from("203.0.113.7", "ada@example.test", ownPassword).fault(429, "rate_limited").header.Get("Retry-After"))
	require.True(t, sessionCookie(t, from("203.0.113.8", "ada@example.test", ownPassword).status(200)).Secure, "the base URL is https")
}

func TestSessionOfATokenAndOfABadOne(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	text, token, err := b.accounts.CreateToken(t.Context(), b.members[0], account.NewToken{})
	require.NoError(t, err)
	c := &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + text}}}
	require.Equal(t, b.members[0], c.id())
	require.NoError(t, b.accounts.RevokeToken(t.Context(), token.ID))
	c.get("/admin/users").fault(401, "unauthorized")
}

func TestUsersAreForAdministrators(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	admin, member := b.admin("Root"), b.member(0)
	_, err := b.accounts.CreateUser(t.Context(), account.NewUser{Name: "No address"})
	require.NoError(t, err)
	found := admin.get("/admin/users?search=no+addr").status(200).edges()
	require.Len(t, found, 1)
	require.Equal(t, []any{"No address", nil}, []any{found[0]["name"], found[0]["email"]})
	for _, query := range []string{"search=" + strings.Repeat("x", 201), "search=" + url.QueryEscape("\xff"), "orderBy=email"} {
		admin.get("/admin/users?"+query).fault(400, "validation_failed")
	}
	admin.delete("/admin/users/" + b.members[0]).status(204)
	member.get("/users/sessions").fault(401, "unauthorized")
	admin.delete("/admin/users/me").fault(404, "not_found")
}
