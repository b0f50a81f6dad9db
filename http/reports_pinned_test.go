package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

func TestAPinnedNote(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	writer, pinner, viewer := b.moderator("Writer", nil, "can_view_reports", "can_manage_reports"), b.moderator("Pinner", nil, "can_view_reports", "can_manage_reports"), b.moderator("Viewer", nil, "can_view_reports")
	id, sibling := b.file(0, "1"), b.file(1, "1")
	b.followCases()
	note := func() string {
		return writer.post("/moderation/reports/"+id+"/notes", map[string]any{"body": "The police asked to keep it until Friday."}).status(nethttp.StatusCreated).
			body["note"].(map[string]any)["id"].(string)
	}
	kept := note()
	pin := func(c *client, note string, until any) *answer {
		return c.post("/moderation/reports/"+id+"/notes/"+note+"/pin", map[string]any{"until": until})
	}
	pinned := func(report string) []any { return writer.get("/moderation/reports/" + report).body["pinned"].([]any) }
	ofCase := func() []any { return writer.get("/moderation/cases").edges()[0]["pinned"].([]any) }

	friday := time.Now().Add(72 * time.Hour).UTC().Truncate(time.Second)
	a := pin(pinner, kept, friday).status(nethttp.StatusOK)
	want := []any{map[string]any{"reportId": id, "noteId": kept, "until": friday.Format("2006-01-02T15:04:05.000000Z"), "by": map[string]any{
		"id": a.body["report"].(map[string]any)["pinned"].([]any)[0].(map[string]any)["by"].(map[string]any)["id"], "name": "Pinner"}}}
	require.Equal(t, want, pinned(id), "a colleague's note")
	require.Equal(t, want, ofCase())
	require.Empty(t, pinned(sibling))
	require.EqualValues(t, 1, a.body["report"].(map[string]any)["version"])

	entries := writer.get("/moderation/reports/" + id + "/timeline?order=desc").edges()
	require.Equal(t, "note_pinned", entries[0]["type"])
	require.Equal(t, map[string]any{"noteId": kept, "until": want[0].(map[string]any)["until"]}, entries[0]["data"])
	pin(pinner, kept, friday).status(nethttp.StatusOK)
	require.Len(t, writer.get("/moderation/reports/"+id+"/timeline").edges(), 3, "a repeat changes nothing")

	t.Log("who may, and until when")
	pin(viewer, kept, friday).fault(nethttp.StatusForbidden, "forbidden")
	pin(writer, sibling, friday).fault(nethttp.StatusNotFound, "not_found")
	require.Equal(t, map[string]string{"until": "too_far"}, pin(writer, kept, time.Now().AddDate(1, 0, 2)).status(nethttp.StatusBadRequest).issues())
	require.Equal(t, map[string]string{"until": "in_the_past"}, pin(writer, kept, time.Now()).status(nethttp.StatusBadRequest).issues())

	t.Log("it ends when it is taken back, with its note, and with its time")
	pin(writer, kept, nil).status(nethttp.StatusOK)
	require.Empty(t, pinned(id))
	pin(writer, kept, friday).status(nethttp.StatusOK)
	writer.post("/moderation/reports/"+id+"/notes/"+kept+"/delete", map[string]any{}).status(nethttp.StatusOK)
	require.Empty(t, ofCase())
	pin(writer, kept, friday).fault(nethttp.StatusConflict, "invalid_state")
	soon := note()
	pin(writer, soon, friday).status(nethttp.StatusOK)
	require.Len(t, pinned(id), 1)
	b.exec(`UPDATE core_moderation_reports SET pins = jsonb_set(pins::jsonb, '{0,until}', to_jsonb(now()))::json WHERE pins IS NOT NULL`)
	require.Empty(t, pinned(id))
	require.Empty(t, ofCase())

	t.Log("the row is what its events say, and survives an account")
	pin(pinner, soon, friday.Add(time.Hour)).status(nethttp.StatusOK)
	root := b.session(b.rootModerator("Root"))
	root.do(nethttp.MethodDelete, "/admin/users/"+want[0].(map[string]any)["by"].(map[string]any)["id"].(string), "", nil).status(nethttp.StatusNoContent)
	require.Nil(t, pinned(id)[0].(map[string]any)["by"])
	b.sound()
}

// rootModerator makes an administrator and moderator without restrictions.
func (b *bundle) rootModerator(name string) string {
	id := b.user(name)
	for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
		require.NoError(b.t, b.staff.Ensure(b.t.Context(), kind, id, permission.Entry{Unrestricted: true}))
	}
	return id
}
