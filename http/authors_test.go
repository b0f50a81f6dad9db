package http_test

import (
	nethttp "net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheRecordOfAnAuthor(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	author := d.postAuthor("1")
	record := d.judge.get("/moderation/authors/" + author).status(200).body
	require.EqualValues(t, 1, record["decided"])
	require.Equal(t, map[string]any{"action_taken": 1., "no_violation": 0., "duplicate": 0.}, record["outcomes"])
	require.Equal(t, []any{map[string]any{"key": "spam", "version": 1., "decisions": 1.}}, record["policies"])
	require.Equal(t, author, record["account"].(map[string]any)["id"])
	latest := record["latest"].([]any)
	require.Len(t, latest, 1)
	require.Equal(t, d.reportID, latest[0].(map[string]any)["id"])

	require.EqualValues(t, 0, d.judge.get("/moderation/authors/" + author + "?pluginId=shop").status(200).body["decided"])
	unknown := d.judge.get("/moderation/authors/nobody").status(200).body
	require.Equal(t, []any{0., nil}, []any{unknown["decided"], unknown["account"]})

	t.Log("it reaches as far as the caller's scopes, and a revoked decision counts no longer")
	elsewhere := d.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	require.EqualValues(t, 0, elsewhere.get("/moderation/authors/" + author).status(200).body["decided"])
	d.maker.post(d.path+"/reopen", map[string]any{"expectedVersion": 3, "reason": "A second look."}).status(200)
	require.EqualValues(t, 0, d.judge.get("/moderation/authors/" + author).status(200).body["decided"])
}

func TestReportsAndCasesAreFilteredByAuthorAndLocale(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	b.exec(`UPDATE forum_posts SET author_id = '` + b.members[7] + `' WHERE id IN (1, 3); UPDATE forum_posts SET author_id = '` + b.members[8] + `' WHERE id = 2`)
	first, second, third := b.file(0, "1"), b.file(0, "2"), b.file(0, "3")
	b.followCases()
	ids := func(query string) (found []string) {
		for _, e := range moderator.get("/moderation/reports?order=asc&" + query).status(nethttp.StatusOK).edges() {
			found = append(found, e["id"].(string))
		}
		return found
	}
	author := "author=" + url.QueryEscape("forum:"+b.members[7])
	require.Equal(t, []string{first, third}, ids(author))
	require.Equal(t, []string{second}, ids("author="+url.QueryEscape("forum:"+b.members[8])))
	require.Empty(t, ids("author="+url.QueryEscape("shop:"+b.members[7])), "of another plugin")
	require.ElementsMatch(t, []string{first, third}, ids("orderBy=priority&"+author))
	require.Equal(t, []string{"1", "3"}, moderator.casesOf("&orderBy=firstAt&"+author))
	require.EqualValues(t, 2, moderator.get("/moderation/reports/counts?" + author).body["new"])

	named := []any{map[string]any{"id": b.members[7], "name": "Member 7"}}
	require.Equal(t, named, moderator.get("/moderation/reports?" + author).edges()[0]["authors"])
	require.Equal(t, named, moderator.get("/moderation/cases?" + author).edges()[0]["authors"])

	require.Equal(t, []string{first, second, third}, ids("locale=en"))
	require.Empty(t, ids("locale=ar"))
	require.Equal(t, []string{first, third}, ids("locale=en&"+author))
	require.Len(t, moderator.casesOf("&locale=en"), 3)
	require.Empty(t, moderator.casesOf("&locale=ar"))
	for query, fault := range map[string]string{"author=nobody": "author", "author=:1": "author", "locale=%3Bx": "locale"} {
		require.Equal(t, map[string]string{fault: "invalid"}, moderator.get("/moderation/reports?"+query).status(nethttp.StatusBadRequest).issues())
	}

	t.Log("what is next, too")
	require.Equal(t, second, moderator.post("/moderation/next?author="+url.QueryEscape("forum:"+b.members[8]), "{}").status(nethttp.StatusOK).body["id"])
}

func TestAnAuthorsRecordTellsWhatWasReportedLast(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, elsewhere := b.moderator("Moderator", nil, everyPermission...), b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	b.exec(`UPDATE forum_posts SET author_id = '` + b.members[7] + `', category_id = 'general' WHERE id <= 7`)
	reports := map[string]string{}
	for _, post := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		reports[post] = b.file(0, post)
	}
	resolve := func(post, resolution string) {
		moderator.post("/moderation/reports/"+reports[post]+"/resolve", map[string]any{"expectedVersion": 1, "resolution": resolution}).status(nethttp.StatusOK)
	}
	resolve("4", "no_violation")
	resolve("6", "action_taken")
	b.followCases()
	record := moderator.get("/moderation/authors/" + b.members[7]).status(nethttp.StatusOK).body
	require.NotNil(t, record["memberSince"])
	var things [][]any
	for _, one := range record["recent"].([]any) {
		thing := one.(map[string]any)
		things = append(things, []any{thing["targetId"], thing["resolution"]})
	}
	require.Equal(t, [][]any{{"7", nil}, {"6", "action_taken"}, {"5", nil}, {"4", "no_violation"}, {"3", nil}}, things)

	t.Log("a thing that is reported again is named once, by its latest report")
	again := b.file(1, "4")
	b.followCases()
	latest := moderator.get("/moderation/authors/" + b.members[7]).body["recent"].([]any)[0].(map[string]any)
	require.Equal(t, []any{again, nil}, []any{latest["id"], latest["resolution"]})

	require.Empty(t, elsewhere.get("/moderation/authors/" + b.members[7]).body["recent"], "within the caller's scopes")
	require.Empty(t, moderator.get("/moderation/authors/" + b.members[7] + "?pluginId=shop").body["recent"])
	b.exec(`INSERT INTO core_user_identities (user_id, issuer, subject, created_at) VALUES ('` + b.members[7] + `', 'https://idp.example', 'm7', now())`)
	require.Nil(t, moderator.get("/moderation/authors/" + b.members[7]).body["memberSince"], "only the first sight is known")
}
