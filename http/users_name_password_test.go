package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

func (c *client) delete(path string) *answer { return c.do(nethttp.MethodDelete, path, "", nil) }

func TestOwnSessionsAndPassword(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	u, err := b.accounts.CreateUser(t.Context(), account.NewUser{Email: "ada@example.test", Name: "Ada", Password: "correct horse"})
	require.NoError(t, err)
	mine, other := b.session(u.ID), b.session(u.ID)

	list := mine.get("/users/sessions").status(nethttp.StatusOK).edges()
	require.Len(t, list, 2)
	require.Equal(t, []any{false, true}, []any{list[0]["current"], list[1]["current"]})
	page := mine.get("/users/sessions?first=1").status(nethttp.StatusOK)
	require.Len(t, page.edges(), 1)
	require.Equal(t, true, page.body["pageInfo"].(map[string]any)["hasNextPage"])
	mine.get("/users/sessions?orderBy=address").fault(nethttp.StatusBadRequest, "validation_failed")

	mine.post("/users/password", map[string]any{"current": "wrong password", "new": "a quieter horse"}).fault(nethttp.StatusUnauthorized, "invalid_credentials")
	require.Equal(t, map[string]string{"current": "required", "new": "too_short"}, mine.post("/users/password", map[string]any{"current": "", "new": "short"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	mine.post("/users/password", map[string]any{"current": "correct horse", "new": "a quieter horse"}).status(nethttp.StatusNoContent)
	other.get("/users/sessions").fault(nethttp.StatusUnauthorized, "unauthorized")
	mine.get("/users/sessions").status(nethttp.StatusOK)

	other = b.session(u.ID)
	b.member(1).delete("/users/sessions/"+list[1]["id"].(string)).fault(nethttp.StatusNotFound, "not_found")
	other.delete("/users/sessions/" + list[1]["id"].(string)).status(nethttp.StatusNoContent)
	other.delete("/users/sessions/"+list[1]["id"].(string)).fault(nethttp.StatusNotFound, "not_found")
	other.delete("/users/sessions/nonsense").fault(nethttp.StatusNotFound, "not_found")
	mine.get("/users/sessions").fault(nethttp.StatusUnauthorized, "unauthorized")

	ended := other.post("/users/sessions/end-all", nil).status(nethttp.StatusNoContent)
	require.Contains(t, ended.header.Get("Set-Cookie"), "docket_session=;")
	other.get("/users/sessions").fault(nethttp.StatusUnauthorized, "unauthorized")
}

func TestOwnName(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mine := b.member(1)
	name := func() any {
		return mine.get("/users/session").status(nethttp.StatusOK).body["user"].(map[string]any)["name"]
	}
	before := name()
	for given, code := range map[string]string{"": "required", "  ": "required", strings.Repeat("é", 101): "too_long", "Ada\nLovelace": "invalid_text", "Ada\u202eecalevoL": "invalid_text"} {
		require.Equal(t, map[string]string{"name": code}, mine.post("/users/name", map[string]any{"name": given}).fault(nethttp.StatusBadRequest, "validation_failed").issues(), "%q", given)
		require.Equal(t, before, name())
	}
	mine.post("/users/name", map[string]any{"name": " Ada Lovelace "}).status(nethttp.StatusNoContent)
	require.Equal(t, "Ada Lovelace", name())

	t.Log("others see it at once, also in what happened before")
	_, root := b.administrator("Root")
	require.Len(t, root.get("/admin/users?search=lovelace").status(nethttp.StatusOK).edges(), 1)
}

// What only the account's own rules find is told beside what is wrong with the body.
func TestEveryFaultOfAnAccountIsToldAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mine := b.member(1)
	_, root := b.administrator("Root")
	for _, c := range []struct {
		as     *client
		path   string
		body   map[string]any
		faults map[string]string
	}{
		{mine, "/users/name", map[string]any{"name": " ", "x": 1}, map[string]string{"name": "required", "x": "unknown_field"}},
		{mine, "/users/password", map[string]any{"current": 1, "new": "short"}, map[string]string{"current": "wrong_type", "new": "too_short"}},
		{mine, "/users/tokens", map[string]any{"name": strings.Repeat("é", 101), "use": "all", "expiresAt": "soon"}, map[string]string{"name": "invalid_text", "use": "unknown_use", "expiresAt": "wrong_type"}},
		{root, "/admin/users", map[string]any{"email": "nobody", "x": 1}, map[string]string{"email": "invalid_email", "name": "required", "x": "unknown_field"}},
		{mine, "/users/reset", map[string]any{"token": "none", "password": "short"}, map[string]string{"token": "invalid_link", "password": "too_short"}},
		{mine, "/users/setup", map[string]any{"token": "none", "email": "nobody", "name": " ", "password": "short"},
			map[string]string{"token": "invalid_link", "email": "invalid_email", "name": "required", "password": "too_short"}},
	} {
		require.Equal(t, c.faults, c.as.post(c.path, c.body).fault(nethttp.StatusBadRequest, "validation_failed").issues(), c.path)
	}
}

func TestOwnTokens(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mine := b.member(1)
	expires := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	made := mine.post("/users/tokens", map[string]any{"name": "CI", "use": "read", "expiresAt": expires}).status(nethttp.StatusCreated)
	bearer := &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + made.body["token"].(string)}}}
	list := bearer.get("/users/tokens").status(nethttp.StatusOK).edges()
	require.Len(t, list, 1)
	require.Equal(t, []any{"CI", "read", nil}, []any{list[0]["name"], list[0]["use"], list[0]["token"]})
	bearer.post("/users/tokens", map[string]any{}).fault(nethttp.StatusForbidden, "forbidden")
	for asked, kept := range map[string]string{"2040-01-01T00:00:00Z": "2040-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.9999999+01:00": "9999-12-31T22:59:59.999999Z"} {
		require.Equal(t, kept, mine.post("/users/tokens", map[string]any{"expiresAt": asked}).status(nethttp.StatusCreated).body["expiresAt"], "it ends when it was asked to")
	}

	require.Equal(t, map[string]string{"name": "invalid_text", "use": "unknown_use"}, mine.post("/users/tokens", map[string]any{"use": "host", "name": "a\nb", "expiresAt": nil}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"expiresAt": "invalid"}, mine.post("/users/tokens", map[string]any{"expiresAt": "2020-01-01T00:00:00Z"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"expiresAt": "wrong_type"}, mine.post("/users/tokens", map[string]any{"expiresAt": "tomorrow"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())

	b.member(2).delete("/users/tokens/"+made.body["id"].(string)).fault(nethttp.StatusNotFound, "not_found")
	mine.delete("/users/tokens/" + made.body["id"].(string)).status(nethttp.StatusNoContent)
	bearer.get("/users/tokens").fault(nethttp.StatusUnauthorized, "unauthorized")
	again := mine.post("/users/tokens", map[string]any{"use": "admin"}).status(nethttp.StatusCreated)
	all := &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + again.body["token"].(string)}}}
	all.post("/users/tokens", map[string]any{"use": "moderate"}).status(nethttp.StatusCreated)
	mine.post("/users/tokens/end-all", nil).status(nethttp.StatusNoContent)
	all.get("/users/tokens").fault(nethttp.StatusUnauthorized, "unauthorized")
}

func TestAnInvitedColleagueSignsIn(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	_, root := b.administrator("Root")
	made := root.post("/admin/users", map[string]any{"email": "grace@example.test", "name": "Grace"}).status(nethttp.StatusCreated)
	link, err := url.Parse(made.body["link"].(string))
	require.NoError(t, err)
	require.Equal(t, "/reset", link.Path)
	token := link.Query().Get("token")
	root.post("/admin/users", map[string]any{"email": "GRACE@example.test", "name": "Grace"}).fault(nethttp.StatusConflict, "already_exists")
	require.Equal(t, map[string]string{"email": "required", "name": "required"}, root.post("/admin/users", map[string]any{"email": "", "name": ""}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	listed := root.get("/admin/users?search=grace").status(nethttp.StatusOK).edges()
	require.Len(t, listed, 1)
	require.Equal(t, false, listed[0]["disabled"])

	guest := b.guest()
	require.Equal(t, map[string]string{"password": "is_email"}, guest.post("/users/reset", map[string]any{"token": token, "password": "grace@example.test"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	guest.post("/users/reset", map[string]any{"token": token, "password": "a quieter horse"}).status(nethttp.StatusNoContent)
	require.Equal(t, map[string]string{"token": "invalid_link"}, guest.post("/users/reset", map[string]any{"token": token, "password": "a quieter horse"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	signIn := map[string]any{"email": "grace@example.test", "password": "a quieter horse"}
	guest.post("/users/sign-in", signIn).status(nethttp.StatusOK)

	path := "/admin/users/" + made.body["id"].(string)
	require.Equal(t, true, root.post(path+"/disable", nil).status(nethttp.StatusOK).body["disabled"])
	guest.post("/users/sign-in", signIn).fault(nethttp.StatusUnauthorized, "invalid_credentials")
	require.Equal(t, false, root.post(path+"/enable", nil).status(nethttp.StatusOK).body["disabled"])
	guest.post("/users/sign-in", signIn).status(nethttp.StatusOK)
}

func TestForgottenPasswordsTellNothing(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for _, email := range []string{"member.1@example.test", "nobody@example.test", "nonsense", strings.Repeat("x", 300)} {
		b.guest().post("/users/forgot", map[string]any{"email": email}).status(nethttp.StatusAccepted)
	}
	b.guest().post("/users/forgot", map[string]any{"email": ""}).fault(nethttp.StatusBadRequest, "validation_failed")
	require.Equal(t, map[string]string{"token": "invalid_link"}, b.guest().post("/users/setup", map[string]any{"token": "x", "email": "a@b.test", "name": "A", "password": "a quieter horse"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
}

func TestOnlyRootDisablesRoot(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	rootID, root := b.administrator("Root")
	secondID, second := b.administrator("Second")
	managerID, manager := b.administrator("Manager", permission.AreaUsersManage)
	disable := func(id string) string { return "/admin/users/" + id + "/disable" }

	manager.post(disable(rootID), nil).fault(nethttp.StatusForbidden, "forbidden")
	manager.post(disable(managerID), nil).fault(nethttp.StatusForbidden, "forbidden")
	manager.post(disable(uuid.NewString()), nil).fault(nethttp.StatusNotFound, "not_found")
	manager.post(disable("nonsense"), nil).fault(nethttp.StatusNotFound, "not_found")
	manager.post(disable(b.members[0]), nil).status(nethttp.StatusOK)
	require.Equal(t, []any{map[string]any{"plugin": permission.CorePlugin, "module": "users", "permission": "can_manage"}}, manager.get("/users/permissions/admin").status(nethttp.StatusOK).body["permissions"])
	require.Equal(t, map[string]any{"root": true, "permissions": []any{}}, root.get("/users/permissions/admin").status(nethttp.StatusOK).body)
	require.Equal(t, map[string]any{"root": false, "permissions": []any{}}, b.member(2).get("/users/permissions/admin").status(nethttp.StatusOK).body)
	root.post(disable(secondID), nil).status(nethttp.StatusOK)
	second.get("/admin/users").fault(nethttp.StatusUnauthorized, "unauthorized")
	manager.post("/admin/users/"+secondID+"/enable", nil).fault(nethttp.StatusForbidden, "forbidden")

	root.post("/admin/users/"+secondID+"/enable", nil).status(nethttp.StatusOK)

	t.Log("of two roots who disable each other at once, one remains")
	for range 4 {
		root, second = b.session(rootID), b.session(secondID)
		var first, other *answer
		var both sync.WaitGroup
		both.Go(func() { first = root.post(disable(secondID), nil) })
		both.Go(func() { other = second.post(disable(rootID), nil) })
		both.Wait()
		codes := []int{first.code, other.code}
		require.Contains(t, codes, nethttp.StatusOK)
		require.NotEqual(t, []int{nethttp.StatusOK, nethttp.StatusOK}, codes)
		for _, id := range []string{rootID, secondID} {
			_, err := b.accounts.SetDisabled(t.Context(), id, false, func(context.Context, pgx.Tx) error { return nil })
			require.NoError(t, err)
		}
	}
}
