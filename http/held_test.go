package http_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// keyed publishes a policy whose decisions need a second person.
func (b *bundle) keyed(key string) map[string]any {
	b.t.Helper()
	a := b.admin("Rules "+key).post("/admin/policies", map[string]any{"key": key, "title": "Rule " + key, "text": "Do not.", "secondKey": true}).status(201)
	require.Equal(b.t, true, a.body["secondKey"])
	return map[string]any{"key": key, "version": a.body["version"]}
}

// waiting is a report with a decision that waits.
type waiting struct {
	*bundle
	report, path string
	held         string // the path of the held decision
	asker, lead  *client
	author       string
}

// newWaiting has a decision held that suspends the author, for the reporter to read.
func newWaiting(t *testing.T) *waiting {
	t.Helper()
	w := &waiting{bundle: newBundle(t)}
	w.asker, w.lead = w.moderator("Asker", nil, everyPermission...), w.moderator("Lead", nil, permission.ViewReports, permission.Approve, permission.DecideAppeals)
	w.report = w.file(w.reporterOf("1"), "1")
	w.path, w.author = "/moderation/reports/"+w.report, w.postAuthor("1")
	a := w.asker.post(w.path+"/resolve", w.decision(w.keyed("spam"))).status(202)
	w.held = "/moderation/held/" + a.body["held"].(map[string]any)["id"].(string)
	return w
}

func (w *waiting) decision(rule map[string]any) map[string]any {
	return map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": rule, "explanation": "A shop.", "share": true, "reasons": "You advertise.",
		"measures": []any{map[string]any{"authorId": w.author, "kind": "suspend", "until": until(7)}}}
}

// expire lets 24 hours pass for what is held.
func (b *bundle) expire() {
	b.t.Helper()
	b.exec(`UPDATE core_moderation_reports SET held = jsonb_set(held::jsonb, '{expiresAt}', held::jsonb -> 'at')::json
		WHERE held IS NOT NULL`)
}

func TestADecisionWaitsForASecondPersonWhoApprovesIt(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)

	t.Log("nothing is done, and nobody outside can tell")
	r := w.lead.get(w.path).status(200).body
	require.Equal(t, []any{"new", nil, 2.0, nil, []any{}}, []any{r["status"], r["resolution"], r["version"], r["decision"], r["measures"]})
	held := r["held"].(map[string]any)
	require.Equal(t, "Asker", held["by"].(map[string]any)["name"])
	require.Equal(t, []any{"action_taken", "A shop.", "You advertise.", true, true}, []any{held["resolution"], held["explanation"], held["reasons"], held["share"], held["releasable"]})
	require.Equal(t, []any{map[string]any{"id": held["releasers"].([]any)[0].(map[string]any)["id"], "name": "Lead"}}, held["releasers"])
	require.Equal(t, []any{"claim", "assign"}, w.asker.get(w.path).body["moves"])
	_, suspended, _ := w.columns(w.author)
	require.Nil(t, suspended)
	w.deliver(w.report)
	for _, member := range []*client{w.session(w.author), w.member(w.reporterOf("1"))} {
		require.Empty(t, member.notices(""))
		require.Empty(t, member.get("/users/decisions").status(200).edges())
	}
	require.Equal(t, 1, w.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.held'`))
	require.Zero(t, w.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' IN ('moderation.report.resolved', 'moderation.measure.imposed')`))

	t.Log("it is listed, where the caller sees the report")
	list := w.lead.get("/moderation/held").status(200).edges()
	require.Len(t, list, 1)
	require.Equal(t, []any{held["id"], w.report, 2.0, held["by"]}, []any{list[0]["id"], list[0]["reportId"], list[0]["version"], list[0]["by"]})
	require.Equal(t, false, w.asker.get("/moderation/held").status(200).edges()[0]["releasable"])
	elsewhere := w.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	require.Empty(t, elsewhere.get("/moderation/held").status(200).edges())

	t.Log("who may release it")
	body := map[string]any{"expectedVersion": 2, "reason": " I see it so. "}
	w.asker.post(w.held+"/approve", body).fault(403, "own_decision")
	elsewhere.post(w.held+"/approve", body).fault(404, "not_found")
	w.moderator("Viewer", nil, permission.ViewReports, permission.ManageReports).post(w.held+"/approve", body).fault(403, "forbidden")
	w.lead.post("/moderation/held/"+w.report+"/approve", body).fault(404, "not_found")
	require.Equal(t, map[string]string{"expectedVersion": "required", "reason": "too_long"},
		w.lead.post(w.held+"/approve", map[string]any{"reason": strings.Repeat("a", 2001)}).fault(400, "validation_failed").issues())

	t.Log("nothing else is decided meanwhile")
	other := map[string]any{"expectedVersion": 2, "resolution": "no_violation"}
	require.NotNil(t, w.asker.post(w.path+"/resolve", other).fault(409, "invalid_state").body["current"])
	w.asker.post(w.path+"/claim", map[string]any{"expectedVersion": 2}).status(200)
	w.lead.post(w.held+"/approve", body).fault(409, "conflict")

	t.Log("approved, it is the decision of who made it")
	body["expectedVersion"] = 3
	done := w.lead.post(w.held+"/approve", body).status(200).body
	require.Equal(t, []any{"done", "action_taken", 4.0, nil, "A shop."}, []any{done["status"], done["resolution"], done["version"], done["held"], done["explanation"]})
	require.Equal(t, "Asker", done["resolver"].(map[string]any)["name"])
	require.Equal(t, "You advertise.", done["decision"].(map[string]any)["reasons"])
	_, suspended, _ = w.columns(w.author)
	require.NotNil(t, suspended)
	w.lead.post(w.held+"/approve", map[string]any{"expectedVersion": 4}).fault(409, "invalid_state")
	require.Empty(t, w.lead.get("/moderation/held").status(200).edges())
	var actors []any
	for _, e := range w.lead.get(w.path + "/timeline").status(200).edges()[3:] {
		actors = append(actors, e["type"], e["actor"].(map[string]any)["name"])
	}
	require.Equal(t, []any{"held_released", "Lead", "resolved", "Asker", "measure_imposed", "Asker"}, actors)
	require.Equal(t, "Asker", w.lead.get(w.path + "/replay?sequence=2").status(200).body["held"].(map[string]any)["by"].(map[string]any)["name"])
	w.deliver(w.report)
	require.Len(t, w.session(w.author).get("/users/decisions").status(200).edges(), 1)

	t.Log("who approved it disposes of its appeal as little as who made it")
	appeal := w.session(w.author).post("/users/decisions/"+w.report+"/appeal", map[string]any{"text": "I do not."}).status(201).body["id"].(string)
	w.lead.post("/moderation/appeals/"+appeal+"/uphold", map[string]any{"reply": "No.", "expectedVersion": 4}).fault(403, "own_decision")
	require.Empty(t, w.lead.get("/moderation/appeals?mine=true").status(200).edges())
	w.sound()
}

func TestADecisionThatWaitsIsRejectedOrLapses(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	r := w.lead.post(w.held+"/reject", map[string]any{"expectedVersion": 2, "reason": "<b>No</b> \u202e"}).status(200).body
	require.Equal(t, []any{"new", nil, 3.0, nil}, []any{r["status"], r["resolution"], r["version"], r["held"]})
	last := w.lead.get(w.path + "/timeline?order=desc").status(200).edges()[0]
	require.Equal(t, []any{"held_released", "Lead", false, "<b>No</b> \u202e"}, []any{last["type"], last["actor"].(map[string]any)["name"], last["data"].(map[string]any)["approved"], last["data"].(map[string]any)["reason"]})

	again := w.decision(map[string]any{"key": "spam", "version": 1})
	again["expectedVersion"] = 3
	held := "/moderation/held/" + w.asker.post(w.path+"/resolve", again).status(202).body["held"].(map[string]any)["id"].(string)
	w.runJob("lapse-held")
	require.NotNil(t, w.lead.get(w.path).body["held"])
	w.expire()
	w.lead.post(held+"/approve", map[string]any{"expectedVersion": 4}).fault(409, "invalid_state")
	w.runJob("lapse-held")
	w.runJob("lapse-held")
	r = w.lead.get(w.path).status(200).body
	require.Equal(t, []any{"new", nil, 5.0, nil}, []any{r["status"], r["resolution"], r["version"], r["held"]})
	last = w.lead.get(w.path + "/timeline?order=desc").status(200).edges()[0]
	require.Equal(t, []any{"held_lapsed", nil}, []any{last["type"], last["actor"]})
	require.Equal(t, 2, w.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.released'`))
	w.sound()

	t.Log("with the account of who made it")
	again["expectedVersion"] = 5
	by := w.asker.post(w.path+"/resolve", again).status(202).body["held"].(map[string]any)["by"].(map[string]any)["id"].(string)
	w.session(w.rootModerator("Root")).delete("/admin/users/" + by).status(204)
	require.Nil(t, w.lead.get(w.path).status(200).body["held"])
	require.Equal(t, 2, w.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'held_lapsed'`))
	require.Equal(t, 3, w.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.released'`), "who waits for it is told")
	require.Zero(t, w.count(`SELECT count(*) FROM core_moderation_reports r WHERE r::text LIKE '%' || $1 || '%'`, by))
	w.sound()
}

// What is no longer possible is refused and changes nothing.
func TestWhatCanNoLongerBeApproved(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *waiting, by string){
		"the policy is retired": func(w *waiting, _ string) { w.admin("Root").post("/admin/policies/spam/retire", "").status(200) },
		"its maker may not impose measures": func(w *waiting, by string) {
			w.exec(`UPDATE core_staff_entries SET permissions = (SELECT jsonb_agg(p) FROM jsonb_array_elements(permissions) p WHERE p ->> 'permission' <> 'can_impose_measures') WHERE user_id = '` + by + `'`)
		},
		"its maker is no moderator": func(w *waiting, by string) {
			w.exec(`DELETE FROM core_staff_entries WHERE user_id = '` + by + `'`)
		},
		"its words are erased": func(w *waiting, _ string) {
			w.exec(`ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`)
			w.exec(`UPDATE core_moderation_report_events SET evidence = NULL WHERE type = 'decision_held'`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWaiting(t)
			change(w, w.lead.get(w.path).body["held"].(map[string]any)["by"].(map[string]any)["id"].(string))
			before := w.contents()
			require.NotNil(t, w.lead.post(w.held+"/approve", map[string]any{"expectedVersion": 2}).fault(409, "invalid_state").body["current"])
			require.Equal(t, before, w.contents())
			w.lead.post(w.held+"/reject", map[string]any{"expectedVersion": 2}).status(200)
		})
	}
}

// What waits is done as the log has it: a row that was edited by SQL is refused.
func TestOnlyWhatTheLogHoldsIsApproved(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	other := w.moderator("Other", nil, permission.ViewReports, permission.Approve)
	w.moderator("Third", nil, everyPermission...)
	kept := pgtest.One[string](t, w.pool, `SELECT held::text FROM core_moderation_reports WHERE held IS NOT NULL`)
	for name, edit := range map[string]string{
		"another outcome":    `'{resolution}', '"no_violation"'`,
		"another measure":    `'{measures,0,kind}', '"terminate"'`,
		"another person":     `'{by}', (SELECT to_jsonb(id) FROM core_users WHERE name = 'Third')`,
		"until another time": `'{expiresAt}', to_jsonb(now() + interval '1 year')`,
		"an earlier event":   `'{sequence}', '1'`,
	} {
		pgtest.Exec(t, w.pool, `UPDATE core_moderation_reports SET held = jsonb_set($1::jsonb, `+edit+`)::json WHERE held IS NOT NULL`, kept)
		require.Equal(t, 500, other.post(w.held+"/approve", map[string]any{"expectedVersion": 2}).code, name)
	}
	require.Zero(t, w.count(`SELECT count(*) FROM core_moderation_report_events WHERE type IN ('held_released', 'resolved')`), "nothing is signed")
}

// Given an action that wants a second person, when it is taken, alone or on a case or on look-alikes, then it is
// done once it is approved, and its undo needs nobody.
func TestAnActionWaitsForASecondPerson(t *testing.T) {
	t.Parallel()
	b := newShopOf(t, strings.Replace(shopManifest, "hidden: {at: hidden_at, by: hidden_by}", "hidden: {at: hidden_at, by: hidden_by, secondKey: true}", 1))
	asker, lead := b.shopkeeper("Asker", "books"), b.shopkeeper("Lead", "books")
	var ids []string
	for member := range 3 {
		a := b.member(member).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.item", "targetId": "7", "reason": "spam"}).status(201)
		ids = append(ids, a.body["id"].(string))
	}
	hidden := func() int { return b.count(`SELECT count(*) FROM shop_items WHERE hidden_at IS NOT NULL`) }
	path := "/moderation/reports/" + ids[0]
	require.Equal(t, true, asker.get(path).status(200).body["actions"].([]any)[0].(map[string]any)["secondKey"])

	t.Log("alone")
	held := asker.post(path+"/actions/hide", map[string]any{"expectedVersion": 1}).status(202).body["held"].(map[string]any)
	require.Equal(t, []any{"hide", nil}, []any{held["action"], held["resolution"]})
	require.Zero(t, hidden())
	require.Equal(t, false, asker.get(path).body["actions"].([]any)[0].(map[string]any)["available"])
	lead.post("/moderation/held/"+held["id"].(string)+"/approve", map[string]any{"expectedVersion": 2}).status(200)
	require.Equal(t, 1, hidden())
	require.Equal(t, 1, b.count(`SELECT count(*) FROM shop_items WHERE hidden_by = $1`, held["by"].(map[string]any)["id"]), "by who decided it")
	asker.post(path+"/actions/unhide", map[string]any{"expectedVersion": 3}).status(200)
	require.Zero(t, hidden())

	t.Log("on a case, as one decision")
	target := map[string]any{"pluginId": "shop", "type": "shop.item", "id": "7"}
	var reports []map[string]any
	for i, id := range ids {
		reports = append(reports, map[string]any{"id": id, "expectedVersion": []int{4, 1, 1}[i]})
	}
	body := map[string]any{"target": target, "reports": reports, "action": "hide", "resolve": map[string]any{"resolution": "action_taken", "explanation": "No lamps."}}
	a := asker.post("/moderation/cases/decide", body).status(202)
	require.EqualValues(t, 0, a.body["remaining"], "the decision is about all of them")
	id := a.body["held"].(map[string]any)["id"].(string)
	for _, r := range a.body["reports"].([]any) {
		require.Equal(t, []any{"new", id}, []any{r.(map[string]any)["status"], r.(map[string]any)["held"].(map[string]any)["id"]})
	}
	require.Len(t, lead.get("/moderation/held").status(200).edges(), 1)
	for _, r := range reports {
		r["expectedVersion"] = r["expectedVersion"].(int) + 1
	}
	require.Len(t, asker.post("/moderation/cases/decide", body).fault(409, "conflict").body["conflicts"], 3)
	lead.post("/moderation/reports/"+ids[1]+"/claim", map[string]any{"expectedVersion": 2}).status(200)
	lead.post("/moderation/held/"+id+"/approve", map[string]any{"expectedVersion": 5}).status(200)
	require.Equal(t, 1, hidden())
	require.Equal(t, 3, b.count(`SELECT count(*) FROM core_moderation_reports WHERE status = 'done' AND explanation = 'No lamps.' AND held IS NULL`))
	require.Equal(t, 1, b.count(`SELECT count(DISTINCT decision ->> 'id') FROM core_moderation_reports`), "they are one decision")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'action' AND convert_from(payload, 'UTF8')::json ->> 'action' = 'hide' AND sequence > 5`))
	b.sound()

	t.Log("on look-alikes, each for itself")
	b.exec(`UPDATE shop_items SET hidden_at = NULL; INSERT INTO shop_items (id, dept, title) VALUES (8, 'books', 'Another lamp')`)
	var alike []map[string]any
	for _, item := range []string{"7", "8"} {
		a := b.member(4).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.item", "targetId": item, "reason": "spam"}).status(201)
		alike = append(alike, map[string]any{"id": a.body["id"], "expectedVersion": 1})
	}
	decided := asker.post("/moderation/similar/decide", map[string]any{"reports": alike, "action": "hide", "resolve": map[string]any{"resolution": "action_taken"}}).status(202)
	require.Equal(t, []any{}, decided.body["done"])
	require.Len(t, decided.body["held"], 2)
	require.Zero(t, hidden())
	for i, h := range decided.body["held"].([]any) {
		lead.post(fmt.Sprint("/moderation/held/", h.(map[string]any)["id"], "/approve"), map[string]any{"expectedVersion": 2}).status(200)
		require.Equal(t, i+1, hidden())
	}
	b.sound()
}

// Given a report that is done, when it is decided again with an action on the content, then both are done in one step, or
// both wait if the policy wants a second person.
func TestADecisionAndItsActionAreDoneOrWaitTogether(t *testing.T) {
	t.Parallel()
	for name, waits := range map[string]bool{"both are done": false, "the policy wants a second person": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newShop(t)
			asker, lead := b.shopkeeper("Asker", "books"), b.shopkeeper("Lead", "books")
			rule := b.publish("spam")
			if waits {
				rule = b.keyed("grave")
			}
			id := b.member(0).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.item", "targetId": "7", "reason": "spam"}).status(201).body["id"].(string)
			path := "/moderation/reports/" + id
			asker.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(200)
			state := func() []any {
				return []any{asker.get(path).status(200).body["resolution"], b.count(`SELECT count(*) FROM shop_items WHERE hidden_at IS NOT NULL`)}
			}
			again := map[string]any{"expectedVersion": 2, "resolution": "action_taken", "policy": rule, "action": "eat"}
			require.Equal(t, map[string]string{"action": "unknown_action"}, asker.post(path+"/resolve", again).fault(400, "validation_failed").issues())
			require.Equal(t, []any{"no_violation", 0}, state())

			again["action"] = "hide"
			a := asker.post(path+"/resolve", again)
			if waits {
				a.status(202)
				held := a.body["held"].(map[string]any)
				require.Equal(t, []any{"hide", "action_taken"}, []any{held["action"], held["resolution"]})
				require.Equal(t, []any{"no_violation", 0}, state())
				lead.post("/moderation/held/"+held["id"].(string)+"/approve", map[string]any{"expectedVersion": 3}).status(200)
			} else {
				a.status(200)
			}
			require.Equal(t, []any{"action_taken", 1}, state())
			require.Equal(t, []any{"hide"}, asker.get(path).body["decision"].(map[string]any)["actions"])
			b.sound()
		})
	}
}

// Given some who may approve and some who may not, when somebody asks before deciding, then they learn who could
// release their decision.
func TestWhoCouldReleaseADecision(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	asker := b.moderator("Asker", nil, everyPermission...)
	b.moderator("Lead", nil, permission.ViewReports, permission.Approve)
	b.moderator("Lead elsewhere", []string{"offtopic"}, permission.ViewReports, permission.Approve)
	b.moderator("Colleague", nil, permission.ViewReports, permission.ManageReports)
	path := "/moderation/reports/" + b.file(0, "1") + "/assignees"
	names := func(query string) (all []any) {
		for _, e := range asker.get(path + query).status(200).edges() {
			all = append(all, e["name"])
		}
		return all
	}
	require.Equal(t, []any{"Lead"}, names("?may=approve"))
	require.Equal(t, []any{"Asker", "Colleague"}, names("?may=manage"))
	require.Equal(t, map[string]string{"may": "unknown_value"}, asker.get(path+"?may=eat").fault(400, "validation_failed").issues())
}

// Given a decision that waits to replace an appealed one, when it is read, then who made the appealed one is not among those
// who can release it.
func TestTheMakerOfAnAppealedDecisionCannotReleaseWhatReplacesIt(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	d.appeal()
	asker := d.moderator("Asker", nil, everyPermission...)
	lead := d.moderator("Lead", nil, permission.ViewReports, permission.Approve)
	a := asker.post(d.path+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "no_violation", "policy": d.keyed("twice")}).status(202)

	for c, can := range map[*client]bool{d.maker: false, asker: false, lead: true} {
		held := c.get(d.path).status(200).body["held"].(map[string]any)
		listed := c.get("/moderation/held").status(200).edges()[0]
		for _, h := range []map[string]any{held, listed} {
			require.Equal(t, can, h["releasable"])
			require.Len(t, h["releasers"], 1)
			require.Equal(t, "Lead", h["releasers"].([]any)[0].(map[string]any)["name"])
		}
	}
	approvers := asker.get(d.path + "/assignees?may=approve").status(200).edges()
	require.Len(t, approvers, 1)
	require.Equal(t, "Lead", approvers[0]["name"])
	approve := "/moderation/held/" + a.body["held"].(map[string]any)["id"].(string) + "/approve"
	d.maker.post(approve, at(4)).fault(403, "own_decision")
	lead.post(approve, at(4)).status(200)
}
