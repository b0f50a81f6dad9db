package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// decided is a report of a post that was hidden and resolved as action_taken.
type decided struct {
	*bundle
	reportID string
	path     string // of the report
	author   *client
	maker    *client // who decided
	judge    *client // who may decide appeals
}

// postAuthor gives the member who wrote a post.
func (b *bundle) postAuthor(post string) string {
	return pgtest.One[string](b.t, b.pool, `SELECT author_id::text FROM forum_posts WHERE id = $1::bigint`, post)
}

func newDecided(t *testing.T) *decided {
	t.Helper()
	return newDecidedOn(newBundle(t))
}

func newDecidedOn(b *bundle) *decided {
	b.t.Helper()
	d := &decided{bundle: b}
	d.author = d.session(d.postAuthor("1"))
	d.maker, d.judge = d.moderator("Maker", nil, everyPermission...), d.moderator("Judge", nil, permission.ViewReports, permission.DecideAppeals)
	d.reportID = d.file(d.reporterOf("1"), "1")
	d.path = "/moderation/reports/" + d.reportID
	d.maker.post(d.path+"/actions/hide", map[string]any{"expectedVersion": 1}).status(200)
	d.maker.post(d.path+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "action_taken", "reasons": "You advertise.", "policy": d.publish("spam")}).status(200)
	return d
}

func (d *decided) appeal() string {
	d.t.Helper()
	return d.author.post("/users/decisions/"+d.reportID+"/appeal", map[string]any{"text": "I do not."}).status(201).body["id"].(string)
}

func (d *decided) public() int {
	d.t.Helper()
	return d.guest().undescribed(nethttp.MethodGet, "/api/forum/posts/1", "", nil).code
}

// sound checks that every row is the fold of its events.
func (b *bundle) sound() {
	b.t.Helper()
	o := projector.Options{Workers: 1, Found: func(difference string) { b.t.Error(difference) }}
	_, err := projections.Inline{}.Verify(b.t.Context(), b.pool, o)
	require.NoError(b.t, err)
}

func TestAnAuthorAppealsAndIsHeard(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	require.Equal(t, 404, d.public(), "it is hidden")

	t.Log("the author sees what was decided and why, and no reporter")
	mine := d.author.get("/users/decisions").status(200).edges()
	require.Len(t, mine, 1)
	require.Equal(t, "author", mine[0]["role"])
	decision := mine[0]["decision"].(map[string]any)
	require.Equal(t, []any{"action_taken", "You advertise.", []any{"hide"}}, []any{decision["resolution"], decision["reasons"], decision["actions"]})
	require.NotNil(t, decision["appealableUntil"])
	require.Nil(t, mine[0]["appeal"])
	one := d.author.get("/users/decisions/" + d.reportID).status(200)
	require.NotNil(t, one.body["snapshot"])
	require.NotContains(t, string(one.raw), "reporter")
	d.member(5).get("/users/decisions/"+d.reportID).fault(404, "not_found")

	appealID := d.appeal()
	d.author.post("/users/decisions/"+d.reportID+"/appeal", map[string]any{"text": "Again."}).fault(409, "already_appealed")
	require.Equal(t, "open", d.author.get("/users/decisions").edges()[0]["appeal"].(map[string]any)["status"])

	t.Log("somebody else decides")
	path := "/moderation/appeals/" + appealID
	open := d.judge.get("/moderation/appeals?status=open").status(200).edges()
	require.Len(t, open, 1)
	require.Equal(t, []any{"I do not.", 3.}, []any{open[0]["text"], open[0]["version"]})
	require.Len(t, d.judge.get("/moderation/appeals?status=open&mine=true").status(200).edges(), 1)
	require.Len(t, d.maker.get("/moderation/appeals?status=open").status(200).edges(), 1)
	require.Empty(t, d.maker.get("/moderation/appeals?status=open&mine=true").status(200).edges(), "somebody else decides it")
	d.maker.get("/moderation/appeals?mine=no").fault(400, "validation_failed")
	d.maker.post(path+"/overturn", map[string]any{"reply": "No.", "expectedVersion": 3}).fault(403, "own_decision")
	d.judge.post(path+"/overturn", map[string]any{"reply": "Yes.", "expectedVersion": 2}).fault(409, "conflict")
	require.Equal(t, map[string]string{"reply": "required", "expectedVersion": "required"},
		d.judge.post(path+"/overturn", map[string]any{"reply": " "}).fault(400, "validation_failed").issues())
	over := d.judge.post(path+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3}).status(200)

	require.Equal(t, []any{"overturned", "You are right.", 4.}, []any{over.body["status"], over.body["reply"], over.body["version"]})
	shown := over.body["report"].(map[string]any)
	require.Equal(t, []any{"no_violation", "done"}, []any{shown["resolution"], shown["status"]})
	require.Equal(t, []any{}, shown["decision"].(map[string]any)["actions"])
	require.Equal(t, 200, d.public(), "it is public again")
	heard := d.author.get("/users/decisions").edges()[0]["appeal"].(map[string]any)
	require.Equal(t, []any{"overturned", "You are right."}, []any{heard["status"], heard["reply"]})
	d.judge.post(path+"/uphold", map[string]any{"reply": "No.", "expectedVersion": 4}).fault(409, "invalid_state")

	t.Log("each step is in the timeline and in the replay")
	require.Equal(t, []any{"created", "action", "resolved", "appealed", "appeal_decided", "action", "resolved"}, d.maker.get(d.path+"/timeline").types())
	require.Equal(t, "action_taken", d.maker.get(d.path + "/replay?sequence=4").body["resolution"])
	d.sound()
}

func TestAReporterAppealsAndTheReportIsNew(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	maker, judge := b.moderator("Maker", nil, everyPermission...), b.moderator("Judge", nil, everyPermission...)
	id := b.file(3, "1")
	path := "/moderation/reports/" + id
	maker.post(path+"/claim", map[string]any{"expectedVersion": 1}).status(200)
	maker.post(path+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "no_violation", "reasons": "For the author alone.", "explanation": "It is fine.", "share": true}).status(200)
	mine := b.member(3).get("/users/decisions/" + id).status(200)
	require.Equal(t, []any{"reporter", nil}, []any{mine.body["role"], mine.body["snapshot"]})
	require.Equal(t, "It is fine.", mine.body["decision"].(map[string]any)["explanation"])
	require.NotContains(t, string(mine.raw), "author alone")
	b.session(b.postAuthor("1")).get("/users/decisions/"+id).fault(404, "not_found")

	appeal := b.member(3).post("/users/decisions/"+id+"/appeal", map[string]any{"text": "Look again."}).status(201)
	over := judge.post("/moderation/appeals/"+appeal.body["id"].(string)+"/overturn", map[string]any{"reply": "We will.", "expectedVersion": 3}).status(200)

	shown := over.body["report"].(map[string]any)
	require.Equal(t, []any{"new", nil, nil, nil}, []any{shown["status"], shown["assignee"], shown["resolution"], shown["decision"]})
	after := b.member(3).get("/users/decisions").edges()[0]
	require.Nil(t, after["decision"])
	require.Equal(t, "We will.", after["appeal"].(map[string]any)["reply"])
	b.sound()

	t.Log("a new decision can be appealed anew")
	maker.post(path+"/resolve", map[string]any{"expectedVersion": 4, "resolution": "no_violation"}).status(200)
	require.Nil(t, b.member(3).get("/users/decisions").edges()[0]["appeal"])
	b.member(3).post("/users/decisions/"+id+"/appeal", map[string]any{"text": "Still."}).status(201)
	b.sound()
}

// Each way to dispose of an appeal is closed to the maker of its decision, and none is to others.
func TestTheMakerOfADecisionCannotDisposeOfItsAppeal(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	appealID := d.appeal()
	other := d.moderator("Other", nil, everyPermission...)
	for path, body := range map[string]map[string]any{
		d.path + "/claim":   at(3),
		d.path + "/resolve": {"expectedVersion": 3, "resolution": "no_violation"},
		"/moderation/cases/decide": {"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "1"}, "resolve": map[string]any{"resolution": "no_violation"},
			"reports": []map[string]any{{"id": d.reportID, "expectedVersion": 3}}},
	} {
		d.maker.post(path, body).fault(403, "own_decision")
	}
	d.maker.post("/moderation/next", nil).status(nethttp.StatusNoContent)
	for c, want := range map[*client][]any{d.maker: {[]any{}, true}, other: {[]any{"claim", "assign", "resolve", "reopen"}, false}} {
		r := c.get(d.path).status(200).body
		require.Equal(t, want, []any{r["moves"], r["ownDecision"]})
	}

	t.Log("with another outcome somebody else closes it")
	other.post(d.path+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "duplicate"}).status(200)
	closed := d.judge.get("/moderation/appeals/" + appealID).status(200)
	require.Equal(t, []any{"overturned", true, nil}, []any{closed.body["status"], closed.body["superseded"], closed.body["reply"]})
	d.judge.post("/moderation/appeals/"+appealID+"/uphold", map[string]any{"reply": "No.", "expectedVersion": 4}).fault(409, "invalid_state")
	d.sound()
}

func TestAnActionStandsUntilItIsUndone(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	overturn := "/moderation/appeals/" + d.appeal() + "/overturn"
	yes := map[string]any{"reply": "Yes.", "expectedVersion": 3}
	d.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
		CREATE TRIGGER refuse BEFORE UPDATE ON forum_posts FOR EACH ROW EXECUTE FUNCTION refuse()`)
	before := d.judge.get(d.path).status(200)
	d.judge.post(overturn, yes).fault(422, "action_failed")
	require.JSONEq(t, string(before.raw), string(d.judge.get(d.path).raw))
	require.Equal(t, 404, d.public())

	t.Log("of content that is gone nothing is undone")
	d.exec(`DELETE FROM forum_posts WHERE id = 1`)
	d.judge.post(overturn, yes).status(200)
	require.Equal(t, []any{"hide"}, d.judge.get(d.path).status(200).body["decision"].(map[string]any)["actions"])
	d.sound()
}

func TestAnActionThatSomebodyHasUndoneStandsNoMore(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	d.exec(`UPDATE forum_posts SET hidden_at = NULL, hidden_by = NULL WHERE id = 1`)
	d.judge.post("/moderation/appeals/"+d.appeal()+"/overturn", map[string]any{"reply": "Yes.", "expectedVersion": 3}).status(200)
	require.Equal(t, []any{}, d.judge.get(d.path).status(200).body["decision"].(map[string]any)["actions"])
	d.sound()
}

func TestAppealsEndAndAreOfRoles(t *testing.T) {
	t.Parallel()
	d := newDecidedOn(newBundleWith(t, map[string]string{"DOCKET_APPEAL_DAYS": "0"}))
	d.author.post("/users/decisions/"+d.reportID+"/appeal", map[string]any{"text": "No."}).fault(409, "appeal_closed")
	d.judge.get("/moderation/appeals?status=new").fault(400, "validation_failed")
	require.Empty(t, d.moderator("Elsewhere", []string{"offtopic"}, everyPermission...).get("/moderation/appeals").status(200).edges())
}
