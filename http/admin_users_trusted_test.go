package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

// Given an account that an administrator marks as a trusted flagger, when it files, by itself or through
// its platform, then the report says so and for whom, its case weighs more, and it may file on where a
// member may not; and from the mark's end on it is as any member.
func TestATrustedFlaggerFiles(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, admin := b.moderator("Moderator", nil, everyPermission...), b.admin("Accounts", permission.AreaUsersManage)
	find := func() map[string]any {
		return admin.get("/admin/users?search=member").status(nethttp.StatusOK).edges()[0]
	}
	flagger := find()["id"].(string)
	n := 0
	for i, id := range b.members {
		if id == flagger {
			n = i
		}
	}
	require.Equal(t, []any{false, nil}, []any{find()["trusted"], find()["trustedName"]})
	path := "/admin/users/" + flagger + "/trusted"
	read := func(id string) map[string]any {
		return moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
	}
	before := b.file(n, "1")

	const hotline = `<b>Hotline</b> "' OR 1=1 --`
	marked := admin.post(path, map[string]any{"trusted": true, "name": " " + hotline + " "}).status(nethttp.StatusOK).body
	require.Equal(t, []any{true, hotline}, []any{marked["trusted"], marked["trustedName"]})
	require.Equal(t, []any{true, hotline}, []any{find()["trusted"], find()["trustedName"]})
	flagged := b.file(n, "2")
	require.Equal(t, []any{"trusted_flagger", map[string]any{"name": hotline}}, []any{read(flagged)["source"], read(flagged)["flagger"]})
	require.Equal(t, []any{"member", nil}, []any{read(before)["source"], read(before)["flagger"]}, "what was filed before stays as it is")
	other := b.file(n+1, "3")
	require.Equal(t, []any{"member", nil}, []any{read(other)["source"], read(other)["flagger"]})
	require.Equal(t, "trusted_flagger", moderator.get("/moderation/reports/" + flagged + "/replay").status(nethttp.StatusOK).body["source"])
	b.followCases()
	require.Equal(t, "2", moderator.casesOf("")[0])

	t.Log("also through a platform")
	token, _, err := b.accounts.CreateHostToken(t.Context(), "forum", account.NewToken{Use: permission.UseHost})
	require.NoError(t, err)
	host := &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + token}}}
	body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "4", "reason": "spam", "reporter": map[string]any{"subject": "u1", "name": "Uma"}}
	through := host.post("/moderation/reports", body).status(nethttp.StatusCreated).body["id"].(string)
	require.Equal(t, []any{"host", nil}, []any{read(through)["source"], read(through)["flagger"]})
	uma := read(through)["reporter"].(map[string]any)["id"].(string)
	admin.post("/admin/users/"+uma+"/trusted", map[string]any{"trusted": true, "name": "Agency"}).status(nethttp.StatusOK)
	body["targetId"] = "5"
	through = host.post("/moderation/reports", body).status(nethttp.StatusCreated).body["id"].(string)
	require.Equal(t, []any{"trusted_flagger", map[string]any{"name": "Agency"}}, []any{read(through)["source"], read(through)["flagger"]})

	t.Log("beyond what a member may")
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_attempts SET attempts = $1 WHERE user_id = $2`, report.AttemptsPerHour, flagger)
	beyond := b.file(n, "6")
	require.Equal(t, "trusted_flagger", read(beyond)["source"])

	t.Log("until the mark is taken away")
	for range 2 {
		unmarked := admin.post(path, map[string]any{"trusted": false, "name": "ignored"}).status(nethttp.StatusOK).body
		require.Equal(t, []any{false, nil}, []any{unmarked["trusted"], unmarked["trustedName"]})
	}
	b.member(n).post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "7", "reason": "spam"}).fault(nethttp.StatusTooManyRequests, "rate_limited")
	b.exec(`TRUNCATE core_moderation_attempts`)
	after := b.file(n, "7")
	require.Equal(t, []any{"member", nil}, []any{read(after)["source"], read(after)["flagger"]})
	require.Equal(t, map[string]any{"name": hotline}, read(flagged)["flagger"], "what was filed stays as it was")

	t.Log("and the name goes with the account, and with the words")
	_, err = b.log().Erase(t.Context(), flagged, nil, report.EveryWord)
	require.NoError(t, err)
	require.Equal(t, []any{"trusted_flagger", nil}, []any{read(flagged)["source"], read(flagged)["flagger"]})
	admin.post(path, map[string]any{"trusted": true, "name": hotline}).status(nethttp.StatusOK)
	b.admin("Root").delete("/admin/users/" + flagger).status(nethttp.StatusNoContent)
	require.Equal(t, []any{"trusted_flagger", nil, nil}, []any{read(beyond)["source"], read(beyond)["reporter"], read(beyond)["flagger"]})
	admin.post(path, map[string]any{"trusted": true, "name": hotline}).fault(nethttp.StatusNotFound, "not_found")
	require.Zero(t, b.count(`SELECT count(*) FROM core_trusted_flaggers WHERE user_id = $1`, flagger))
	b.sound()
}

func TestWhoMayMarkATrustedFlagger(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id, admin := b.administrator("Accounts", permission.AreaUsersManage)
	path := "/admin/users/" + b.members[0] + "/trusted"
	for body, want := range map[string]map[string]string{
		`{}`:                             {"trusted": "required"},
		`{"trusted":true}`:               {"name": "required"},
		`{"trusted":"yes","name":7}`:     {"trusted": "wrong_type", "name": "wrong_type"},
		`{"trusted":true,"name":"a\nb"}`: {"name": "invalid_text"},
		`{"trusted":true,"name":"` + strings.Repeat("a", 201) + `","since":1}`: {"name": "too_long", "since": "unknown_field"},
	} {
		require.Equal(t, want, admin.post(path, body).fault(nethttp.StatusBadRequest, "validation_failed").issues(), body)
	}
	admin.post(path, map[string]any{"trusted": true, "name": strings.Repeat("é", 200)}).status(nethttp.StatusOK)
	admin.post("/admin/users/nobody/trusted", map[string]any{"trusted": false}).fault(nethttp.StatusNotFound, "not_found")

	t.Log("a right that is lost while the request runs")
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `UPDATE core_staff_entries SET permissions = '[]' WHERE user_id = $1`, id)
	answers := make(chan *answer, 1)
	go func() { answers <- admin.post(path, map[string]any{"trusted": false}) }()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, tx.Commit(t.Context()))
	(<-answers).fault(nethttp.StatusForbidden, "forbidden")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_trusted_flaggers`))
}
