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

// Given an appeal in each role, when an account that it concerns is deleted between any two of
// its steps, then each step after that is done, or refused with a clear error, and the deleted
// person's name is in no answer and no table but in evidence: the snapshot names the authors of
// the content, until it is erased.
func TestAccountsAreDeletedBetweenTheStepsOfAnAppeal(t *testing.T) {
	t.Parallel()
	for _, role := range []report.Role{report.Author, report.Reporter} {
		for _, who := range []string{writes, reports, decides, judges} {
			t.Run(fmt.Sprintf("the %s's appeal without the %s", role, who), func(t *testing.T) {
				t.Parallel()
				b := newBundle(t)
				root := b.user("Root")
				for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
					require.NoError(t, b.staff.Ensure(t.Context(), kind, root, permission.Entry{Unrestricted: true}))
				}
				standIn := b.moderator("Stand-in", nil, everyPermission...)
				policy := b.publish("spam")
				var deleted []string
				for n := range 5 {
					w := &way{bundle: b, role: role, post: fmt.Sprint(n + 1), policy: policy, ids: map[string]string{}, standIn: standIn, root: b.session(root)}
					for _, person := range []string{writes, reports, decides, judges} {
						name := fmt.Sprintf("%s %d", person, n)
						if person == who {
							name = fmt.Sprintf("%s%d", strings.ToUpper(unusual), n)
						}
						w.join(person, name)
					}
					for step, do := range []func(){w.file, w.decide, w.appeal, w.takeUp, w.overturn} {
						do()
						w.deliver(w.reportID)
						if step == n {
							w.delete(who)
							deleted = append(deleted, w.ids[who])
							w.showsNoName(false)
						}
					}
					w.showsNoName(true)
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
			})
		}
	}
}

// way is the way of one report, from its filing to the decision of an appeal.
type way struct {
	*bundle
	role          report.Role
	post          string
	policy        map[string]any
	ids           map[string]string // of the people
	gone          string            // who is deleted
	standIn, root *client           // who do what a deleted moderator cannot

	reportID, appealID string
	version            int
	closed             bool // nobody is left to appeal
}

// join makes the account of a person, with what they need for their part.
func (w *way) join(person, name string) {
	w.t.Helper()
	id := w.user(name)
	w.ids[person] = id
	switch person {
	case writes:
		pgtest.Exec(w.t, w.pool, `UPDATE forum_posts SET author_id = $1 WHERE id = $2::bigint`, id, w.post)
	case decides, judges:
		require.NoError(w.t, w.bundle.staff.Ensure(w.t.Context(), permission.Moderator, id, forumEntry(nil, everyPermission...)))
	}
}

// as signs a person in, or gives nil once they are deleted.
func (w *way) as(person string) *client {
	if person == w.gone {
		return nil
	}
	return w.session(w.ids[person])
}

// delete deletes a person's account, whose session ends at once.
func (w *way) delete(person string) {
	w.t.Helper()
	session := w.as(person)
	session.get("/users/permissions").status(200)
	w.root.do(nethttp.MethodDelete, "/admin/users/"+w.ids[person], "", nil).status(204)
	w.gone = person
	session.get("/users/permissions").fault(401, "unauthorized")
}

func (w *way) path() string { return "/moderation/reports/" + w.reportID }

func (w *way) file() {
	w.t.Helper()
	w.reportID = w.as(reports).post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": w.post, "reason": "spam"}).
		status(201).body["id"].(string)
	w.version = 1
}

// do sends a command with the version that the report has, and returns the new one.
func (w *way) do(c *client, path string, body map[string]any) *answer {
	w.t.Helper()
	body["expectedVersion"] = w.version
	a := c.post(path, body).status(200)
	w.version = int(a.body["version"].(float64))
	return a
}

func (w *way) decide() {
	w.t.Helper()
	maker := w.as(decides)
	if maker == nil {
		maker = w.standIn
	}
	resolution, measures := "no_violation", []any{}
	if w.role == report.Author {
		resolution = "action_taken"
		w.do(maker, w.path()+"/actions/hide", map[string]any{})
		kind := "suspend"
		if w.gone == writes { // the platform has nobody to suspend
			kind = "warn"
		}
		measures = append(measures, map[string]any{"authorId": w.ids[writes], "kind": kind})
	}
	w.do(maker, w.path()+"/resolve", map[string]any{"resolution": resolution, "reasons": "You advertise.", "policy": w.policy, "explanation": "So it is.", "share": true, "measures": measures})
}

func (w *way) appeal() {
	w.t.Helper()
	appellant := map[report.Role]string{report.Author: writes, report.Reporter: reports}[w.role]
	if w.closed = appellant == w.gone; w.closed {
		return
	}
	w.appealID = w.as(appellant).post("/users/decisions/"+w.reportID+"/appeal", map[string]any{"text": "It is wrong."}).status(201).body["id"].(string)
}

func (w *way) judge() *client {
	if w.gone == judges {
		return w.root
	}
	return w.as(judges)
}

func (w *way) takeUp() {
	w.t.Helper()
	if w.closed {
		return
	}
	a := w.judge().get("/moderation/appeals/" + w.appealID).status(200)
	require.Equal(w.t, []any{"open", float64(w.version)}, []any{a.body["status"], a.body["version"]}, "a deletion makes no version stale")
}

// overturn decides the appeal. Without one a moderator still can look at the report again.
func (w *way) overturn() {
	w.t.Helper()
	if w.closed {
		w.do(w.judge(), w.path()+"/reopen", map[string]any{"reason": "A second look."})
		return
	}
	over := w.do(w.judge(), "/moderation/appeals/"+w.appealID+"/overturn", map[string]any{"reply": "You are right."})
	require.Equal(w.t, "overturned", over.body["status"])
	want := map[report.Role]string{report.Author: "done", report.Reporter: "new"}[w.role]
	require.Equal(w.t, want, over.body["report"].(map[string]any)["status"])
	require.Equal(w.t, 200, w.guest().undescribed(nethttp.MethodGet, "/api/forum/posts/"+w.post, "", nil).code)
	w.measured()
}

// measured shows that a measure keeps the author's id, and has their account while there is one.
func (w *way) measured() {
	w.t.Helper()
	for _, m := range w.root.get("/moderation/measures?authorId=" + w.ids[writes]).status(200).edges() {
		author := m["author"].(map[string]any)
		require.Equal(w.t, []any{w.ids[writes], w.gone == writes, "overturn"}, []any{author["id"], author["account"] == nil, m["endedBy"]})
	}
}

// showsNoName reads all that tells of the report, as everybody who is left, also as it was at each event.
func (w *way) showsNoName(replayed bool) {
	w.t.Helper()
	paths := []string{"/moderation/reports?first=100", "/moderation/reports?search=" + unusual, w.path(), w.path() + "/timeline", w.path() + "/assignees", w.path() + "/related",
		w.path() + "/replay", "/moderation/appeals?first=100", "/moderation/cases", "/moderation/measures", "/users/standing", "/moderation/authors/" + w.ids[writes],
		"/moderation/reporters/" + w.ids[reports], "/moderation/stats/reporters/" + w.ids[reports], "/moderation/stats", "/moderation/events?first=100",
		"/admin/users?search=" + unusual, "/admin/staff/moderators", "/users/decisions", "/users/decisions/" + w.reportID, "/users/notices", "/api/forum/posts/" + w.post}
	evidence := regexp.MustCompile(`"authors":\[[^]]*\]|"author":\{"pluginId":[^}]*`) // a measure's author is named by the snapshot
	if replayed {
		for sequence := range w.root.get(w.path() + "/timeline").status(200).edges() {
			paths = append(paths, fmt.Sprintf("%s/replay?sequence=%d", w.path(), sequence+1))
		}
	}
	if w.appealID != "" {
		paths = append(paths, "/moderation/appeals/"+w.appealID)
	}
	readers := []*client{w.root}
	for _, person := range []string{writes, reports} {
		if reader := w.as(person); reader != nil {
			readers = append(readers, reader)
		}
	}
	for _, path := range paths {
		for i, reader := range readers {
			if i > 0 && !strings.HasPrefix(path, "/users/") {
				continue
			}
			a := reader.undescribed(nethttp.MethodGet, path, "", nil)
			require.Less(w.t, a.code, 500, path)
			require.NotContains(w.t, strings.ToLower(evidence.ReplaceAllString(string(a.raw), "")), unusual, path)
		}
	}
}
