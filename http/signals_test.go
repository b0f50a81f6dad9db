package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/account"
)

// signaller is the server of a plugin that sends signals.
func (b *bundle) signaller(plugin string) *client {
	b.t.Helper()
	token, _, err := b.accounts.CreateHostToken(b.t.Context(), plugin, account.NewToken{Use: permission.UseSignal})
	require.NoError(b.t, err)
	return &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + token}}}
}

func about(post string, signals ...any) map[string]any {
	return map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "signals": signals}
}

func scored(name string, score any) map[string]any {
	return map[string]any{"name": name, "score": score}
}

// briefly writes signals as source:name=score.
func briefly(list any) string {
	var out []string
	for _, one := range list.([]any) {
		s := one.(map[string]any)
		out = append(out, fmt.Sprintf("%v:%v=%v", s["source"], s["name"], s["score"]))
	}
	return strings.Join(out, " ")
}

func TestSignalsOfAPlatform(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	machine, mod := b.signaller("forum"), b.moderator("Mod", nil, "can_view_reports", "can_manage_reports")
	before := b.file(0, "1")
	version := mod.get("/moderation/reports/" + before).body["version"]
	require.EqualValues(t, 1, machine.post("/moderation/signals", about("1", scored("spam", 0.9), scored("links.unknown", 1))).status(nethttp.StatusOK).body["reports"])
	require.EqualValues(t, 0, machine.post("/moderation/signals", about("2", scored("spam", 0))).status(nethttp.StatusOK).body["reports"], "nobody has reported it")
	after, later := b.file(1, "1"), b.file(0, "2")
	for id, want := range map[string]string{before: "forum:links.unknown=1 forum:spam=0.9", after: "forum:links.unknown=1 forum:spam=0.9", later: "forum:spam=0"} {
		r := mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		require.Equal(t, want, briefly(r["signals"]))
		require.Equal(t, version, r["version"], "they make no decision stale")
	}

	t.Log("another score is an entry of the timeline, and a replay has the one of its time")
	machine.post("/moderation/signals", about("1", scored("spam", 0.1))).status(nethttp.StatusOK)
	machine.post("/moderation/signals", about("1", scored("spam", 0.1))).status(nethttp.StatusOK)
	entries := mod.get("/moderation/reports/" + before + "/timeline").edges()
	require.Len(t, entries, 3)
	require.Equal(t, []any{"signalled", nil, "forum"}, []any{entries[2]["type"], entries[2]["actor"], entries[2]["data"].(map[string]any)["source"]})
	one := entries[2]["data"].(map[string]any)["signals"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"spam", 0.1}, []any{one["name"], one["score"]})
	require.NotEmpty(t, one["at"])
	for sequence, want := range []string{"", "forum:links.unknown=1 forum:spam=0.9", "forum:links.unknown=1 forum:spam=0.1"} {
		replayed := mod.get(fmt.Sprintf("/moderation/reports/%s/replay?sequence=%d", before, sequence+1)).status(nethttp.StatusOK)
		require.Equal(t, want, briefly(replayed.body["signals"]))
	}

	t.Log("nobody is told of them")
	b.sound()
	require.Zero(t, b.count(`SELECT count(*) FROM watermill_docket_events WHERE payload::text LIKE '%signal%'`))
}

func TestSignalsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	machine := b.signaller("forum")
	many := make([]any, 21)
	for i := range many {
		many[i] = scored(fmt.Sprintf("s%d", i), 0)
	}
	for name, c := range map[string]struct {
		body   map[string]any
		issues map[string]string
	}{
		"every fault": {map[string]any{"pluginId": "forum", "targetType": "forum.nothing", "targetId": "1", "more": 1,
			"signals": []any{scored("Spam", 1.5), 3, map[string]any{"name": "a", "x": 1}, scored("b", "1"), scored("c", nil), scored("d", 0), scored("d", 0)}},
			map[string]string{"targetType": "unknown_target", "more": "unknown_field", "signals[0].name": "invalid", "signals[0].score": "out_of_range", "signals[1]": "wrong_type",
				"signals[2].score": "required", "signals[2].x": "unknown_field", "signals[3].score": "wrong_type", "signals[4].score": "wrong_type", "signals[6].name": "duplicate"}},
		"a wrong id": {about("x", scored("a", 0)), map[string]string{"targetId": "invalid"}},
		"an empty":   {map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "signals": []any{}}, map[string]string{"signals": "required"}},
		"too many":   {about("1", many...), map[string]string{"signals": "too_many"}},
	} {
		a := machine.post("/moderation/signals", c.body)
		a.fault(nethttp.StatusBadRequest, "validation_failed")
		require.Equal(t, c.issues, a.issues(), name)
	}
	machine.post("/moderation/signals", about("1", many[:20]...)).status(nethttp.StatusOK)

	b.signaller("shop").post("/moderation/signals", about("1", scored("a", 0))).fault(nethttp.StatusForbidden, "forbidden")
}

// A capture of a plugin in Go brings signals; those that are wrong are left out.
func TestSignalsOfACapture(t *testing.T) {
	t.Parallel()
	score := 0.5
	b := newBundle(t, func(context.Context, cmd.Host) (*cmd.Plugin, error) {
		p := &cmd.Plugin{}
		p.ID = "photos"
		p.Targets = []target.Definition{{Type: "photos.photo", Label: "photos.photo", PermissionModule: "photos", ParseID: content.KeyBigint.Parse,
			Capture: func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) {
				return &snapshot.Capture{Title: "A photo", Signals: []snapshot.Signal{{Name: "nude", Score: score}, {Name: "Wrong", Score: 1}, {Name: "spam", Score: 7}}}, nil
			},
			Current: func(context.Context, string, string) (*target.State, error) { return &target.State{}, nil },
		}}
		return p, nil
	})
	b.run()
	mod := b.unlimited("Mod")
	file := func(member int) string {
		return b.member(member).post("/moderation/reports", map[string]any{"pluginId": "photos", "targetType": "photos.photo", "targetId": "7", "reason": "spam"}).
			status(nethttp.StatusCreated).body["id"].(string)
	}
	signals := func(id string) string {
		return briefly(mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["signals"])
	}
	first := file(0)
	require.Equal(t, "photos:nude=0.5", signals(first))
	require.NotContains(t, string(mod.get("/moderation/reports/"+first).raw), "Wrong")
	score = 0.75
	second := file(1)
	require.Equal(t, "photos:nude=0.75", signals(second))
	require.Eventually(t, func() bool { return signals(first) == "photos:nude=0.75" }, 20*time.Second, 20*time.Millisecond, "a task gives them to the others")
	b.sound()
}
