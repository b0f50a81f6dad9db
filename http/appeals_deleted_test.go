package http_test

import (
	"fmt"
	nethttp "net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// unusual is part of the name and the address of each account that is deleted, and of nothing
// else.
const unusual = "qwyjibo"

// The people of an appeal.
const (
	writes  = "author"
	reports = "reporter"
	decides = "maker" // of the decision
	judges  = "judge" // of the appeal
)

// Given an open appeal in each role, when an account that it concerns is deleted, then it is decided as ever,
// and the deleted person's name is in no answer and no table but in evidence: the snapshot names the authors of
// the content, until it is erased.
func TestAccountsAreDeletedWhileAnAppealIsOpen(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	root := b.session(b.rootModerator("Root"))
	policy := b.publish("spam")
	var deleted []string
	for _, role := range []report.Role{report.Author, report.Reporter} {
		for _, who := range []string{writes, reports, decides, judges} {
			n := len(deleted)
			w := &way{bundle: b, root: root, role: role, post: fmt.Sprint(n + 1), ids: map[string]string{}}
			for _, person := range []string{writes, reports, decides, judges} {
				name := fmt.Sprintf("%s %d", person, n)
				if person == who {
					name = fmt.Sprintf("%s%d", strings.ToUpper(unusual), n)
				}
				w.join(person, name)
			}
			w.decideAndAppeal(policy)
			b.deliver(w.reportID)
			w.delete(who)
			deleted = append(deleted, w.ids[who])
			w.overturn()
			b.deliver(w.reportID)
			w.showsNoName()
		}
	}
	b.sound()
	require.Subset(t, []string{"public.core_moderation_report_events.evidence", "public.core_moderation_reports.snapshot", "public.core_moderation_reports.search"}, pgtest.WhereFound(t, b.pool, unusual),
		"an author's name is left in evidence and its index alone")
	for _, id := range deleted {
		_, err := b.log().EraseWrittenBy(t.Context(), id, true, nil, nil)
		require.NoError(t, err)
	}
	require.Empty(t, pgtest.WhereFound(t, b.pool, unusual))
	b.sound()
}

// way is the way of one report, from its filing to the decision of an appeal.
type way struct {
	*bundle
	root *client
	role report.Role
	post string
	ids  map[string]string // of the people
	gone string            // who is deleted

	path, reportID, appealID string
	version                  int
}

// join makes the account of a person, with what they need for their part.
func (w *way) join(person, name string) {
	w.t.Helper()
	id := w.user(name)
	w.ids[person] = id
	switch person {
	case writes:
		w.by(id, w.post)
	case decides, judges:
		require.NoError(w.t, w.bundle.staff.Ensure(w.t.Context(), permission.Moderator, id, forumEntry(nil, everyPermission...)))
	}
}

// as signs a person in, or root in the place of who is deleted.
func (w *way) as(person string) *client {
	if person == w.gone {
		return w.root
	}
	return w.session(w.ids[person])
}

// delete deletes a person's account, whose session ends at once.
func (w *way) delete(person string) {
	w.t.Helper()
	session := w.as(person)
	session.get("/users/permissions").status(200)
	w.root.delete("/admin/users/" + w.ids[person]).status(204)
	w.gone = person
	session.get("/users/permissions").fault(401, "unauthorized")
}

// do sends a command with the version that the report has, and returns the new one.
func (w *way) do(person, path string, body map[string]any) *answer {
	w.t.Helper()
	body["expectedVersion"] = w.version
	a := w.as(person).post(path, body).status(200)
	w.version = int(a.body["version"].(float64))
	return a
}

func (w *way) decideAndAppeal(policy map[string]any) {
	w.t.Helper()
	filed := w.as(reports).post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": w.post, "reason": "spam"}).status(201)
	w.reportID, w.version = filed.body["id"].(string), 1
	w.path = "/moderation/reports/" + w.reportID
	resolution, appellant, measures := "no_violation", reports, []any{}
	if w.role == report.Author {
		resolution, appellant = "action_taken", writes
		w.do(decides, w.path+"/actions/hide", map[string]any{})
		measures = append(measures, map[string]any{"authorId": w.ids[writes], "kind": "suspend"})
	}
	w.do(decides, w.path+"/resolve", map[string]any{"resolution": resolution, "reasons": "You advertise.", "policy": policy, "explanation": "So it is.", "share": true, "measures": measures})
	w.appealID = w.as(appellant).post("/users/decisions/"+w.reportID+"/appeal", map[string]any{"text": "It is wrong."}).status(201).body["id"].(string)
}

// overturn decides the appeal. A measure keeps the author's id, and has their account while there is one.
func (w *way) overturn() {
	w.t.Helper()
	a := w.as(judges).get("/moderation/appeals/" + w.appealID).status(200)
	require.Equal(w.t, []any{"open", float64(w.version)}, []any{a.body["status"], a.body["version"]}, "a deletion makes no version stale")
	over := w.do(judges, "/moderation/appeals/"+w.appealID+"/overturn", map[string]any{"reply": "You are right."})
	want := map[report.Role]string{report.Author: "done", report.Reporter: "new"}[w.role]
	require.Equal(w.t, []any{"overturned", want}, []any{over.body["status"], over.body["report"].(map[string]any)["status"]})
	require.Equal(w.t, 200, w.guest().undescribed(nethttp.MethodGet, "/api/forum/posts/"+w.post, "", nil).code)
	for _, m := range w.root.get("/moderation/measures?authorId=" + w.ids[writes]).status(200).edges() {
		author := m["author"].(map[string]any)
		require.Equal(w.t, []any{w.ids[writes], w.gone == writes, "overturn"}, []any{author["id"], author["account"] == nil, m["endedBy"]})
	}
}

// showsNoName reads all that tells of the report, as everybody who is left, also as it was at each event.
func (w *way) showsNoName() {
	w.t.Helper()
	paths := []string{"/moderation/reports?first=100", "/moderation/reports?search=" + unusual, w.path, w.path + "/timeline", w.path + "/assignees", w.path + "/related",
		w.path + "/replay", "/moderation/appeals?first=100", "/moderation/cases", "/moderation/measures", "/users/standing", "/moderation/authors/" + w.ids[writes],
		"/moderation/reporters/" + w.ids[reports], "/moderation/stats/reporters/" + w.ids[reports], "/moderation/stats", "/moderation/events?first=100",
		"/admin/users?search=" + unusual, "/admin/staff/moderators", "/users/decisions", "/users/decisions/" + w.reportID, "/users/notices", "/api/forum/posts/" + w.post, "/moderation/appeals/" + w.appealID}
	evidence := regexp.MustCompile(`"authors":\[[^]]*\]|"author":\{"pluginId":[^}]*`) // a measure's author is named by the snapshot
	for sequence := range w.root.get(w.path + "/timeline").status(200).edges() {
		paths = append(paths, fmt.Sprintf("%s/replay?sequence=%d", w.path, sequence+1))
	}
	for _, path := range paths {
		readers := []*client{w.root}
		if strings.HasPrefix(path, "/users/") {
			readers = []*client{w.as(writes), w.as(reports)}
		}
		for _, reader := range readers {
			a := reader.undescribed(nethttp.MethodGet, path, "", nil)
			require.Less(w.t, a.code, 500, path)
			require.NotContains(w.t, strings.ToLower(evidence.ReplaceAllString(string(a.raw), "")), unusual, path)
		}
	}
}
