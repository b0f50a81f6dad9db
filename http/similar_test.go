package http_test

import (
	"fmt"
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/fingerprints"
)

const offer = "Buy ten thousand real followers today for only nine dollars and watch your page grow. Our team delivers within an hour, no password needed, " +
	"and your money back if you are not happy with what you get."

// followFingerprints brings the fingerprints up to the log.
func (b *bundle) followFingerprints() {
	b.t.Helper()
	b.follow(fingerprints.Projection)
}

// write changes the text of a post.
func (b *bundle) write(post, html string) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET title = 'Post ' || id, body = $2 WHERE id = $1::bigint`, post, html)
}

// fileAs writes a post and reports it.
func (b *bundle) fileAs(member int, post, html string) string {
	b.t.Helper()
	b.write(post, html)
	return b.file(member, post)
}

// similar lists the look-alikes of a report and their similarities.
func (c *client) similar(id, query string) (ids []string, similarities []float64) {
	c.b.t.Helper()
	for _, e := range c.get("/moderation/reports/" + id + "/similar?" + query).status(nethttp.StatusOK).edges() {
		ids, similarities = append(ids, e["report"].(map[string]any)["id"].(string)), append(similarities, e["similarity"].(float64))
	}
	return ids, similarities
}

func TestLookAlikesAreOpenReportsWithNearlyTheSameWords(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one := b.fileAs(0, "1", "<p>"+offer+"</p>")
	same := b.fileAs(1, "2", "<h1>"+strings.ToUpper(offer)+"</h1>")
	near := b.fileAs(2, "3", "<p>"+strings.Replace(offer, "nine", "seven", 1)+"</p>")
	far := b.fileAs(3, "4", "<p>"+offer+" Write me a message before the weekend, and say where you have heard of it.</p>")
	b.fileAs(4, "5", "<p>I think that the second chapter explains why rivers freeze from above.</p>")
	done := b.fileAs(5, "6", "<p>"+offer+"</p>")
	moderator.post("/moderation/reports/"+done+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)

	ids, similarities := moderator.similar(one, "")
	require.Equal(t, []string{same, near}, ids, "before any projection has read of them")
	b.followFingerprints()
	ids, after := moderator.similar(one, "")
	require.Equal(t, []string{same, near}, ids)
	require.Equal(t, similarities, after)
	require.Greater(t, similarities[0], similarities[1])
	_, back := moderator.similar(near, "")
	require.InDelta(t, similarities[1], back[len(back)-2], 0, "it is symmetric")
	wide, _ := moderator.similar(one, "min=0.5")
	require.Equal(t, []string{same, near, far}, wide)
	only, _ := moderator.similar(one, "min=1")
	require.Equal(t, []string{same}, only)

	t.Log("page by page, in the order of similarity")
	first := moderator.get("/moderation/reports/" + one + "/similar?min=0.5&first=2").status(nethttp.StatusOK)
	require.EqualValues(t, 3, first.body["pageInfo"].(map[string]any)["totalCount"])
	next, _ := moderator.similar(one, "min=0.5&first=2&cursor="+url.QueryEscape(first.body["pageInfo"].(map[string]any)["endCursor"].(string)))
	require.Equal(t, []string{far}, next)
	reversed, _ := moderator.similar(one, "min=0.5&order=asc")
	require.Equal(t, []string{far, near, same}, reversed)

	t.Log("decisions and reopening are seen at once")
	moderator.post("/moderation/reports/"+near+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "duplicate"}).status(nethttp.StatusOK)
	left, _ := moderator.similar(one, "")
	require.Equal(t, []string{same}, left)
	moderator.post("/moderation/reports/"+done+"/reopen", map[string]any{"expectedVersion": 2, "reason": "A second look."}).status(nethttp.StatusOK)
	left, _ = moderator.similar(one, "")
	require.ElementsMatch(t, []string{same, done}, left)

	t.Log("only within the scopes of the caller")
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_targets SET scope_id = 'offtopic' WHERE target_id = '2'`)
	general := b.moderator("General", b.categoriesOf("1", "6"), everyPermission...)
	left, _ = general.similar(one, "")
	require.Equal(t, []string{done}, left)
}

// categoriesOf are the categories of posts.
func (b *bundle) categoriesOf(posts ...string) []string {
	return pgtest.One[[]string](b.t, b.pool, `SELECT array_agg(DISTINCT category_id) FROM forum_posts WHERE id::text = ANY ($1)`, posts)
}

func TestLinksOfAReportAndWhoElseHoldsThem(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one := b.fileAs(0, "1", `<p>Look <a href="https://spam.example/offer?utm_source=a">here</a> or at https://раураl.example/login</p>`)
	two := b.fileAs(1, "2", `<p>Something else entirely is at www.spam.example/offer#now, they say.</p>`)
	upheldOne := b.fileAs(2, "3", `<p>Come to https://spam.example/offer!</p>`)
	b.fileAs(3, "4", `<p>https://spam.example/another</p>`)
	moderator.post("/moderation/reports/"+upheldOne+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken"}).status(nethttp.StatusOK)
	held, _ := moderator.similar(one, "link=any")
	require.Equal(t, []string{two}, held, "before any projection has read of them")
	b.followFingerprints()

	require.Equal(t, []any{
		map[string]any{"url": "https://spam.example/offer?utm_source=a", "host": "spam.example", "suspicious": nil, "reports": 2., "upheld": 1.},
		map[string]any{"url": "https://раураl.example/login", "host": "xn--l-7sba6dbr.example", "suspicious": "mixed_script", "reports": 0., "upheld": 0.},
	}, moderator.get("/moderation/reports/" + one).status(nethttp.StatusOK).body["links"])
	held, _ = moderator.similar(one, "link="+url.QueryEscape("http://spam.example/offer/"))
	require.Equal(t, []string{two}, held, "whatever the words")
	any, _ := moderator.similar(one, "link=any")
	require.Equal(t, []string{two}, any)
	words, _ := moderator.similar(one, "")
	require.Empty(t, words)
}

func TestFaultsOfLookAlikes(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	path := "/moderation/reports/" + b.file(0, "1")
	for query, path1 := range map[string]string{"min=2": "min", "min=-1": "min", "min=NaN": "min", "min=x": "min", "min=0.5&min=0.6": "min", "link=nowhere": "link",
		"link=" + url.QueryEscape("javascript:alert(1)"): "link", "orderBy=createdAt": "orderBy"} {
		require.Contains(t, moderator.get(path+"/similar?"+query).fault(nethttp.StatusBadRequest, "validation_failed").issues(), path1, query)
	}
	moderator.get(path+"/precedents?policy=%00").fault(nethttp.StatusBadRequest, "validation_failed")
	require.EqualValues(t, 0, moderator.get(path + "/precedents?policy=unknown").status(nethttp.StatusOK).body["similar"])
}

func similarBody(reports ...string) map[string]any {
	expected := []map[string]any{}
	for _, id := range reports {
		expected = append(expected, map[string]any{"id": id, "expectedVersion": 1})
	}
	return map[string]any{"reports": expected, "resolve": map[string]any{"resolution": "action_taken"}, "action": "hide"}
}

func TestLookAlikesAreDecidedOneByOne(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	one, again, two, held, changed, hidden := b.file(0, "1"), b.file(1, "1"), b.file(0, "2"), b.file(0, "3"), b.file(0, "4"), b.file(0, "5")
	done := b.file(0, "6")
	other.post("/moderation/reports/"+held+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	other.post("/moderation/reports/"+changed+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	other.post("/moderation/reports/"+changed+"/unassign", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
	pgtest.Exec(t, b.pool, `UPDATE forum_posts SET hidden_at = now() WHERE id = 5`)
	moderator.post("/moderation/reports/"+done+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	transactions := func() int {
		return b.count(`SELECT count(DISTINCT transaction_id) FROM core_moderation_report_events WHERE type = 'resolved'`)
	}

	body := similarBody(one, held, again, changed, hidden, two, done)
	body["reports"].([]map[string]any)[6]["expectedVersion"] = 2
	a := moderator.post("/moderation/similar/decide", body).status(nethttp.StatusOK)
	require.Equal(t, []any{one, again, two}, a.body["done"])
	conflicts := map[string]float64{}
	for _, c := range a.body["conflicts"].([]any) {
		conflicts[c.(map[string]any)["id"].(string)] = c.(map[string]any)["current"].(map[string]any)["version"].(float64)
	}
	require.Equal(t, map[string]float64{held: 2, changed: 3, hidden: 1, done: 2}, conflicts)
	require.Equal(t, 4, transactions(), "each in its own, one of them before")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'action'`), "the action runs once on each content")
	for _, id := range []string{one, again, two} {
		r := moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		require.Equal(t, []any{"done", "action_taken", true}, []any{r["status"], r["resolution"], r["target"].(map[string]any)["current"].(map[string]any)["hidden"]})
	}
}

// onResolved runs a statement in the transaction that resolves a report.
func (b *bundle) onResolved(report, statement string) {
	b.t.Helper()
	b.exec(`CREATE FUNCTION on_resolved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ` + statement + `; RETURN NULL; END $$;
		CREATE TRIGGER on_resolved AFTER INSERT ON core_moderation_report_events FOR EACH ROW
			WHEN (NEW.type = 'resolved' AND NEW.report_id = '` + report + `') EXECUTE FUNCTION on_resolved()`)
}

func TestALookAlikeThatMovesAwayMeanwhileIsNeitherShownNorDecided(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.exec(`UPDATE forum_posts SET category_id = 'general' WHERE id <= 3`)
	one, two, three := b.file(0, "1"), b.file(0, "2"), b.file(0, "3")
	b.onResolved(one, `UPDATE forum_posts SET category_id = 'offtopic' WHERE id = 2`)

	a := b.moderator("General", []string{"general"}, everyPermission...).post("/moderation/similar/decide", similarBody(one, two, three)).status(nethttp.StatusOK)
	require.Equal(t, map[string]any{"done": []any{one, three}, "conflicts": []any{map[string]any{"id": two, "current": nil}}}, a.body)
}

func TestWhatWasDecidedOfLookAlikesBeforeAnErrorIsAnsweredAndTheErrorIsLogged(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one, two, three := b.file(0, "1"), b.file(0, "2"), b.file(0, "3")
	b.onResolved(two, `RAISE EXCEPTION 'out of order'`)

	a := moderator.post("/moderation/similar/decide", similarBody(one, two, three)).status(nethttp.StatusOK)
	require.Equal(t, map[string]any{"done": []any{one}, "conflicts": []any{}}, a.body)
	require.Contains(t, b.errors.String(), "out of order")
	require.Contains(t, b.errors.String(), a.header.Get("X-Request-Id"))
	moderator.post("/moderation/similar/decide", similarBody(two, three)).fault(nethttp.StatusInternalServerError, "internal")
}

func TestFaultsOfADecisionOnLookAlikes(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one, two := b.file(0, "1"), b.file(0, "2")
	const decide = "/moderation/similar/decide"
	events := b.count(`SELECT count(*) FROM core_moderation_report_events`)

	require.Equal(t, map[string]string{"reports": "wrong_length", "resolve.resolution": "unknown_value", "extra": "unknown_field"},
		moderator.post(decide, `{"reports": [], "resolve": {"resolution": "x"}, "extra": 1}`).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"reports": "required", "resolve": "required"}, moderator.post(decide, `{}`).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"reports[1].id": "duplicate"}, moderator.post(decide, similarBody(one, one)).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	many := make([]string, 201)
	for i := range many {
		many[i] = fmt.Sprintf("01900000-0000-7000-8000-%012d", i)
	}
	require.Equal(t, map[string]string{"reports": "wrong_length"}, moderator.post(decide, similarBody(many...)).fault(nethttp.StatusBadRequest, "validation_failed").issues())

	t.Log("what the caller may not see or do is refused for all of it")
	moderator.post(decide, similarBody(one, many[0])).fault(nethttp.StatusNotFound, "not_found")
	b.moderator("Scoped", []string{"offtopic"}, everyPermission...).post(decide, similarBody(one)).fault(nethttp.StatusNotFound, "not_found")
	b.moderator("Viewer", nil, "can_view_reports").post(decide, similarBody(one)).fault(nethttp.StatusForbidden, "forbidden")
	b.moderator("Without hiding", nil, "can_view_reports", "can_manage_reports").post(decide, similarBody(one, two)).fault(nethttp.StatusForbidden, "forbidden")
	unknown := similarBody(one)
	unknown["action"] = "burn"
	moderator.post(decide, unknown).fault(nethttp.StatusNotFound, "not_found")
	policy := similarBody(one)
	policy["resolve"] = map[string]any{"resolution": "action_taken", "policy": map[string]any{"key": "none", "version": 1}}
	require.Equal(t, map[string]string{"resolve.policy": "unknown_policy"}, moderator.post(decide, policy).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, events, b.count(`SELECT count(*) FROM core_moderation_report_events`), "nothing was decided")
}

func TestPrecedentsAreDecisionsAsTheyStand(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for _, post := range []string{"1", "2", "3", "4", "5", "6"} {
		b.write(post, "<p>"+offer+"</p>")
	}
	b.write("7", "<p>I think that the second chapter explains why rivers freeze from above.</p>")
	d := newDecidedOn(b) // post 1, by the rule spam
	other := b.publish("other")
	decided := func(post string, decision map[string]any) string {
		id := b.file(8, post)
		decision["expectedVersion"] = 1
		d.maker.post("/moderation/reports/"+id+"/resolve", decision).status(nethttp.StatusOK)
		return id
	}
	byOther := decided("2", map[string]any{"resolution": "action_taken", "policy": other})
	decided("3", map[string]any{"resolution": "no_violation"})
	decided("7", map[string]any{"resolution": "action_taken", "policy": other})
	left := decided("4", map[string]any{"resolution": "no_violation"})
	open := b.file(8, "5")
	of := b.file(8, "6")
	precedents := func(query string) (similar, upheld, cleared, overturned float64, examples []any) {
		b.followFingerprints()
		p := d.judge.get("/moderation/reports/" + of + "/precedents" + query).status(nethttp.StatusOK).body
		by := p["byResolution"].(map[string]any)
		return p["similar"].(float64), by["action_taken"].(float64), by["no_violation"].(float64), p["overturned"].(float64), p["examples"].([]any)
	}
	requirePrecedents := func(query string, want ...float64) []any {
		t.Helper()
		similar, upheld, cleared, overturned, examples := precedents(query)
		require.Equal(t, want, []float64{similar, upheld, cleared, overturned})
		return examples
	}
	examples := requirePrecedents("", 4, 2, 2, 0)
	require.NotContains(t, examples, open)
	require.Equal(t, []any{byOther}, requirePrecedents("?policy=other", 1, 1, 0, 0))
	require.Equal(t, []any{d.reportID}, requirePrecedents("?policy=spam", 1, 1, 0, 0))

	t.Log("a decision that was overturned no longer stands, whoever appealed")
	d.judge.post("/moderation/appeals/"+d.appeal()+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3}).status(nethttp.StatusOK)
	requirePrecedents("?policy=spam", 1, 0, 0, 1)
	appeal := b.member(8).post("/users/decisions/"+left+"/appeal", map[string]any{"text": "It is the same as the others."}).status(nethttp.StatusCreated).body["id"].(string)
	d.judge.post("/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 2}).status(nethttp.StatusOK)
	requirePrecedents("", 4, 1, 1, 2)

	t.Log("one that was decided anew does, and one of more than a year ago is left out")
	d.maker.post("/moderation/reports/"+left+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken", "policy": other}).status(nethttp.StatusOK)
	requirePrecedents("", 4, 2, 1, 1)
	b.followFingerprints()
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_fingerprints SET decided_at = now() - interval '366 days' WHERE report_id = $1`, byOther)
	require.Equal(t, []any{left}, requirePrecedents("?policy=other", 1, 1, 0, 0))
	elsewhere := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	elsewhere.get("/moderation/reports/"+of+"/precedents").fault(nethttp.StatusNotFound, "not_found")
}
