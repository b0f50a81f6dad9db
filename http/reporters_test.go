package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

func TestWhatMutedPeopleFileStaysOffTheBoard(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, append([]string{permission.MuteReporters}, everyPermission...)...)
	before := b.file(0, "1")
	path := "/moderation/reporters/" + b.members[0]
	until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)

	a := moderator.post(path+"/mute", map[string]any{"until": until, "reason": "Reports everything."}).status(nethttp.StatusOK)
	require.NotNil(t, a.body["mutedUntil"])
	require.Len(t, a.body["mutes"], 1)

	muted := b.file(0, "2") // as ever
	require.Equal(t, []string{before}, moderator.ids("/moderation/reports"))
	require.EqualValues(t, 1, moderator.get("/moderation/reports/counts").status(nethttp.StatusOK).body["new"])
	require.Equal(t, []string{muted}, moderator.ids("/moderation/reports?muted=true"))
	require.EqualValues(t, 1, moderator.get("/moderation/reports?muted=true").body["pageInfo"].(map[string]any)["totalCount"])
	require.Equal(t, []string{muted, before}, moderator.ids("/moderation/reports?muted=any"))
	require.EqualValues(t, 2, moderator.get("/moderation/reports/counts?muted=any").status(nethttp.StatusOK).body["new"])
	require.Equal(t, true, moderator.get("/moderation/reports/" + muted).status(nethttp.StatusOK).body["muted"])
	b.followCases()
	require.Equal(t, []string{"1"}, moderator.casesOf(""))

	require.Nil(t, moderator.post(path+"/unmute", "{}").status(nethttp.StatusOK).body["mutedUntil"])
	require.NotNil(t, moderator.get(path).status(nethttp.StatusOK).body["mutes"].([]any)[0].(map[string]any)["endedAt"])
	moderator.post(path+"/unmute", "{}").status(nethttp.StatusOK)
	after := b.file(0, "3")
	require.Equal(t, []string{after, before}, moderator.ids("/moderation/reports"))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM core_ledger WHERE kind = 'mute' AND convert_from(payload, 'UTF8')::json ->> 'user_id' = $1`, b.members[0]))
}

func TestWhoMayMuteWhom(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.file(0, "1") // in general
	everything := append([]string{permission.MuteReporters}, everyPermission...)
	general, elsewhere := b.moderator("General", []string{"general"}, everything...), b.moderator("Elsewhere", []string{"offtopic"}, everything...)
	viewer := b.moderator("Viewer", nil, permission.ViewReports)
	path := "/moderation/reporters/" + b.members[0]
	body := map[string]any{"until": time.Now().Add(time.Hour).Format(time.RFC3339), "reason": "Why not."}

	elsewhere.post(path+"/mute", body).fault(nethttp.StatusNotFound, "not_found")
	elsewhere.get(path).fault(nethttp.StatusNotFound, "not_found")
	viewer.get(path).status(nethttp.StatusOK)
	viewer.post(path+"/mute", body).fault(nethttp.StatusForbidden, "forbidden")
	general.post("/moderation/reporters/"+b.members[1]+"/mute", body).fault(nethttp.StatusNotFound, "not_found")
	require.Equal(t, map[string]string{"until": "in_the_past", "reason": "too_short"},
		general.post(path+"/mute", map[string]any{"until": "2020-01-01T00:00:00Z", "reason": "x"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"until": "too_far", "reason": "required"},
		general.post(path+"/mute", map[string]any{"until": "2999-01-01T00:00:00Z"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Nil(t, general.get(path).status(nethttp.StatusOK).body["mutedUntil"])
	general.post(path+"/mute", body).status(nethttp.StatusOK)
	require.Len(t, general.post(path+"/mute", body).status(nethttp.StatusOK).body["mutes"], 2, "a new mute takes the place of the old one")
}

func TestAMuteCountsWhereItsMakerMayMute(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	everything := append([]string{permission.MuteReporters}, everyPermission...)
	everywhere := b.moderator("Everywhere", nil, everything...)
	general, support := b.moderator("General", []string{"general"}, everything...), b.moderator("Support", []string{"support"}, everything...)
	path := "/moderation/reporters/" + b.members[0]
	body := map[string]any{"until": time.Now().Add(time.Hour).Format(time.RFC3339), "reason": "Reports everything."}
	for post, category := range map[string]string{"1": "general", "2": "support", "3": "general", "4": "support", "5": "general", "6": "support", "7": "general", "8": "support"} {
		b.movePost(post, category)
	}
	muted := func(post string) any {
		return everywhere.get("/moderation/reports/" + b.file(0, post)).status(nethttp.StatusOK).body["muted"]
	}
	require.Equal(t, []any{false, false}, []any{muted("1"), muted("2")})

	mutes := general.post(path+"/mute", body).status(nethttp.StatusOK).body["mutes"].([]any)
	require.Equal(t, map[string]any{"family": "forum.category", "mode": "selected", "ids": []any{"general"}},
		mutes[0].(map[string]any)["reach"].([]any)[0].(map[string]any)["scope"])
	require.Equal(t, []any{true, false}, []any{muted("3"), muted("4")}, "only in the category of who muted")

	support.post(path+"/unmute", "{}").fault(nethttp.StatusForbidden, "forbidden")
	require.Len(t, support.post(path+"/mute", body).status(nethttp.StatusOK).body["mutes"], 2)
	require.NotNil(t, general.post(path+"/unmute", "{}").status(nethttp.StatusOK).body["mutedUntil"], "the mute in support stands")
	require.Equal(t, []any{false, true}, []any{muted("5"), muted("6")})
	require.Nil(t, everywhere.post(path+"/unmute", "{}").status(nethttp.StatusOK).body["mutedUntil"])

	// As the release before writes it.
	b.exec(`INSERT INTO core_mutes (id, user_id, until, reason, muted_at) SELECT gen_random_uuid(), user_id, until, reason, now() FROM core_mutes LIMIT 1`)
	require.Equal(t, []any{true, true}, []any{muted("7"), muted("8")})
	require.Nil(t, support.post(path+"/unmute", "{}").status(nethttp.StatusOK).body["mutedUntil"])
}

func TestNobodyMutesStaffWithWiderRights(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	everything := append([]string{permission.MuteReporters}, everyPermission...)
	general := b.moderator("General", []string{"general"}, everything...)
	wider, colleague := b.members[0], b.members[1]
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, wider, forumEntry(nil, permission.ViewReports)))
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, colleague, forumEntry([]string{"general"}, permission.ViewReports)))
	b.movePost("1", "general")
	body := map[string]any{"until": time.Now().Add(time.Hour).Format(time.RFC3339), "reason": "Reports everything."}
	b.file(0, "1")
	b.file(1, "1")
	b.file(2, "1")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Admin, b.members[2], permission.Entry{}))

	general.post("/moderation/reporters/"+wider+"/mute", body).fault(nethttp.StatusForbidden, "forbidden")
	general.post("/moderation/reporters/"+colleague+"/mute", body).status(nethttp.StatusOK)
	general.post("/moderation/reporters/"+b.members[2]+"/mute", body).status(nethttp.StatusOK)
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Admin, b.members[3], permission.Entry{Unrestricted: true}))
	b.file(3, "1")
	general.post("/moderation/reporters/"+b.members[3]+"/mute", body).fault(nethttp.StatusForbidden, "forbidden")
}
