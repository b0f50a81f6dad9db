package http_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	domainreport "github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/seconds"
)

// second is a forum in which every decision is decided again.
type secondBundle struct {
	*bundle
	admin               *client
	first, again, third *client
	key                 proof.Key
}

func newSecondBundle(t *testing.T) *secondBundle {
	t.Helper()
	b := &secondBundle{bundle: newBundle(t), key: logtest.NewKey(t)}
	b.admin = b.bundle.admin("Quality", permission.AreaQuality)
	b.first = b.moderator("First Decider", nil, everyPermission...)
	b.again = b.moderator("Second Decider", nil, permission.ViewReports, permission.ManageReports)
	b.third = b.moderator("Third Person", nil, permission.ViewReports, permission.ViewQuality)
	b.admin.put("/admin/quality", map[string]any{"percent": 100, "golden": 0}).status(200)
	return b
}

// resolve files a report of a post and decides it.
func (b *secondBundle) resolve(post string, decision map[string]any) (id string) {
	b.t.Helper()
	id = b.file(0, post)
	body := map[string]any{"expectedVersion": 1}
	for name, value := range decision {
		body[name] = value
	}
	b.first.post("/moderation/reports/"+id+"/resolve", body).status(200)
	return id
}

// draw takes a checkpoint and follows it.
func (b *secondBundle) draw() {
	b.t.Helper()
	b.seal()
	_, err := proof.TakeUnkept(b.t.Context(), b.pool, b.key)
	require.NoError(b.t, err)
	b.follow()
}

func (b *secondBundle) follow() { b.t.Helper(); b.bundle.follow(seconds.Projection) }

const nextSecond = "/moderation/next?kind=second"

func TestASecondOpinionFromTheDrawToTheSettlement(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	require.Equal(t, "[map[golden:0 percent:100", fmt.Sprint(b.admin.get("/admin/quality").status(200).body["history"])[:25])
	require.Equal(t, true, b.again.get("/users/session").status(200).body["seconds"])
	require.NotContains(t, b.member(0).get("/users/session").status(200).body, "seconds")
	b.again.post(nextSecond, nil).status(204)
	report := b.resolve("1", map[string]any{"resolution": "no_violation", "explanation": "Marker of the first."})
	b.follow()
	b.again.post(nextSecond, nil).status(204)
	b.draw()

	t.Log("everybody but who decided may get it, and sees no decision")
	b.first.post(nextSecond, nil).status(204)
	b.third.post(nextSecond, nil).fault(403, "forbidden")
	b.member(0).post(nextSecond, nil).fault(403, "forbidden")
	b.again.post(nextSecond+"&pluginId=forum", nil).fault(400, "validation_failed")
	b.again.post("/moderation/next?kind=third", nil).fault(400, "validation_failed")
	drawn := b.third.get("/moderation/seconds?status=drawn").status(200).edges()
	require.Len(t, drawn, 1)
	require.Nil(t, drawn[0]["first"], "who reads the list may be the next")
	path := "/moderation/seconds/" + drawn[0]["id"].(string)
	b.again.post(path, map[string]any{"resolution": "no_violation"}).fault(409, "invalid_state")
	elsewhere := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	for _, nothing := range []string{path, path + "/settle", "/moderation/seconds/" + report, "/moderation/seconds/" + report + "/settle"} {
		elsewhere.post(nothing, map[string]any{}).fault(404, "not_found")
	}
	b.first.post(path, map[string]any{"resolution": "no_violation"}).fault(403, "own_decision")
	task := b.again.post(nextSecond, nil).status(200)
	require.Equal(t, report, task.body["reportId"])
	require.Equal(t, drawn[0]["id"], task.body["id"])
	require.Equal(t, "spam", task.body["reason"])
	require.NotNil(t, task.body["snapshot"])
	require.NotContains(t, string(task.raw), "Marker of the first")
	require.Equal(t, task.body["id"], b.again.post(nextSecond, nil).status(200).body["id"], "until it is decided")
	b.again.get("/moderation/reports/"+report).fault(404, "not_found")

	t.Log("it disagrees, the report stays, and then it may be seen")
	b.again.post(path, map[string]any{}).fault(400, "validation_failed")
	b.again.post(path, map[string]any{"resolution": "action_taken", "policy": map[string]any{"key": "none", "version": 1}}).fault(400, "validation_failed")
	answered := b.again.post(path, map[string]any{"resolution": "action_taken"}).status(200).body
	require.Equal(t, "disputed", answered["status"])
	require.Equal(t, "no_violation", answered["first"].(map[string]any)["resolution"])
	require.Equal(t, "First Decider", answered["first"].(map[string]any)["by"].(map[string]any)["name"])
	seen := b.again.get("/moderation/reports/" + report).status(200).body
	require.Equal(t, "no_violation", seen["resolution"])
	require.EqualValues(t, 2, seen["version"])
	edges := seen["timeline"].(map[string]any)["edges"].([]any)
	require.Equal(t, "second_decided", edges[len(edges)-1].(map[string]any)["type"])

	t.Log("a third person settles it, once, and may reopen")
	require.Equal(t, answered["id"], b.third.get("/moderation/seconds?status=disputed").status(200).edges()[0]["id"])
	b.again.get("/moderation/seconds").fault(403, "forbidden")
	b.again.post(path+"/settle", map[string]any{"stands": true, "reason": "I am right"}).fault(403, "forbidden")
	b.third.post(path+"/settle", map[string]any{"stands": true, "reason": "why not", "reopen": true}).fault(400, "validation_failed")
	b.third.post(path+"/settle", map[string]any{"stands": false, "reason": "it is spam", "reopen": true}).fault(403, "forbidden")
	lead := b.moderator("Lead", nil, everyPermission...)
	settled := lead.post(path+"/settle", map[string]any{"stands": false, "reason": "It is spam.", "reopen": true}).status(200).body
	require.Equal(t, "settled", settled["status"])
	b.third.post(path+"/settle", map[string]any{"stands": true, "reason": "why not"}).fault(409, "invalid_state")
	require.Equal(t, "new", lead.get("/moderation/reports/" + report).status(200).body["status"])
	shown := b.third.get("/moderation/seconds").status(200).edges()[0]
	require.Equal(t, "It is spam.", shown["settled"].(map[string]any)["reason"])
	require.Equal(t, settled["settled"], shown["settled"])
	require.Equal(t, answered["second"], shown["second"])
	b.verified()

	t.Log("what somebody leaves is given to others")
	b.resolve("4", map[string]any{"resolution": "no_violation"})
	b.draw()
	leave := "/moderation/seconds/" + b.again.post(nextSecond, nil).status(200).body["id"].(string)
	lead.post(leave+"/leave", nil).fault(404, "not_found")
	for range 2 {
		b.again.post(leave+"/leave", nil).status(204)
	}
	b.again.post(leave, map[string]any{"resolution": "no_violation"}).fault(409, "invalid_state")
	b.again.post(nextSecond, nil).status(204)

	t.Log("a decision that was replaced since is not reopened")
	replaced := b.resolve("3", map[string]any{"resolution": "no_violation"})
	b.draw()
	path = "/moderation/seconds/" + b.again.post(nextSecond, nil).status(200).body["id"].(string)
	b.again.post(path, map[string]any{"resolution": "action_taken"}).status(200)
	lead.post("/moderation/reports/"+replaced+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "duplicate"}).status(200)
	lead.post(path+"/settle", map[string]any{"stands": false, "reason": "It is spam.", "reopen": true}).fault(409, "invalid_state")
	b.third.post(path+"/settle", map[string]any{"stands": false, "reason": "It is spam."}).status(200)
	require.Equal(t, "duplicate", lead.get("/moderation/reports/" + replaced).status(200).body["resolution"])

	t.Log("erasing the words takes the reason, and nothing without its words is given out")
	other := b.resolve("2", map[string]any{"resolution": "no_violation"})
	for _, id := range []string{report, other, replaced} {
		_, err := b.log().Erase(t.Context(), id, nil, domainreport.EveryWord)
		require.NoError(t, err)
	}
	b.draw()
	require.Nil(t, b.third.get("/moderation/seconds?status=settled").status(200).edges()[0]["settled"].(map[string]any)["reason"])
	b.again.post(nextSecond, nil).status(204)
	b.verified()
}

// Given a decision whose answer is known, when somebody is given it as golden, then it looks as everything else, its answer
// changes nothing about the decision, and it is counted for them alone, once.
func TestAGoldenOpinionLooksAsEveryOther(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	b.admin.put("/admin/quality", map[string]any{"percent": 100, "golden": 5}).status(200)
	fresh := b.moderator("Fresh Eyes", nil, permission.ViewReports, permission.ManageReports)
	take := func() (task *answer) { // a quarter of the turns are golden
		pgtest.Eventually(t, func() bool { task = fresh.post(nextSecond, nil); return task.code == 200 }, "a turn is given")
		return task
	}
	report := b.resolve("1", map[string]any{"resolution": "no_violation"})
	b.draw()
	known := b.again.post(nextSecond, nil).status(200)
	require.Equal(t, "agreed", b.again.post("/moderation/seconds/"+known.body["id"].(string), map[string]any{"resolution": "no_violation"}).status(200).body["status"])
	b.follow()
	listed := string(b.third.get("/moderation/seconds").status(200).raw)

	golden := take()
	require.Equal(t, report, golden.body["reportId"])
	require.NotEqual(t, known.body["id"], golden.body["id"], "nobody can tell by the id that it was decided before")
	require.ElementsMatch(t, slices.Collect(maps.Keys(known.body)), slices.Collect(maps.Keys(golden.body)))
	require.NotContains(t, string(golden.raw), "no_violation")
	fresh.get("/moderation/reports/"+report).fault(404, "not_found")
	path := "/moderation/seconds/" + golden.body["id"].(string)
	b.again.post(path, map[string]any{"resolution": "duplicate"}).fault(404, "not_found")
	answered := fresh.post(path, map[string]any{"resolution": "action_taken"}).status(200).body
	require.Equal(t, []any{"disputed", "no_violation", "First Decider"},
		[]any{answered["status"], answered["first"].(map[string]any)["resolution"], answered["first"].(map[string]any)["by"].(map[string]any)["name"]})
	fresh.post(path, map[string]any{"resolution": "no_violation"}).fault(409, "invalid_state")
	b.third.post(path+"/settle", map[string]any{"stands": true, "reason": "It stands."}).fault(404, "not_found")

	b.follow()
	require.Equal(t, listed, string(b.third.get("/moderation/seconds").status(200).raw), "nothing has changed about the decision")
	own := fresh.get("/moderation/stats/agreement?mine=true").status(200).body
	require.Equal(t, []any{0.0, map[string]any{"n": 1.0, "agreed": 0.0}}, []any{own["n"], own["golden"]})
	require.Equal(t, []any{1.0, 1.0}, []any{b.first.get("/moderation/stats/agreement?mine=true").body["n"], b.first.get("/moderation/stats/agreement?mine=true").body["agreed"]})
	for range 8 {
		fresh.post(nextSecond, nil).status(204)
	}
	b.verified()
}

// Given figures that a single decision changes, then they tell it to nobody who decides it again, until they have.
func TestFiguresDoNotTellTheFirstDecision(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	stop := b.run()
	root := b.unlimited("Root")
	report := b.resolve("1", map[string]any{"resolution": "action_taken", "policy": b.publish("spam")})
	figures := func() []any {
		daily := root.get("/moderation/stats?pluginId=forum&targetType=forum.post").status(200).body
		reporter := root.get("/moderation/stats/reporters/" + b.members[0]).status(200).body
		target := root.get("/moderation/stats/target?pluginId=forum&targetType=forum.post&targetId=1").status(200).body
		return []any{daily["total"].(map[string]any)["upheld"], len(daily["policies"].([]any)), reporter["upheld"], target["upheld"]}
	}
	pgtest.Eventually(t, func() bool { return slices.Equal(figures(), []any{1.0, 1, 1.0, 1.0}) }, "it is counted")
	stop()
	b.draw()
	task := root.post(nextSecond, nil).status(200).body
	require.Equal(t, report, task["reportId"])
	require.Equal(t, []any{0.0, 0, 0.0, 0.0}, figures())
	root.post("/moderation/seconds/"+task["id"].(string), map[string]any{"resolution": "action_taken"}).status(200)
	require.Equal(t, []any{1.0, 1, 1.0, 1.0}, figures())
}

// What waits for a second or a third person is counted for operators, with the age of the oldest.
func TestWhatWaitsForAnotherPersonIsMeasured(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	measured := func() (lines []string) {
		for line := range strings.Lines(b.metrics()) {
			if strings.HasPrefix(line, "docket_waiting_") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		return lines
	}
	require.Equal(t, []string{`docket_waiting_decision_age_seconds{kind="disputed"} 0`, `docket_waiting_decision_age_seconds{kind="held"} 0`,
		`docket_waiting_decisions{kind="disputed"} 0`, `docket_waiting_decisions{kind="held"} 0`}, measured())

	rule := b.keyed("grave")
	var reports []any
	for n := range 2 {
		reports = append(reports, map[string]any{"id": b.file(n+1, "2"), "expectedVersion": 1})
	}
	b.first.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "2"},
		"reports": reports, "resolve": map[string]any{"resolution": "action_taken", "policy": rule}}).status(202)
	b.exec(`UPDATE core_moderation_reports SET held = jsonb_set(held::jsonb, '{at}', to_jsonb(now() - interval '19 hours'))::json WHERE held IS NOT NULL`)
	for _, post := range []string{"1", "3"} {
		b.resolve(post, map[string]any{"resolution": "no_violation"})
	}
	b.draw()
	for range 2 {
		id := b.again.post(nextSecond, nil).status(200).body["id"].(string)
		b.again.post("/moderation/seconds/"+id, map[string]any{"resolution": "duplicate"}).status(200)
	}
	b.follow()
	b.exec(`UPDATE core_seconds SET second_at = second_at - interval '8 days'`)
	lines := strings.Join(measured(), "\n")
	require.Contains(t, lines, `docket_waiting_decisions{kind="disputed"} 2`)
	require.Contains(t, lines, `docket_waiting_decisions{kind="held"} 1`, "what is decided together waits once")
	require.Regexp(t, `age_seconds\{kind="disputed"\} 6912\d\d`, lines)
	require.Regexp(t, `age_seconds\{kind="held"\} 684\d\d`, lines)
}

func (b *secondBundle) verified() {
	b.t.Helper()
	b.sound()
	r, err := seconds.Projection.Verify(b.t.Context(), b.pool, projector.Options{Found: func(d string) { b.t.Error(d) }})
	require.NoError(b.t, err)
	require.Positive(b.t, r.Compared)
	require.Zero(b.t, r.Wrong)
}

// A server that keeps no checkpoints elsewhere takes them for second opinions, unless another one keeps them: nobody
// could draw again by a checkpoint that is not among those.
func TestTheJobTakesCheckpointsForSecondOpinions(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	b.run()
	report := b.resolve("1", map[string]any{"resolution": "no_violation"})
	pgtest.Exec(t, b.pool, `UPDATE core_cron SET module = 'audit', name = 'checkpoint' WHERE name = 'trim-attempts'`)
	b.job("draw").status(200)
	require.Zero(t, pgtest.One[int](t, b.pool, `SELECT count(*) FROM core_checkpoints`))
	pgtest.Exec(t, b.pool, `DELETE FROM core_cron WHERE name = 'checkpoint'`)
	pgtest.Eventually(t, func() bool {
		b.job("draw")
		return b.again.post(nextSecond, nil).code == 200
	}, "the decision is drawn")
	require.Equal(t, report, b.again.post(nextSecond, nil).body["reportId"])
}

// id is the account of a client.
func (c *client) id() string {
	c.b.t.Helper()
	return c.get("/users/session").status(200).body["user"].(map[string]any)["id"].(string)
}
