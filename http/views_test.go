package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSavedViews(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo, other := b.moderator("Mo", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	put := func(c *client, name, body string) *answer {
		return c.do(nethttp.MethodPut, "/moderation/views/"+name, "application/json", []byte(body))
	}
	put(mo, "my%20spam%2Fqueue", `{"query":"status=new&reason=spam"}`).status(200)
	put(mo, "my%20spam%2Fqueue", `{"query":"status=new"}`).status(200)
	got := mo.get("/moderation/views/my%20spam%2Fqueue").status(200)
	require.Equal(t, "my spam/queue", got.body["name"])
	require.Equal(t, "status=new", got.body["query"])
	other.get("/moderation/views/my%20spam%2Fqueue").fault(404, "not_found")
	require.Empty(t, other.get("/moderation/views").status(200).edges())
	require.Len(t, mo.get("/moderation/views").status(200).edges(), 1)
	put(mo, "x", `{"query":1,"more":2}`).fault(400, "validation_failed")
	put(mo, "x", `{"query":"`+strings.Repeat("a", 4001)+`"}`).fault(400, "validation_failed")
	put(mo, strings.Repeat("a", 101), `{"query":""}`).fault(404, "not_found")
	for _, unreachable := range []string{"%00", ".", "..", "%2e", "%2E%2e", "%E2%80%8B", "%EF%BB%BF", "%E3%85%A4"} {
		put(mo, unreachable, `{"query":""}`).fault(404, "not_found")
	}
	mo.do(nethttp.MethodDelete, "/moderation/views/my%20spam%2Fqueue", "", nil).status(204)
	mo.get("/moderation/views/my%20spam%2Fqueue").fault(404, "not_found")
}

func TestWhatPluginsBring(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	items := b.moderator("Mo", nil, everyPermission...).get("/moderation/target-types").status(200).body["items"].([]any)
	require.Len(t, items, 2, "topics and posts; the caller has no grant for profiles")
	require.Equal(t, []any{"hide", "unhide"}, items[0].(map[string]any)["actions"])
	require.NotEmpty(t, b.guest().get("/messages?locale=xx").status(200).body["forum.post"])
}

func TestWhereTargetsAreReadByEverybody(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	paths := map[string]any{}
	for _, item := range b.unlimited("Mo").get("/moderation/target-types").status(200).body["items"].([]any) {
		paths[item.(map[string]any)["type"].(string)] = item.(map[string]any)["publicPath"]
	}
	require.Equal(t, "labels", paths["shop.tag"], "of the public API, not of the module")
	require.Equal(t, "profiles", paths["forum.profile"], "a registered target of a content type")
}
