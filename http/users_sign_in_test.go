package http

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

const (
	sessionPassword = "correct horse"
	waysIn          = `, "signIn": {"passwords": true, "oidc": null}, "demoForum": false, "factorRequired": false}`
	guestSession    = `{"user": null` + waysIn
)

// sessionBundle is the routes of accounts over a database of its own.
type sessionBundle struct {
	http.Handler
	accounts *account.Store
	pool     *pgxpool.Pool
	deleted  []string // actor and user of each deletion asked for
}

func newSessionBundle(t *testing.T, base string) *sessionBundle {
	t.Helper()
	b := &sessionBundle{pool: pgtest.New(t)}
	var err error
	b.accounts, err = account.New(b.pool, account.Config{})
	require.NoError(t, err)
	baseURL, err := url.Parse(base)
	require.NoError(t, err)
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	b.Handler = New(Config{BaseURL: baseURL, TrustedProxies: proxies, Log: zerolog.Nop(), Authenticator: b.accounts},
		SessionArea{Sessions: b.accounts, BaseURL: baseURL, TrustedProxies: proxies},
		UserArea{Users: b.accounts, Delete: func(_ context.Context, actorID, userID string) error {
			b.deleted = append(b.deleted, actorID, userID)
			return nil
		}})
	return b
}

func (b *sessionBundle) user(t *testing.T, email string) account.User {
	t.Helper()
	u, err := b.accounts.CreateUser(t.Context(), account.NewUser{Email: email, Name: "Ada", Password: sessionPassword})
	require.NoError(t, err)
	return u
}

func (b *sessionBundle) staff(t *testing.T, kind, userID string) {
	t.Helper()
	pgtest.Exec(t, b.pool, `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, created_at, updated_at)
		VALUES ($1, $2, $3, true, now(), now())`, uuid.NewString(), kind, userID)
}

// do sends a request; edit may change it.
func (b *sessionBundle) do(t *testing.T, method, path, body string, edit func(*http.Request)) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, Base+path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w.Result()
}

func (b *sessionBundle) signIn(t *testing.T, email, password string) *http.Response {
	t.Helper()
	body, err := json.Marshal(map[string]string{"email": email, "password": password})
	require.NoError(t, err)
	return b.do(t, http.MethodPost, "/users/sign-in", string(body), nil)
}

func withCookie(c *http.Cookie) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(c) }
}

func withBearer(token string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
}

// requireJSON holds an answer to a status and a body.
func requireJSON(t *testing.T, status int, want string, got *http.Response) {
	t.Helper()
	require.Equal(t, status, got.StatusCode)
	var body any
	require.NoError(t, json.NewDecoder(got.Body).Decode(&body))
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	require.JSONEq(t, want, string(encoded))
}

func sessionCookieOf(t *testing.T, r *http.Response) *http.Cookie {
	t.Helper()
	require.Len(t, r.Cookies(), 1)
	require.Equal(t, "docket_session", r.Cookies()[0].Name)
	return r.Cookies()[0]
}

func TestSessionFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	u := b.user(t, "ada@example.test")
	b.staff(t, "moderator", u.ID)
	user := `{"user": {"id": "` + u.ID + `", "name": "Ada", "email": "ada@example.test", "isAdmin": false, "isModerator": true}`

	signedIn := b.signIn(t, "ada@example.test", sessionPassword)
	cookie := sessionCookieOf(t, signedIn)
	requireJSON(t, http.StatusOK, user+"}", signedIn)
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	require.Equal(t, "/", cookie.Path)
	require.False(t, cookie.Secure)
	require.True(t, cookie.Expires.After(time.Now()))
	requireJSON(t, http.StatusOK, user+waysIn, b.do(t, http.MethodGet, "/users/session", "", withCookie(cookie)))

	signedOut := b.do(t, http.MethodPost, "/users/sign-out", "", withCookie(cookie))
	require.Equal(t, http.StatusNoContent, signedOut.StatusCode)
	cleared := sessionCookieOf(t, signedOut)
	require.Empty(t, cleared.Value)
	require.True(t, cleared.Expires.Before(time.Now()))
	requireJSON(t, http.StatusOK, guestSession, b.do(t, http.MethodGet, "/users/session", "", withCookie(cookie)))
	require.Equal(t, http.StatusNoContent, b.do(t, http.MethodPost, "/users/sign-out", "", withCookie(cookie)).StatusCode)
	require.Equal(t, http.StatusNoContent, b.do(t, http.MethodPost, "/users/sign-out", "", nil).StatusCode)
}

func TestSessionCookieIsSecureOverHTTPS(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "https://docket.example.test")
	b.user(t, "ada@example.test")
	require.True(t, sessionCookieOf(t, b.signIn(t, "ada@example.test", sessionPassword)).Secure)
}

func TestSigningInAgainEndsTheSessionBefore(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	b.user(t, "ada@example.test")
	old := sessionCookieOf(t, b.signIn(t, "ada@example.test", sessionPassword))
	body := `{"email": "ada@example.test", "password": "` + sessionPassword + `"}`
	again := sessionCookieOf(t, b.do(t, http.MethodPost, "/users/sign-in", body, withCookie(old)))
	require.NotEqual(t, old.Value, again.Value)
	requireJSON(t, http.StatusOK, guestSession, b.do(t, http.MethodGet, "/users/session", "", withCookie(old)))
}

func TestSignInIsRefused(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	b.user(t, "ada@example.test")
	for body, want := range map[string]struct {
		status int
		code   string
	}{
		`{"email": "ada@example.test", "password": "wrong"}`:    {http.StatusUnauthorized, "invalid_credentials"},
		`{"email": "nobody@example.test", "password": "wrong"}`: {http.StatusUnauthorized, "invalid_credentials"},
		`{"email": "", "password": ""}`:                         {http.StatusBadRequest, "validation_failed"},
	} {
		got := b.do(t, http.MethodPost, "/users/sign-in", body, nil)
		require.Equal(t, want.status, got.StatusCode, body)
		require.Empty(t, got.Cookies())
		var answer struct{ Error string }
		require.NoError(t, json.NewDecoder(got.Body).Decode(&answer))
		require.Equal(t, want.code, answer.Error, body)
	}
}

func TestSignInLimitCountsTheClientBehindAProxy(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	b.user(t, "ada@example.test")
	from := func(client, password string) *http.Response {
		return b.do(t, http.MethodPost, "/users/sign-in", `{"email": "ada@example.test", "password": "`+password+`"}`, func(r *http.Request) {
			r.RemoteAddr = "10.0.0.1:1234"
			r.Header.Set("X-Forwarded-For", "1.1.1.1, "+client)
		})
	}
	for range 10 {
		require.Equal(t, http.StatusUnauthorized, from("203.0.113.7", "wrong").StatusCode)
	}
	limited := from("203.0.113.7", sessionPassword)
	require.Equal(t, http.StatusTooManyRequests, limited.StatusCode)
	require.NotEmpty(t, limited.Header.Get("Retry-After"))
	require.Equal(t, http.StatusOK, from("203.0.113.8", sessionPassword).StatusCode)
}

func TestSessionOfATokenAndOfABadOne(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	u := b.user(t, "ada@example.test")
	text, token, err := b.accounts.CreateToken(t.Context(), u.ID, account.NewToken{})
	require.NoError(t, err)
	want := `{"user": {"id": "` + u.ID + `", "name": "Ada", "email": "ada@example.test", "isAdmin": false, "isModerator": false}` + waysIn
	requireJSON(t, http.StatusOK, want, b.do(t, http.MethodGet, "/users/session", "", withBearer(text)))
	require.NoError(t, b.accounts.RevokeToken(t.Context(), token.ID))
	require.Equal(t, http.StatusUnauthorized, b.do(t, http.MethodGet, "/admin/users", "", withBearer(text)).StatusCode)
}

func TestUsersAreForAdministrators(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	admin, member := b.user(t, "root@example.test"), b.user(t, "member@example.test")
	b.staff(t, "admin", admin.ID)
	_, err := b.accounts.CreateUser(t.Context(), account.NewUser{Name: "No address"})
	require.NoError(t, err)
	as := func(u account.User) func(*http.Request) {
		session, err := b.accounts.StartSession(t.Context(), u.ID)
		require.NoError(t, err)
		return withCookie(&http.Cookie{Name: SessionCookie, Value: session.ID})
	}

	got := b.do(t, http.MethodGet, "/admin/users?search=no+addr", "", as(admin))
	var page struct{ Edges []map[string]any }
	require.NoError(t, json.NewDecoder(got.Body).Decode(&page))
	require.Len(t, page.Edges, 1)
	require.Equal(t, "No address", page.Edges[0]["name"])
	require.Contains(t, page.Edges[0], "email")
	require.Nil(t, page.Edges[0]["email"])
	for _, query := range []string{"search=" + strings.Repeat("x", 201), "search=%00", "search=%ff", "search=a&search=b", "orderBy=email", "first=0"} {
		require.Equal(t, http.StatusBadRequest, b.do(t, http.MethodGet, "/admin/users?"+query, "", as(admin)).StatusCode, query)
	}

	require.Equal(t, http.StatusNoContent, b.do(t, http.MethodDelete, "/admin/users/"+member.ID, "", as(admin)).StatusCode)
	require.Equal(t, []string{admin.ID, member.ID}, b.deleted)
	require.Equal(t, http.StatusNotFound, b.do(t, http.MethodDelete, "/admin/users/me", "", as(admin)).StatusCode)
}

// With the database broken nobody is told to be a guest, which would sign
// people out in their browsers.
func TestSessionWithoutAnAnswerOfTheDatabaseIsNoGuest(t *testing.T) {
	t.Parallel()
	b := newSessionBundle(t, "http://127.0.0.1:8080")
	b.user(t, "ada@example.test")
	cookie := sessionCookieOf(t, b.signIn(t, "ada@example.test", sessionPassword))
	pgtest.Exec(t, b.pool, "DROP TABLE core_staff_entries")
	require.Equal(t, http.StatusInternalServerError, b.do(t, http.MethodGet, "/users/session", "", withCookie(cookie)).StatusCode)
}
