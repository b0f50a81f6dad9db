package http_test

import (
	"context"
	"errors"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// around returns the relation and the id of each item, marked if it is hidden or without words.
func (c *client) around(report string) (found []string) {
	c.b.t.Helper()
	for _, one := range c.get("/moderation/reports/" + report + "/context").status(nethttp.StatusOK).body["items"].([]any) {
		item := one.(map[string]any)
		at := item["relation"].(string) + " " + item["id"].(string)
		if item["hidden"].(bool) {
			at += " hidden"
		}
		if item["text"].(string) == "" {
			at += " wordless"
		}
		found = append(found, at)
	}
	return found
}

func TestTheContextOfAPostIsItsTopic(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, viewer := b.moderator("Moderator", nil, everyPermission...), b.moderator("Viewer", nil, "can_view_reports")
	b.exec(`UPDATE forum_posts SET topic_id = 1, category_id = 'general', status = 'published', hidden_at = NULL WHERE id <= 11;
		UPDATE forum_posts SET topic_id = 2 WHERE id > 11; UPDATE forum_topics SET category_id = 'general' WHERE id = 1`)
	report := b.file(0, "6")
	require.Equal(t, []string{"parent 1", "before 3", "before 4", "before 5", "target 6", "after 7", "after 8", "after 9"}, moderator.around(report))
	items := moderator.get("/moderation/reports/" + report + "/context").body["items"].([]any)
	require.NotContains(t, items[0].(map[string]any)["text"], "general", "the id of a scope is no text")
	topic := items[0].(map[string]any)
	require.NotContains(t, topic["text"], topic["title"], "the title is told beside the text")
	item := items[4].(map[string]any)
	require.Equal(t, "forum.post", item["type"])
	require.NotEmpty(t, item["author"].(map[string]any)["name"])
	require.NotNil(t, item["at"])
	require.Equal(t, "/forum/posts/6", item["url"])

	t.Log("drafts and other scopes are left out, hidden ones marked")
	b.exec(`UPDATE forum_posts SET status = 'draft' WHERE id = 7; UPDATE forum_posts SET category_id = 'offtopic' WHERE id IN (5, 9);
		UPDATE forum_posts SET hidden_at = now() WHERE id = 4; UPDATE forum_topics SET category_id = 'support' WHERE id = 1`)
	require.Equal(t, []string{"before 3", "before 4 hidden", "target 6", "after 8", "after 10"}, moderator.around(report))
	require.Equal(t, []string{"before 3", "before 4 hidden wordless", "target 6", "after 8", "after 10"}, viewer.around(report))

	t.Log("it is read anew, and never stored")
	b.exec(`UPDATE forum_posts SET body = '` + strings.Repeat("x", 5000) + `marked' WHERE id = 8`)
	text := moderator.get("/moderation/reports/" + report + "/context").body["items"].([]any)[3].(map[string]any)["text"].(string)
	require.Len(t, text, 2000)
	b.exec(`DELETE FROM forum_posts WHERE id IN (6, 8)`)
	require.Empty(t, moderator.around(report), "of what is deleted nothing stands around")
	viewer.get("/moderation/reports/"+b.members[0]+"/context").fault(nethttp.StatusNotFound, "not_found")

	t.Log("a platform that does not answer")
	b.exec(`ALTER TABLE forum_posts RENAME TO forum_posts_gone`)
	moderator.get("/moderation/reports/"+report+"/context").fault(nethttp.StatusServiceUnavailable, "unavailable")
}

func TestTheContextOfATargetInGo(t *testing.T) {
	t.Parallel()
	var answer func() ([]target.ContextItem, error)
	shop := func(context.Context, cmd.Host) (*cmd.Plugin, error) {
		p := &cmd.Plugin{Plugin: plugin.Plugin{ID: "shop", Messages: map[string]map[string]string{"en": {"shop.item": "item"}}}}
		make := func(kind string) target.Definition {
			return target.Definition{Type: kind, Label: "shop.item", PermissionModule: "items",
				ParseID: func(v string) (string, bool) { return v, true },
				Capture: func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) {
					return &snapshot.Capture{Title: "Item"}, nil
				},
				Current: func(context.Context, string, string) (*target.State, error) { return &target.State{}, nil }}
		}
		with := make("shop.item")
		with.Context = func(context.Context, string, string) ([]target.ContextItem, error) { return answer() }
		p.Targets = []target.Definition{with, make("shop.plain")}
		return p, nil
	}
	b := newBundle(t, shop)
	root := b.session(b.rootModerator("Root"))
	file := func(kind string) string {
		return b.member(0).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": kind, "targetId": "1", "reason": "spam"}).
			status(nethttp.StatusCreated).body["id"].(string)
	}
	report := file("shop.item")
	answer = func() (items []target.ContextItem, err error) {
		for range 20 {
			items = append(items, target.ContextItem{ID: "2", Relation: target.After, Text: "later\x00\xff"}, target.ContextItem{ID: "3", Relation: "beside"})
		}
		return append(items, target.ContextItem{ID: "1", Relation: target.Itself, Text: "this"}), nil
	}
	found := root.around(report)
	require.Len(t, found, 8)
	require.Equal(t, []string{"target 1", "after 2"}, found[:2])
	for name, fails := range map[string]func() ([]target.ContextItem, error){
		"an error": func() ([]target.ContextItem, error) { return nil, errors.New("no") },
		"a panic":  func() ([]target.ContextItem, error) { panic("no") },
	} {
		answer = fails
		t.Log(name)
		root.get("/moderation/reports/"+report+"/context").fault(nethttp.StatusServiceUnavailable, "unavailable")
	}
	require.Empty(t, root.around(file("shop.plain")), "a type without one")
}
