//go:build cluster

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// commands are those of moderators and members, each given to servers of the release before,
// on the new schema, and what each must show on a new server.
type commands struct {
	t        *testing.T
	site     *site
	posts    []string // that the load does not report
	reporter string
	author   string // of every post
	admin    string
	adminID  string

	standing  map[string][]string // by report that is done, the actions that stand
	revoked   string              // a report whose decision was appealed and overturned
	appealed  map[string]string   // open appeals, by report
	dismissed string              // a report without violation
	assigned  string              // a report that the admin is to decide
	note      string              // an edited note of that report
	gone      string              // a deleted one
}

func newCommands(t *testing.T, database string, s *site) *commands {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	c := &commands{t: t, site: s, reporter: s.member("commands"), standing: map[string][]string{}, appealed: map[string]string{}}
	rows, err := conn.Query(ctx, `INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT topic_id, category_id, author_id, 'Advice ' || n, 'Buy mine.', now(), now()
		FROM (SELECT * FROM forum_posts ORDER BY id LIMIT 1) p, generate_series(1, 12) n RETURNING id::text`)
	require.NoError(t, err)
	c.posts, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	var author string
	require.NoError(t, conn.QueryRow(ctx, `SELECT u.email, (SELECT id::text FROM core_users WHERE email = 'admin@demo.test')
		FROM forum_posts p JOIN core_users u ON u.id = p.author_id WHERE p.id = $1::bigint`, c.posts[0]).Scan(&author, &c.adminID))
	c.author, c.admin = s.signIn(t, author), s.signIn(t, "admin@demo.test")
	return c
}

// object is an answer about a report, an appeal or a note.
type object struct {
	ID      string
	Version int
	Status  string
	Note    *struct{ ID string }
}

func (c *commands) post(path, credentials string, body map[string]any) (o object) {
	c.t.Helper()
	a := c.site.send(c.t.Context(), http.MethodPost, path, credentials, body)
	require.NoError(c.t, a.err)
	require.Less(c.t, a.status, 300, "POST %s: %s", path, a)
	if len(a.text) > 0 {
		require.NoError(c.t, json.Unmarshal(a.text, &o))
	}
	return o
}

// decide lets the admin decide an appeal, since nobody decides about their own decision.
func (c *commands) decide(report, appeal, outcome string) {
	c.t.Helper()
	c.post("/moderation/appeals/"+appeal+"/"+outcome, c.admin, map[string]any{"reply": "We looked again.", "expectedVersion": c.get("/moderation/reports/"+report, c.admin).Version})
}

// on gives commands to a report, which each change its version.
func (c *commands) on(id string, steps ...step) {
	c.t.Helper()
	version := c.get("/moderation/reports/"+id, c.site.moderator).Version
	for _, s := range steps {
		body := map[string]any{"expectedVersion": version}
		for name, value := range s.body {
			body[name] = value
		}
		version = c.post("/moderation/reports/"+id+s.path, c.site.moderator, body).Version
	}
}

type step struct {
	path string
	body map[string]any
}

func (c *commands) get(path, credentials string) (o object) {
	c.t.Helper()
	c.read(path, credentials, &o)
	return o
}

func (c *commands) read(path, credentials string, into any) {
	c.t.Helper()
	a := c.site.send(c.t.Context(), http.MethodGet, path, credentials, nil)
	require.NoError(c.t, a.err)
	require.Equal(c.t, http.StatusOK, a.status, "GET %s: %s", path, a)
	require.NoError(c.t, json.Unmarshal(a.text, into), "%s", a)
}

// commandAll gives every command.
func (c *commands) commandAll() {
	c.t.Helper()
	claim, hide, unhide := step{path: "/claim"}, step{path: "/actions/hide"}, step{path: "/actions/unhide"}
	resolve := func(resolution string) step {
		return step{"/resolve", map[string]any{"resolution": resolution, "reasons": "You advertise.", "explanation": "It advertises.", "share": true}}
	}
	var filed []string
	for _, post := range c.posts {
		filed = append(filed, c.post("/moderation/reports", c.reporter, map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": "spam"}).ID)
	}
	next := func() (id string) { id, filed = filed[0], filed[1:]; return id }

	hidden, shown := next(), next()
	c.on(hidden, claim, hide, resolve("no_violation"), step{"/reopen", map[string]any{"reason": "A second look."}}, resolve("action_taken"))
	c.on(shown, claim, hide, unhide, resolve("action_taken"))
	c.standing[hidden], c.standing[shown] = []string{"hide"}, []string{}

	together, post := next(), c.posts[2]
	c.post("/moderation/cases/decide", c.site.moderator, map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": post},
		"reports": []any{map[string]any{"id": together, "expectedVersion": 1}}, "action": "hide", "resolve": map[string]any{"resolution": "action_taken"}})
	c.standing[together] = []string{"hide"}

	// Appeals: one overturned and one upheld here, two that a new server decides.
	appeal := func(id, credentials string) string {
		return c.post("/users/decisions/"+id+"/appeal", credentials, map[string]any{"text": "I do not agree."}).ID
	}
	for _, outcome := range []string{"overturn", "uphold", "", ""} {
		id := next()
		c.on(id, claim, hide, resolve("action_taken"))
		switch a := appeal(id, c.author); outcome {
		case "overturn":
			c.decide(id, a, outcome)
			c.revoked = id
		case "uphold":
			c.decide(id, a, outcome)
			c.standing[id] = []string{"hide"}
		default:
			c.appealed[id] = a
			c.standing[id] = []string{"hide"}
		}
	}
	c.dismissed = next()
	c.on(c.dismissed, claim, resolve("no_violation"))
	c.decide(c.dismissed, appeal(c.dismissed, c.reporter), "uphold")
	c.standing[c.dismissed] = []string{}

	c.assigned = next()
	c.on(c.assigned, claim, step{path: "/unassign"}, step{"/assign", map[string]any{"assigneeId": c.adminID}})
	notes := "/moderation/reports/" + c.assigned + "/notes"
	c.note = c.post(notes, c.site.moderator, map[string]any{"body": "Looked at it."}).Note.ID
	c.post(notes+"/"+c.note+"/edit", c.site.moderator, map[string]any{"body": "Looked at it twice."})
	c.gone = c.post(notes, c.site.moderator, map[string]any{"body": "A slip."}).Note.ID
	c.post(notes+"/"+c.gone+"/delete", c.site.moderator, map[string]any{})
	c.post("/moderation/reports/"+c.assigned+"/presence", c.site.moderator, nil)

	var page struct{ Reporter struct{ ID string } }
	c.read("/moderation/reports/"+c.assigned, c.site.moderator, &page)
	c.post("/moderation/reporters/"+page.Reporter.ID+"/mute", c.site.moderator, map[string]any{"until": time.Now().Add(time.Hour), "reason": "Too many."})
	c.post("/moderation/reporters/"+page.Reporter.ID+"/unmute", c.site.moderator, nil)
	c.post("/admin/policies", c.admin, map[string]any{"key": "no-offers", "title": "No offers", "text": "Offers go elsewhere."})
	c.post("/admin/policies/no-offers/retire", c.admin, nil)
	c.post("/moderation/next", c.admin, nil)
}

// shown is a report, in each of the answers that show it.
type shown struct {
	ID, Status string
	Version    int
	Decision   *struct{ Actions []string }
	Assignee   *struct{ ID string }
	Target     struct{ ID string }
}

// readAll reads what the commands did by every reader of the new server at the port, and lets
// it decide the appeals that are open.
func (c *commands) readAll(port int) {
	t, old := c.t, c.site
	t.Helper()
	direct := *old
	direct.base = fmt.Sprintf("http://127.0.0.1:%d/api/@platform/core", port)
	c.site = &direct
	defer func() { c.site = old }()

	for id, actions := range c.standing {
		require.Equal(t, actions, c.readReport(id).Decision.Actions, "report %s", id)
	}
	c.requireRevoked(c.revoked)
	require.Equal(t, c.adminID, c.readReport(c.assigned).Assignee.ID)
	c.requireDecisions()
	c.requireNotes()
	for _, path := range []string{"/moderation/cases?first=100", "/moderation/reports/counts", "/moderation/events?first=100", "/moderation/team", "/moderation/policies",
		"/moderation/appeals?first=100", "/moderation/stats", "/moderation/stats/target?pluginId=forum&targetType=forum.post&targetId=" + c.posts[0], "/moderation/reports/" + c.assigned + "/assignees", "/moderation/reports/" + c.assigned + "/related", "/users/notices"} {
		c.read(path, c.admin, &json.RawMessage{})
	}

	for id, appeal := range c.appealed {
		c.decide(id, appeal, "overturn")
		c.requireRevoked(id)
		delete(c.standing, id)
	}
	c.requireDecisions()
}

// readReport reads a report on its own, replayed and in the list, which must agree, and its timeline.
func (c *commands) readReport(id string) (page shown) {
	c.t.Helper()
	c.read("/moderation/reports/"+id, c.admin, &page)
	var replayed shown
	c.read("/moderation/reports/"+id+"/replay", c.admin, &replayed)
	require.Equal(c.t, page, replayed)
	var list, timeline struct{ Edges []shown }
	c.read("/moderation/reports?pluginId=forum&targetType=forum.post&targetId="+page.Target.ID+"&first=100", c.admin, &list)
	at := slices.IndexFunc(list.Edges, func(s shown) bool { return s.ID == id })
	require.GreaterOrEqual(c.t, at, 0, "the list misses %s", id)
	require.Equal(c.t, page, list.Edges[at])
	c.read("/moderation/reports/"+id+"/timeline?first=100", c.admin, &timeline)
	require.NotEmpty(c.t, timeline.Edges)
	return page
}

// requireRevoked requires that nothing of the decision is left: its action is undone.
func (c *commands) requireRevoked(id string) {
	c.t.Helper()
	page := c.readReport(id)
	require.True(c.t, page.Decision == nil || len(page.Decision.Actions) == 0, "report %s", id)
	var target struct {
		Target struct{ Current struct{ Hidden bool } }
	}
	c.read("/moderation/reports/"+id, c.admin, &target)
	require.False(c.t, target.Target.Current.Hidden, "report %s", id)
}

// requireDecisions requires that members read of their content and their reports what stands.
func (c *commands) requireDecisions() {
	c.t.Helper()
	for role, credentials := range map[string]string{"author": c.author, "reporter": c.reporter} {
		var list struct{ Edges []shown }
		c.read("/users/decisions?first=100", credentials, &list)
		found := map[string]bool{}
		for _, concern := range list.Edges {
			if actions, is := c.standing[concern.ID]; is {
				found[concern.ID] = true
				if role == "reporter" { // only the author reads what was done
					actions = []string{}
				}
				require.Equal(c.t, actions, concern.Decision.Actions, "report %s, as its %s reads of it", concern.ID, role)
				var one shown
				c.read("/users/decisions/"+concern.ID, credentials, &one)
				require.Equal(c.t, concern, one)
			}
		}
		for id := range c.standing {
			require.True(c.t, found[id] || role == "author" && id == c.dismissed, "report %s, as its %s", id, role)
		}
	}
}

// requireNotes requires the timeline's words.
func (c *commands) requireNotes() {
	c.t.Helper()
	var timeline json.RawMessage
	c.read("/moderation/reports/"+c.assigned+"/timeline?first=100", c.admin, &timeline)
	for _, part := range []string{"note_updated", "note_deleted", "Looked at it twice.", c.note, c.gone} {
		require.Contains(c.t, string(timeline), part)
	}
	require.NotContains(c.t, string(timeline), "A slip.")
}
