package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// hidePost hides a post of the category and returns its id.
func (b *bundle) hidePost(category string) string {
	b.t.Helper()
	return pgtest.One[string](b.t, b.pool, `UPDATE forum_posts SET hidden_at = now(), hidden_by = $2
		WHERE id = (SELECT min(id) FROM forum_posts WHERE category_id = $1) RETURNING id::text`, category, b.members[0])
}

func TestHiddenContentIsThereOnlyForThoseWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	general, support := b.hidePost("general"), b.hidePost("support")
	for name, c := range map[string]struct {
		client           *client
		general, support int
	}{
		"a guest":                            {b.guest(), 404, 404},
		"a broken session":                   {&client{b: b, header: nethttp.Header{"Cookie": {"docket_session=nonsense"}}}, 404, 404},
		"a member":                           {b.member(1), 404, 404},
		"a moderator without the permission": {b.moderator("Reports", nil, permission.ViewReports), 404, 404},
		"a moderator of general":             {b.moderator("Scoped", []string{"general"}, permission.ViewHidden), 200, 404},
		"a moderator of all":                 {b.moderator("All", nil, permission.ViewHidden), 200, 200},
	} {
		shown := c.client.get("/api/forum/posts/" + general)
		require.Equal(t, c.general, shown.code, name)
		if shown.code == 200 {
			require.Equal(t, true, shown.body["hidden"], name)
		}
		require.Equal(t, c.support, c.client.get("/api/forum/posts/"+support).code, name)
		listed := c.client.walk("/api/forum/posts", "first", 20)
		for post, code := range map[string]int{general: c.general, support: c.support} {
			if code == 200 {
				require.Contains(t, listed, post, name)
			} else {
				require.NotContains(t, listed, post, name)
			}
		}
		require.Greater(t, len(listed), 45, name)
	}
}

func TestContentItem(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author := pgtest.One[string](t, b.pool, `SELECT author_id::text FROM forum_topics WHERE id = 1`)
	name := pgtest.One[string](t, b.pool, `SELECT name FROM core_users WHERE id = $1`, author)

	topic := b.guest().get("/api/forum/topics/1").status(200).body
	require.Equal(t, []any{"1", "/forum/topics/1", "Welcome: introduce yourself here", "en"}, []any{topic["id"], topic["url"], topic["title"], topic["locale"]})
	require.Equal(t, "doc", topic["body"].(map[string]any)["type"])
	require.Equal(t, []any{map[string]any{"id": author, "name": name}}, topic["authors"])
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, topic["publishedAt"])

	profile := b.guest().get("/api/forum/profiles/" + author).status(200).body
	require.Equal(t, name, profile["name"])
	require.NotContains(t, profile, "email")
	b.guest().get("/api/forum/posts?first=2&locale=de").status(200)
}

func TestContentThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for path, code := range map[string]string{
		"/api/forum/topics/" + pgtest.One[string](t, b.pool, "SELECT id::text FROM forum_topics WHERE status = 'draft'"): "not_found",
		"/api/forum/topics/999999":               "not_found",
		"/api/forum/topics/%ff":                  "not_found",
		"/api/forum/topics/99999999999999999999": "not_found",
		"/api/forum/profiles/1":                  "not_found",
		"/api/forum/polls":                       "not_found",
		"/api/wiki/topics/1":                     "not_found",
		"/api/@platform/topics/1":                "not_found",
		"/api/forum/topics/1?locale=%00":         "validation_failed",
		"/api/forum/topics?first=0&locale=x":     "validation_failed",
		"/api/forum/topics?cursor=x":             "invalid_cursor",
	} {
		b.guest().get(path).fault(map[string]int{"not_found": 404, "validation_failed": 400, "invalid_cursor": 400}[code], code)
	}
}
