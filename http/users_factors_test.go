package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

const ownPassword = "correct horse"

// withPassword makes an account that signs in by password.
func (b *bundle) withPassword(email string) (id string) {
	b.t.Helper()
	u, err := b.accounts.CreateUser(b.t.Context(), account.NewUser{Email: email, Name: "Ada", Password: ownPassword})
	require.NoError(b.t, err)
	return u.ID
}

// signIn signs in by password, and returns what is needed then, unless it was enough.
func (b *bundle) signIn(email string) (c *client, step map[string]any) {
	b.t.Helper()
	a := b.guest().post("/users/sign-in", map[string]any{"email": email, "password": ownPassword}).status(nethttp.StatusOK)
	step, _ = a.body["factor"].(map[string]any)
	return b.clientOf(a), step
}

// clientOf is the client that an answer has signed in.
func (b *bundle) clientOf(a *answer) *client {
	b.t.Helper()
	for _, cookie := range a.response.Cookies() {
		return &client{b: b, header: nethttp.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}}
	}
	return nil
}

func code(t *testing.T, secret any, at time.Time) string {
	t.Helper()
	c, err := totp.GenerateCode(secret.(string), at)
	require.NoError(t, err)
	return c
}

// withApp adds an authenticator app, confirmed by the code of the time at.
func (c *client) withApp(t *testing.T, at time.Time) (secret any, recovery []any) {
	t.Helper()
	made := c.post("/users/factors/totp", "").status(nethttp.StatusOK).body
	confirmed := c.post("/users/factors/totp/confirm", map[string]any{"code": code(t, made["secret"], at)}).status(nethttp.StatusOK)
	return made["secret"], confirmed.body["recovery"].([]any)
}

func TestSignInByPasswordAndCode(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.withPassword("ada@example.test")
	ada, step := b.signIn("ada@example.test")
	require.Nil(t, step)
	require.Equal(t, []any{}, ada.get("/users/factors").status(nethttp.StatusOK).body["factors"])
	ada.post("/users/factors/totp/confirm", map[string]any{"code": "000000"}).fault(nethttp.StatusConflict, "invalid_state")
	ada.post("/users/factors/recovery", "").fault(nethttp.StatusConflict, "invalid_state")
	at := time.Now()
	secret, recovery := ada.withApp(t, at)
	require.Len(t, recovery, 10)
	list := ada.get("/users/factors").status(nethttp.StatusOK).body
	require.Len(t, list["factors"], 1)
	require.EqualValues(t, 10, list["recoveryLeft"])
	require.Equal(t, []any{true, false}, []any{list["passkeys"], list["required"]})

	guest := b.guest()
	none, step := b.signIn("ada@example.test")
	require.Nil(t, none, "no cookie yet")
	require.Equal(t, []any{"totp", "recovery"}, step["kinds"])
	finish := func(proof map[string]any) *answer {
		proof["token"] = step["token"]
		return guest.post("/users/sign-in/factor", proof)
	}
	require.Equal(t, map[string]string{"code": "one_of"}, finish(map[string]any{}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"code": "one_of"}, finish(map[string]any{"code": "1", "recovery": "2"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"recovery": "required", "passkey": "wrong_type"}, finish(map[string]any{"recovery": "", "passkey": []string{}}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	finish(map[string]any{"passkey": map[string]any{"response": map[string]any{}}}).fault(nethttp.StatusUnauthorized, "invalid_credentials")
	finish(map[string]any{"code": code(t, secret, at)}).fault(nethttp.StatusUnauthorized, "invalid_credentials")
	// The step of the code that confirmed the app is used up; an app may be one step fast.
	in := finish(map[string]any{"code": code(t, secret, at.Add(30*time.Second))}).status(nethttp.StatusOK)
	require.Equal(t, "ada@example.test", in.body["user"].(map[string]any)["email"])
	finish(map[string]any{"recovery": recovery[0]}).fault(nethttp.StatusUnauthorized, "unauthorized")
	ada = b.clientOf(in)
	require.Equal(t, "ada@example.test", ada.get("/users/session").status(nethttp.StatusOK).body["user"].(map[string]any)["email"])

	id := list["factors"].([]any)[0].(map[string]any)["id"].(string)
	b.member(1).delete("/users/factors/"+id).fault(nethttp.StatusConflict, "invalid_state")
	ada.delete("/users/factors/" + id).status(nethttp.StatusNoContent)
	ada.delete("/users/factors/"+id).fault(nethttp.StatusNotFound, "not_found")
	_, step = b.signIn("ada@example.test")
	require.Nil(t, step)
	b.exec("UPDATE core_sessions SET created_at = created_at - interval '11 minutes'")
	ada.post("/users/factors/totp", "").fault(nethttp.StatusForbidden, "sign_in_again")
	ada.post("/users/factors/passkeys/options", "").fault(nethttp.StatusForbidden, "sign_in_again")
}

func TestStaffWithoutAFactorReachOnlyTheirAccount(t *testing.T) {
	t.Parallel()
	b := newBundleWith(t, map[string]string{"DOCKET_STAFF_TWO_FACTOR": "required"})
	member := b.withPassword("member@example.test")
	id := b.withPassword("ada@example.test")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, id, forumEntry(nil, everyPermission...)))
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Admin, id, permission.Entry{Unrestricted: true}))
	text, _, err := b.accounts.CreateToken(t.Context(), id, account.NewToken{Use: permission.UseAdmin})
	require.NoError(t, err)
	ada, _ := b.signIn("ada@example.test")

	require.Equal(t, true, ada.get("/users/session").status(nethttp.StatusOK).body["factorRequired"])
	require.Equal(t, true, ada.get("/users/factors").status(nethttp.StatusOK).body["required"])
	for _, path := range []string{"/users/sessions", "/users/tokens"} {
		ada.get(path).status(nethttp.StatusOK)
	}
	for _, path := range []string{"/moderation/reports", "/moderation/live", "/admin/users", "/users/notices", "/admin/system", "/moderation/target-types"} {
		ada.get(path).fault(nethttp.StatusForbidden, "factor_required")
	}
	ada.post("/users/tokens", map[string]any{"name": "around it"}).fault(nethttp.StatusForbidden, "factor_required")
	ada.post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam"}).fault(nethttp.StatusForbidden, "factor_required")
	ada.post("/admin/users/"+member+"/factors/reset", "").fault(nethttp.StatusForbidden, "factor_required")

	t.Log("hidden content is as for a guest")
	pgtest.Exec(t, b.pool, "UPDATE forum_posts SET hidden_at = now() WHERE id = 1")
	require.Equal(t, b.guest().undescribed(nethttp.MethodGet, "/api/forum/posts/1", "", nil).code, ada.undescribed(nethttp.MethodGet, "/api/forum/posts/1", "", nil).code)

	t.Log("members, API tokens and those with a factor go on")
	other, _ := b.signIn("member@example.test")
	require.Equal(t, false, other.get("/users/session").body["factorRequired"])
	other.get("/users/notices").status(nethttp.StatusOK)
	(&client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + text}}}).get("/moderation/reports").status(nethttp.StatusOK)
	ada.withApp(t, time.Now())
	require.Equal(t, false, ada.get("/users/session").body["factorRequired"])
	ada.get("/moderation/reports").status(nethttp.StatusOK)
	factor := ada.get("/users/factors").body["factors"].([]any)[0].(map[string]any)["id"].(string)
	ada.delete("/users/factors/" + factor).status(nethttp.StatusNoContent)
	ada.get("/moderation/reports").fault(nethttp.StatusForbidden, "factor_required")
}

func TestNobodyResetsStaffWithWiderRights(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	manager, support := b.administrator("Manager", permission.AreaUsersManage)
	ada := b.withPassword("ada@example.test")
	reset := func(id string) *answer { return support.post("/admin/users/"+id+"/factors/reset", "") }
	session, _ := b.signIn("ada@example.test")
	session.withApp(t, time.Now())
	find := func() map[string]any {
		return support.get("/admin/users?search=ada@example.test").status(nethttp.StatusOK).edges()[0]
	}
	require.Equal(t, true, find()["secondFactor"])

	reset("nonsense").fault(nethttp.StatusNotFound, "not_found")
	reset("0197a0b0-0000-7000-8000-000000000001").fault(nethttp.StatusNotFound, "not_found")
	reset(manager).fault(nethttp.StatusForbidden, "forbidden")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Admin, ada, permission.Entry{Unrestricted: true}))
	reset(ada).fault(nethttp.StatusForbidden, "forbidden")
	pgtest.Exec(t, b.pool, "DELETE FROM core_staff_entries WHERE user_id = $1 OR kind = 'moderator' AND user_id = $2", ada, manager)

	require.Equal(t, false, reset(ada).status(nethttp.StatusOK).body["secondFactor"])
	reset(ada).status(nethttp.StatusOK)
	session.get("/users/sessions").fault(nethttp.StatusUnauthorized, "unauthorized")
	_, step := b.signIn("ada@example.test")
	require.Nil(t, step)
}
