package http_test

import (
	"fmt"
	nethttp "net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

var leadPermissions = []string{permission.ViewReports, permission.ManageReports, permission.Approve}

// escalation is a report that a moderator holds, and who else is there.
type escalation struct {
	*bundle
	holder, colleague, lead, viewer *client
	id, path                        string
}

func newEscalation(t *testing.T) *escalation {
	b := newBundle(t)
	manage := []string{permission.ViewReports, permission.ManageReports}
	e := &escalation{bundle: b, holder: b.moderator("Hannah", nil, manage...), colleague: b.moderator("Colin", nil, manage...),
		lead: b.moderator("Lea", nil, leadPermissions...), viewer: b.moderator("Vera", nil, permission.ViewReports)}
	e.id = b.file(0, "1")
	e.path = "/moderation/reports/" + e.id
	e.holder.post(e.path+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	return e
}

func (e *escalation) escalate(c *client, to string, version int) *answer {
	return c.post(e.path+"/escalate", map[string]any{"to": to, "note": "A lawyer wrote it.", "expectedVersion": version})
}

// shown is what answers show of who escalates to whom.
func shown(c *client, name string) map[string]any {
	return map[string]any{"id": c.id(), "name": name}
}

func TestEscalatingAReportToTheLeads(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	older := e.file(1, "2")
	e.followCases()

	t.Log("it leaves its holder, and stands before all others for the leads alone")
	body := e.escalate(e.holder, "leads", 2).status(nethttp.StatusOK).body
	require.Equal(t, "new", body["status"])
	require.Nil(t, body["assignee"])
	require.EqualValues(t, 3, body["version"])
	escalated := body["escalated"].(map[string]any)
	require.Equal(t, map[string]any{"to": "leads", "person": nil, "by": shown(e.holder, "Hannah"), "at": escalated["at"], "note": "A lawyer wrote it."}, escalated)
	require.Equal(t, []any{"claim", "assign", "resolve"}, body["moves"])
	require.Equal(t, []any{"escalate", "return"}, body["handovers"])
	e.escalate(e.holder, "leads", 2).status(nethttp.StatusOK)
	require.EqualValues(t, 3, e.holder.get(e.path).body["version"], "a repeat changes nothing")

	require.Equal(t, []string{e.id}, e.lead.ids("/moderation/reports?escalated=me"))
	require.Empty(t, e.colleague.ids("/moderation/reports?escalated=me"))
	require.Equal(t, []string{e.id}, e.colleague.ids("/moderation/reports?escalated=any&orderBy=priority"))
	require.Equal(t, escalated, e.colleague.get("/moderation/reports?escalated=any").edges()[0]["escalated"])
	require.EqualValues(t, 1, e.lead.get("/moderation/reports/counts?escalated=me").body["new"])
	require.Equal(t, map[string]string{"escalated": "invalid"}, e.lead.get("/moderation/reports?escalated=you").status(nethttp.StatusBadRequest).issues())
	cases := e.lead.get("/moderation/cases?escalated=me").edges()
	require.Len(t, cases, 1)
	require.Equal(t, []any{map[string]any{"reportId": e.id, "to": "leads", "person": nil, "by": escalated["by"], "at": escalated["at"]}}, cases[0]["escalated"])

	require.Equal(t, older, e.colleague.post("/moderation/next", "{}").status(nethttp.StatusOK).body["id"])
	e.colleague.post("/moderation/next", "{}").status(nethttp.StatusNoContent)
	taken := e.lead.post("/moderation/next", "{}").status(nethttp.StatusOK).body
	require.Equal(t, e.id, taken["id"])
	require.NotNil(t, taken["escalated"], "claiming does not end it")

	t.Log("it goes back to who held it")
	body = e.lead.post(e.path+"/return", map[string]any{"note": "Decide it as usual.", "expectedVersion": 4}).status(nethttp.StatusOK).body
	require.Nil(t, body["escalated"])
	require.Equal(t, shown(e.holder, "Hannah"), body["assignee"])
	require.Equal(t, "in_progress", body["status"])
	require.Empty(t, e.lead.ids("/moderation/reports?escalated=me"))
	e.lead.post(e.path+"/return", map[string]any{"expectedVersion": 4}).status(nethttp.StatusOK)

	entries := e.lead.get(e.path + "/timeline").edges()
	require.Equal(t, []any{"created", "assigned", "escalated", "assigned", "assigned", "returned", "assigned"}, e.lead.get(e.path+"/timeline").types())
	require.Equal(t, map[string]any{"to": "leads", "text": "A lawyer wrote it."}, entries[2]["data"])
	require.Equal(t, map[string]any{"text": "Decide it as usual."}, entries[5]["data"])
	replayed := e.lead.get(e.path + "/replay?sequence=4").status(nethttp.StatusOK).body["escalated"]
	require.Equal(t, map[string]any{"to": "leads", "person": nil, "by": escalated["by"], "at": escalated["at"]}, replayed)

	t.Log("deciding ends it, and what is done is not escalated")
	e.escalate(e.holder, e.lead.id(), 5).status(nethttp.StatusOK)
	e.lead.post(e.path+"/resolve", map[string]any{"expectedVersion": 6, "resolution": "no_violation"}).status(nethttp.StatusOK)
	require.Nil(t, e.lead.get(e.path).body["escalated"])
	e.escalate(e.holder, "leads", 7).fault(nethttp.StatusConflict, "invalid_state")
	e.lead.post(e.path+"/return", map[string]any{"expectedVersion": 7}).fault(nethttp.StatusConflict, "invalid_state")
	for name, n := range map[string]int{"escalated": 2, "returned": 1} {
		require.Equal(t, n, e.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = $1`, "moderation.report."+name), name)
	}
	e.sound()
}

func TestAReportGoesBackToTheQueueIfItsHolderMayNoLongerManageIt(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	e.escalate(e.holder, "leads", 2).status(nethttp.StatusOK)
	pgtest.Exec(t, e.pool, `DELETE FROM core_staff_entries WHERE user_id = $1`, e.holder.id())
	body := e.lead.post(e.path+"/return", map[string]any{"expectedVersion": 3}).status(nethttp.StatusOK).body
	require.Equal(t, []any{"new", nil}, []any{body["status"], body["assignee"]})
}

func TestWhoMayEscalateToWhom(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	body := func(to any, note string, version int) map[string]any {
		return map[string]any{"to": to, "note": note, "expectedVersion": version}
	}
	issues := func(b map[string]any) map[string]string {
		return e.holder.post(e.path+"/escalate", b).status(nethttp.StatusBadRequest).issues()
	}
	require.Equal(t, map[string]string{"to": "invalid", "note": "too_short", "expectedVersion": "required"}, issues(map[string]any{"to": "everybody", "note": "ab"}))
	require.Equal(t, map[string]string{"to": "required", "note": "required"}, issues(map[string]any{"expectedVersion": 2}))
	for name, to := range map[string]string{"who only views": e.viewer.id(), "a member": e.member(1).id(), "nobody": "01a20400-82e9-7720-a5b5-68e7a42aa1fc"} {
		require.Equal(t, map[string]string{"to": "not_assignable"}, issues(body(to, "It is hard.", 2)), name)
	}
	e.viewer.post(e.path+"/escalate", body("leads", "It is hard.", 2)).fault(nethttp.StatusForbidden, "forbidden")
	e.escalate(e.holder, "leads", 1).fault(nethttp.StatusConflict, "conflict")

	t.Log("to somebody, who alone has it on top; a colleague's request replaces it")
	e.escalate(e.holder, e.colleague.id(), 2).status(nethttp.StatusOK)
	require.Empty(t, e.lead.ids("/moderation/reports?escalated=me"))
	require.Equal(t, []string{e.id}, e.colleague.ids("/moderation/reports?escalated=me"))
	e.escalate(e.lead, "leads", 3).status(nethttp.StatusOK)
	require.Empty(t, e.colleague.ids("/moderation/reports?escalated=me"))
	e.viewer.post(e.path+"/return", map[string]any{"expectedVersion": 4}).fault(nethttp.StatusForbidden, "forbidden")
	require.Equal(t, "Hannah", e.colleague.post(e.path+"/return", map[string]any{"expectedVersion": 4}).status(nethttp.StatusOK).body["assignee"].(map[string]any)["name"],
		"who held it last")

	t.Log("a lead who may only approve gives it back too")
	approver := e.moderator("Ada", nil, permission.ViewReports, permission.Approve)
	e.escalate(e.holder, approver.id(), 5).status(nethttp.StatusOK)
	require.Equal(t, []any{"return"}, approver.get(e.path).body["handovers"])
	require.Equal(t, map[string]string{"note": "too_short"}, approver.post(e.path+"/return", map[string]any{"note": "a", "expectedVersion": 6}).status(nethttp.StatusBadRequest).issues())
	approver.post(e.path+"/return", map[string]any{"note": nil, "expectedVersion": 6}).status(nethttp.StatusOK)

	t.Log("leads are those of its scope")
	e.moderator("Elsewhere", []string{"support"}, leadPermissions...)
	pgtest.Exec(t, e.pool, `DELETE FROM core_staff_entries WHERE user_id IN ($1, $2)`, e.lead.id(), approver.id())
	require.Equal(t, map[string]string{"to": "no_leads"}, issues(body("leads", "It is hard.", 7)))
	e.sound()
}

// However an escalation and somebody who takes the next case meet, nobody but the leads gets what is escalated.
func TestAnEscalationRacesTheNextCase(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	e.holder.post(e.path+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "no_violation"}).status(nethttp.StatusOK)
	for round := range 6 {
		e.id = e.file(round, fmt.Sprint(round+2))
		e.path = "/moderation/reports/" + e.id
		e.followCases()
		var together sync.WaitGroup
		var escalated, taken *answer
		together.Go(func() { escalated = e.escalate(e.holder, "leads", 1) })
		together.Go(func() { taken = e.colleague.post("/moderation/next", "{}") })
		together.Wait()
		if escalated.code == nethttp.StatusOK {
			require.Equal(t, nethttp.StatusNoContent, taken.code, "it waits for the leads: %s", taken.raw)
		} else {
			escalated.fault(nethttp.StatusConflict, "conflict")
			require.Equal(t, e.id, taken.status(nethttp.StatusOK).body["id"])
		}
		e.colleague.resolve(e.id, "no_violation")
	}
	e.sound()
}

// The note of an escalation is shown as it was written, is refused where it cannot be stored, and goes with the words of the report.
func TestTheNoteOfAnEscalation(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	send := func(note string) *answer {
		return e.holder.post(e.path+"/escalate", map[string]any{"to": "leads", "note": note, "expectedVersion": 2})
	}
	for note, code := range map[string]string{strings.Repeat("a", 2001): "too_long", "nul \x00 byte": "invalid_text", "  \u200b\u2060  ": "too_short", "\u202e": "too_short"} {
		require.Equal(t, map[string]string{"note": code}, send(note).fault(nethttp.StatusBadRequest, "validation_failed").issues(), "%q", note)
	}
	note := strings.Repeat("\U0001F468\u200d\U0001F469", 600) + `<script>alert(1)</script> & 'x' "y"; -- \u202egnitaool\u202c {"$where": "1"} %s ${x}`
	require.Equal(t, note, send(note).status(nethttp.StatusOK).body["escalated"].(map[string]any)["note"])
	require.Equal(t, note, e.lead.get("/moderation/reports?escalated=me").edges()[0]["escalated"].(map[string]any)["note"])
	require.Equal(t, note, e.lead.get(e.path + "/timeline").edges()[2]["data"].(map[string]any)["text"])

	_, err := e.log().Erase(t.Context(), e.id, nil, report.EveryWord)
	require.NoError(t, err)
	shown := e.lead.get(e.path).status(nethttp.StatusOK)
	require.Nil(t, shown.body["escalated"].(map[string]any)["note"])
	for _, raw := range [][]byte{shown.raw, e.lead.get(e.path + "/timeline").raw, e.lead.get("/moderation/reports?escalated=me").raw} {
		require.NotContains(t, string(raw), "alert(1)")
	}
	e.sound()
}

func TestAClaimThatIsNotTouchedLapses(t *testing.T) {
	t.Parallel()
	b := newBundleWith(t, map[string]string{"DOCKET_CLAIM_TIMEOUT": "1h"})
	holder, colleague := b.moderator("Hannah", nil, everyPermission...), b.moderator("Colin", nil, everyPermission...)
	idle, noted, fresh, mine := b.file(0, "1"), b.file(1, "2"), b.file(2, "3"), b.file(3, "4")
	claim := func(id string) {
		holder.post("/moderation/reports/"+id+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	}
	note := func(c *client, id string) {
		c.post("/moderation/reports/"+id+"/notes", map[string]any{"body": "I look at it."}).status(nethttp.StatusCreated)
	}
	for _, id := range []string{idle, noted, mine} {
		claim(id)
	}
	pgtest.Exec(t, b.pool, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER USER`)
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_report_events SET occurred_at = occurred_at - interval '2 hours'`)
	note(colleague, idle)
	note(holder, noted)
	claim(fresh)

	b.runJob("release-lapsed")
	b.runJob("release-lapsed")
	state := func(id string) []any {
		r := holder.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		return []any{r["status"], r["version"]}
	}
	for _, id := range []string{idle, mine} {
		require.Equal(t, []any{"new", 3.0}, state(id))
		last := holder.get("/moderation/reports/" + id + "/timeline?order=desc").edges()[0]
		require.Equal(t, "assigned", last["type"])
		require.Nil(t, last["actor"])
		require.Equal(t, map[string]any{"assigneeId": nil, "previousAssigneeId": holder.id(), "claimed": false, "lapsed": true}, last["data"])
	}
	for _, id := range []string{noted, fresh} {
		require.Equal(t, []any{"in_progress", 2.0}, state(id))
	}
	for id, sequences := range map[string]string{idle: "1 2 4", mine: "1 2 3"} { // a note is not told
		require.Equal(t, sequences, pgtest.One[string](t, b.pool, `SELECT string_agg(metadata->>'sequence', ' ' ORDER BY "offset") FROM watermill_docket_events WHERE metadata->>'report_id' = $1`, id))
	}
	require.Equal(t, 2, b.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.assigned' AND payload->>'assigneeId' IS NULL`), "told once")
}
