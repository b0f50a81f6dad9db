package http_test

import (
	"context"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// writeAsBefore makes this server write rows of reports as one of a release before does, until
// stop is called: without the columns that one does not know.
func (b *bundle) writeAsBefore() (stop func()) {
	b.t.Helper()
	return b.writeWithout("decision", "standing", "pending_actions", "overdue", "authors", "folded", "measures", "measured", "escalation", "escalated_to", "escalated", "held")
}

// writeWithout is writeAsBefore for a release that does not know these columns.
func (b *bundle) writeWithout(columns ...string) (stop func()) {
	b.t.Helper()
	run := func(sql string) {
		b.t.Helper()
		pgtest.Exec(b.t, b.pool, sql)
	}
	filed, kept := "", ""
	for _, c := range columns {
		if c == "folded" {
			filed = "NEW.folded := NULL;"
		}
		kept += "NEW." + c + " := OLD." + c + "; "
	}
	run(`CREATE OR REPLACE FUNCTION write_as_before() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF TG_OP = 'INSERT' THEN ` + filed + ` ELSE ` + kept + ` END IF;
		RETURN NEW;
	END $$`)
	run(`CREATE TRIGGER as_before BEFORE INSERT OR UPDATE ON core_moderation_reports FOR EACH ROW EXECUTE FUNCTION write_as_before()`)
	return func() {
		b.t.Helper()
		run(`DROP TRIGGER as_before ON core_moderation_reports`)
	}
}

// behind returns the reports whose rows verification names as behind their events.
func (b *bundle) behind() (ids []string) {
	b.t.Helper()
	o := projector.Options{Workers: 1, Found: func(difference string) {
		require.Contains(b.t, difference, "Folded")
		ids = append(ids, strings.TrimSuffix(strings.Fields(difference)[1], ":"))
	}}
	_, err := projections.Inline{}.Verify(b.t.Context(), b.pool, o)
	require.NoError(b.t, err)
	return ids
}

// Given a decision that a server of the release before made, when this one is asked, then it
// answers by the events: the author can appeal, and an overturn takes back what was done.
func TestADecisionByTheReleaseBeforeIsAppealedAndOverturned(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	stop := b.writeAsBefore()
	d := newDecidedOn(b)
	d.deliver(d.reportID)
	require.Contains(t, string(d.author.get("/users/notices").raw), "hidden")
	stop()
	require.Equal(t, []string{d.reportID}, d.behind())

	mine := d.author.get("/users/decisions").status(200).edges()
	require.Len(t, mine, 1)
	decision := mine[0]["decision"].(map[string]any)
	require.Equal(t, []any{"You advertise.", []any{"hide"}}, []any{decision["reasons"], decision["actions"]})
	path := "/moderation/appeals/" + d.appeal()
	require.Empty(t, d.behind(), "a command stores the whole row")
	over := d.judge.post(path+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3}).status(200)
	require.Equal(t, []any{}, over.body["report"].(map[string]any)["decision"].(map[string]any)["actions"])
	require.Equal(t, 200, d.public())
	d.sound()
}

// Given every command by a server of the release before, when a row is behind after any of
// them, then each reader answers as it does once the row is mended.
func TestEveryReaderAnswersByTheEventsOfARowThatIsBehind(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	d := newDecidedOn(b) // by this release, so that the columns hold what a later command makes wrong
	reads := func() (all []string) {
		for _, path := range []string{d.path, "/moderation/reports?status=done", "/moderation/reports?orderBy=priority", "/moderation/cases",
			"/moderation/appeals", d.path + "/replay", "/moderation/reports/" + d.reportID + "/timeline"} {
			all = append(all, string(d.maker.get(path).status(200).raw))
		}
		own := d.author.get("/users/decisions/" + d.reportID)
		return append(all, string(own.raw), string(d.author.get("/users/decisions").status(200).raw))
	}
	version := 3
	for _, command := range []struct {
		path string
		body map[string]any
	}{
		{"/actions/unhide", nil},
		{"/actions/hide", nil},
		{"/resolve", map[string]any{"resolution": "action_taken", "reasons": "You still advertise."}},
		{"/reopen", map[string]any{"reason": "A second look."}},
		{"/claim", nil},
		{"/notes", map[string]any{"body": "A note."}},
		{"/resolve", map[string]any{"resolution": "duplicate"}},
	} {
		if command.body == nil {
			command.body = map[string]any{}
		}
		if command.path != "/notes" {
			command.body["expectedVersion"] = version
		}
		stop := d.writeAsBefore()
		a := d.maker.post(d.path+command.path, command.body)
		stop()
		require.Less(t, a.code, 300, "%s: %s", command.path, a.raw)
		require.Equal(t, []string{d.reportID}, d.behind(), command.path)
		asked := reads()
		version = int(d.maker.get(d.path).status(200).body["version"].(float64))
		require.Equal(t, d.maker.get(d.path + "/replay").body["decision"], d.maker.get(d.path).body["decision"], command.path)
		d.runJob("mend-reports")
		d.sound()
		require.Equal(t, reads(), asked, command.path)
	}
}

// Given a measure that a platform was asked for, when a server of the release before writes the report's
// row, then it is still asked for, and its outcome is recorded as ever.
func TestARequestedMeasureOutlivesTheReleaseBefore(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mod, id := b.moderator("Mod", nil, everyPermission...), b.file(b.reporterOf("1"), "1")
	path, author := "/moderation/reports/"+id, measure.Author{PluginID: "forum", ID: b.postAuthor("1")}
	record := func(decide func(report.State) []report.Fact) {
		t.Helper()
		_, err := b.log().Update(t.Context(), moderation.Ref{ReportID: id}, nil, func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
			return moderation.Change{Facts: decide(l.State)}, nil
		})
		require.NoError(t, err)
	}
	imposed := &report.MeasureImposed{ID: uuid.Must(uuid.NewV7()).String(), Author: author, Kind: measure.Suspend, Because: measure.ByModerator}
	record(func(report.State) []report.Fact {
		return []report.Fact{&report.Resolved{Resolution: report.ActionTaken}, imposed, report.Ask(imposed)}
	})
	shown := func() (pending []any) {
		for _, m := range mod.get(path).status(200).body["measures"].([]any) {
			pending = append(pending, m.(map[string]any)["pending"])
		}
		return pending
	}
	require.Equal(t, []any{true}, shown())

	stop := b.writeAsBefore()
	mod.post(path+"/notes", map[string]any{"body": "A note."}).status(201)
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_reports SET pending_actions = '[{"action": "", "sequence": 4}]' WHERE id = $1`, id)
	stop()
	require.Equal(t, []string{id}, b.behind())
	require.Equal(t, []any{true}, shown())
	awaited, err := projections.NewReports(b.pool).Awaiting(t.Context(), "", 10)
	require.NoError(t, err)
	require.Equal(t, []target.RemotePayload{{ReportID: id, Sequence: 4}}, awaited)
	record(func(s report.State) []report.Fact {
		return report.DecideOutcome(s, 4, report.Ask(imposed), report.ActionOutcome{Changed: true})
	})
	require.Equal(t, []any{false}, shown())
	b.sound()
}

// withoutSeconds makes this server write rows as a release does that knows neither escalations nor held decisions.
func (b *bundle) withoutSeconds() (stop func()) {
	b.t.Helper()
	return b.writeWithout("escalation", "escalated_to", "escalated", "held")
}

// Given an escalated report that a server of the release before decides, then it waits for nobody any more.
func TestAnEscalationThatTheReleaseBeforeDecidedIsOver(t *testing.T) {
	t.Parallel()
	e := newEscalation(t)
	e.escalate(e.holder, "leads", 2).status(nethttp.StatusOK)
	stop := e.withoutSeconds()
	e.lead.post(e.path+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "no_violation"}).status(nethttp.StatusOK)
	stop()
	require.Equal(t, []string{e.id}, e.behind())
	require.Nil(t, e.lead.get(e.path).status(nethttp.StatusOK).body["escalated"])
	require.Empty(t, e.lead.ids("/moderation/reports?escalated=me&status=done"))
}

// Given a held decision, when a server of the release before works on its report, then it waits as before and is approved;
// and when that server deletes the account of who decided, then nothing waits any more.
func TestAHeldDecisionOutlivesTheReleaseBefore(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	stop := w.withoutSeconds()
	w.asker.post(w.path+"/claim", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
	w.asker.post(w.path+"/notes", map[string]any{"body": "A note."}).status(nethttp.StatusCreated)
	stop()
	held := w.lead.get("/moderation/held").status(nethttp.StatusOK).edges()
	require.Len(t, held, 1)
	require.Equal(t, []any{w.report, 3.0, "You advertise."}, []any{held[0]["reportId"], held[0]["version"], held[0]["reasons"]})
	done := w.lead.post(w.held+"/approve", map[string]any{"expectedVersion": 3}).status(nethttp.StatusOK).body
	require.Equal(t, []any{"done", "Asker", nil}, []any{done["status"], done["resolver"].(map[string]any)["name"], done["held"]})
	w.sound()

	again := w.decision(map[string]any{"key": "spam", "version": 1})
	again["expectedVersion"], again["resolution"], again["measures"] = 4, "no_violation", nil
	by := w.asker.post(w.path+"/resolve", again).status(nethttp.StatusAccepted).body["held"].(map[string]any)["by"].(map[string]any)["id"].(string)
	stop = w.withoutSeconds()
	_, err := w.log().Update(t.Context(), moderation.Ref{ReportID: w.report}, nil, func(context.Context, pgx.Tx, moderation.Loaded) (moderation.Change, error) {
		return moderation.Change{Facts: []report.Fact{&report.AccountRemoved{UserID: by}}}, nil
	})
	require.NoError(t, err)
	stop()
	require.Nil(t, w.lead.get(w.path).status(nethttp.StatusOK).body["held"])
	require.Empty(t, w.lead.get("/moderation/held").status(nethttp.StatusOK).edges())
	require.Equal(t, []string{w.report}, w.behind())
	w.runJob("mend-reports")
	require.Zero(t, w.count(`SELECT count(*) FROM core_moderation_reports r WHERE r::text LIKE '%' || $1 || '%'`, by), "the row names nobody who is gone")
	w.sound()
}

// Given decisions by a server of the release before, which knows no second opinions, then they are drawn as others are; and
// what that server reopens in the meantime is settled without reopening.
func TestDecisionsOfTheReleaseBeforeAreDecidedAgain(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	lead := b.moderator("Lead", nil, everyPermission...)
	stop := b.withoutSeconds()
	id := b.resolve("1", map[string]any{"resolution": "no_violation"})
	stop()
	b.draw()
	task := b.again.post(nextSecond, nil).status(nethttp.StatusOK).body
	require.Equal(t, id, task["reportId"])
	path := "/moderation/seconds/" + task["id"].(string)
	require.Equal(t, "disputed", b.again.post(path, map[string]any{"resolution": "action_taken"}).status(nethttp.StatusOK).body["status"])

	stop = b.withoutSeconds()
	b.first.post("/moderation/reports/"+id+"/reopen", map[string]any{"expectedVersion": 2, "reason": "A second look."}).status(nethttp.StatusOK)
	stop()
	b.follow()
	settle := map[string]any{"stands": false, "reason": "It is spam.", "reopen": true}
	lead.post(path+"/settle", settle).fault(nethttp.StatusConflict, "invalid_state")
	settle["reopen"] = false
	require.Equal(t, "settled", lead.post(path+"/settle", settle).status(nethttp.StatusOK).body["status"])
	b.follow()
	b.verified()
}

// fileAsBefore files a report of spam as a release before does, which knows no sources, with the words of another one.
func (b *bundle) fileAsBefore(reporter, post string) (id string) {
	b.t.Helper()
	snapshot := pgtest.One[string](b.t, b.pool, `SELECT snapshot::text FROM core_moderation_reports LIMIT 1`)
	s, err := b.log().File(b.t.Context(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: post, PermissionModule: "posts"}, Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: reporter,
		Words: report.CreatedWords{ReporterName: "Member", Snapshot: []byte(snapshot)},
	}})
	require.NoError(b.t, err)
	require.NotContains(b.t, pgtest.One[string](b.t, b.pool, `SELECT convert_from(payload, 'UTF8') FROM core_moderation_report_events WHERE report_id = $1 AND sequence = 1`, s.ID), "source")
	return s.ID
}

// Given a trusted flagger, when a server of the release before files for the account and works on a report that this one
// filed, then each is read by its own events: what that server filed is a member's, and the rest stays a trusted
// flagger's, on the board and in its case.
func TestReportsOfATrustedFlaggerBesideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mod, admin := b.unlimited("Mod"), b.admin("Accounts", permission.AreaUsersManage)
	admin.post("/admin/users/"+b.members[0]+"/trusted", map[string]any{"trusted": true, "name": "Hotline"}).status(nethttp.StatusOK)
	claimed := b.file(0, "1")

	stop := b.writeAsBefore()
	theirs := b.fileAsBefore(b.members[0], "3")
	mod.post("/moderation/reports/"+claimed+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	stop()

	for id, want := range map[string][]any{claimed: {"trusted_flagger", map[string]any{"name": "Hotline"}}, theirs: {"member", nil}} {
		r := mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		require.Equal(t, want, []any{r["source"], r["flagger"]})
		require.Equal(t, want[0], mod.get("/moderation/reports/" + id + "/replay").status(nethttp.StatusOK).body["source"])
	}
	b.followCases()
	for post, trusted := range map[string]bool{"1": true, "3": false} {
		parts := mod.get("/moderation/cases?targetId=" + post).status(nethttp.StatusOK).edges()[0]["priority"].(map[string]any)["parts"]
		if part := any(map[string]any{"name": "trusted", "points": 20.0}); trusted {
			require.Contains(t, parts, part)
		} else {
			require.NotContains(t, parts, part)
		}
	}
	b.runJob("mend-reports")
	b.sound()
}

// Given a live rule, when a server of the release before files a report and decides another one that the rule
// matched, then the first is judged too, and the second keeps what the rule did.
func TestRulesBesideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("tags", `reason == "spam"`, "live", map[string]any{"points": 7, "tags": []string{"seen"}})
	ours := b.file(0, "1")
	before := mod.awaitRules(ours, 1)
	theirs := b.fileAsBefore(b.members[1], "2")
	require.Equal(t, []any{"seen"}, mod.awaitRules(theirs, 1)["tags"])

	stop := b.writeWithout("rules", "tags", "hidden_by", "ruled")
	mod.resolve(ours, "no_violation")
	stop()
	require.Equal(t, []string{ours}, b.behind())
	after := mod.get("/moderation/reports/" + ours).status(nethttp.StatusOK).body
	require.Equal(t, []any{before["rules"], before["tags"]}, []any{after["rules"], after["tags"]})
	require.ElementsMatch(t, []string{ours, theirs}, mod.ids("/moderation/reports?tag=seen"))
	pgtest.Eventually(t, func() bool {
		live := admin.get("/admin/rules/tags/matches").status(nethttp.StatusOK).body["items"].([]any)[0].(map[string]any)["live"].(map[string]any)
		return live["rejected"] == 1.0 && live["open"] == 1.0
	}, "the figures follow")
	b.runJob("mend-reports")
	b.sound()
}
