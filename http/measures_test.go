package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/forum"
)

// striking publishes a policy that gives strikes.
func (b *bundle) striking(key string, strikes, days int) map[string]any {
	b.t.Helper()
	a := b.admin("Rules "+key).post("/admin/policies", map[string]any{"key": key, "title": "Rule " + key, "text": "Do not.", "strikes": strikes, "strikeDays": days})
	a.status(nethttp.StatusCreated)
	require.Equal(b.t, []any{float64(strikes), float64(days)}, []any{a.body["strikes"], a.body["strikeDays"]})
	return map[string]any{"key": key, "version": a.body["version"]}
}

// reporterOf returns a member who did not write the post.
func (b *bundle) reporterOf(post string) int {
	if b.members[0] == b.postAuthor(post) {
		return 1
	}
	return 0
}

// by makes the member the author of the posts.
func (b *bundle) by(member string, posts ...string) {
	for _, post := range posts {
		b.t.Helper()
		pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET author_id = $1 WHERE id = $2::bigint`, member, post)
	}
}

// until is a time so many days from now, as the API writes it.
func until(days int) string {
	return time.Now().UTC().AddDate(0, 0, days).Truncate(time.Microsecond).Format("2006-01-02T15:04:05.000000Z")
}

// columns returns the forum's columns about a member: null, infinity or a time.
func (b *bundle) columns(user string) (restricted, suspended, terminated *string) {
	b.t.Helper()
	require.NoError(b.t, b.pool.QueryRow(b.t.Context(), `SELECT restricted_until::text, suspended_until::text, terminated_at::text FROM forum_members WHERE user_id = $1`, user).
		Scan(&restricted, &suspended, &terminated))
	return restricted, suspended, terminated
}

func TestTheLadderProposesWhatADecisionImposesAndAnAppealTakesAway(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author := b.members[5]
	b.by(author, "1", "2")
	mod, judge := b.moderator("Mod", nil, everyPermission...), b.moderator("Judge", nil, permission.ViewReports, permission.DecideAppeals)
	rule := b.striking("spam", 2, 30)
	b.admin("Ladder", permission.AreaPolicies).put("/admin/ladder", map[string]any{"steps": []any{
		map[string]any{"strikes": 2, "kind": "suspend", "days": 7}, map[string]any{"strikes": 4, "kind": "terminate"}}}).status(200)
	first := "/moderation/reports/" + b.file(0, "1")

	t.Log("the ladder proposes a suspension")
	mod.get(first+"/proposal?policy=unknown").fault(400, "validation_failed")
	for _, decisions := range []string{"0", "201", "x"} {
		require.Equal(t, map[string]string{"decisions": "out_of_range"}, mod.get(first+"/proposal?decisions="+decisions).fault(400, "validation_failed").issues())
	}
	three := mod.get(first + "/proposal?policy=spam&decisions=3").status(200).body["items"].([]any)[0].(map[string]any)
	require.Equal(t, []any{6., "terminate"}, []any{three["after"], three["measure"].(map[string]any)["kind"]}, "with others that are decided alike")
	items := mod.get(first + "/proposal?policy=spam").status(200).body["items"].([]any)
	require.Len(t, items, 1)
	proposal := items[0].(map[string]any)
	require.Equal(t, []any{0., 2.}, []any{proposal["strikes"], proposal["after"]})
	proposed := proposal["measure"].(map[string]any)
	require.Equal(t, "suspend", proposed["kind"])
	require.Nil(t, mod.get(first + "/proposal").status(200).body["items"].([]any)[0].(map[string]any)["measure"], "no rule, no strike")

	t.Log("the moderator imposes it")
	done := mod.post(first+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": rule,
		"measures": []any{map[string]any{"authorId": author, "kind": "suspend", "until": proposed["until"]}}}).status(200)
	require.EqualValues(t, 2, done.body["version"])
	imposed := done.body["measures"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"suspend", "ladder", nil, nil}, []any{imposed["kind"], imposed["because"], imposed["endedAt"], imposed["endedBy"]})
	_, suspended, _ := b.columns(author)
	require.NotNil(t, suspended)

	t.Log("everybody concerned sees it")
	listed := mod.get("/moderation/measures?status=standing&kind=suspend&authorId=" + author + "&pluginId=forum").status(200).edges()
	require.Len(t, listed, 1)
	require.Equal(t, []any{imposed["measureId"], 2., rule}, []any{listed[0]["id"], listed[0]["threshold"], listed[0]["policy"]})
	require.Equal(t, author, listed[0]["author"].(map[string]any)["account"].(map[string]any)["id"])
	require.Empty(t, mod.get("/moderation/measures?status=ended").status(200).edges())
	record := mod.get("/moderation/authors/" + author + "?pluginId=forum").status(200).body
	require.EqualValues(t, 2, record["strikes"])
	require.Len(t, record["measures"], 1)
	before := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	record = mod.get("/moderation/authors/" + author + "?at=" + before).status(200).body
	require.Equal(t, []any{0., []any{}}, []any{record["strikes"], record["measures"]})
	member := b.session(author)
	standing := member.get("/users/standing").status(200).body
	require.EqualValues(t, 2, standing["strikes"])
	require.Len(t, standing["measures"], 1)
	require.Len(t, standing["decisions"].(map[string]any)["edges"], 1)

	t.Log("a suspended member reads and appeals, and files nothing")
	file := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "3", "reason": "spam"}
	member.post("/moderation/reports", file).fault(403, "suspended")
	member.post("/moderation/reports", map[string]any{"reason": 1}).fault(403, "suspended")
	b.guest().post("/moderation/reports", file).fault(401, "unauthorized")
	b.member(b.reporterOf("3")).post("/moderation/reports", file).status(201)
	id := first[len("/moderation/reports/"):]
	appeal := member.post("/users/decisions/"+id+"/appeal", map[string]any{"text": "I do not."}).status(201).body["id"].(string)

	t.Log("a second decision of the author, which the ladder follows up")
	second := "/moderation/reports/" + b.file(1, "2")
	items = mod.get(second + "/proposal?policy=spam").status(200).body["items"].([]any)
	require.Equal(t, []any{2., 4.}, []any{items[0].(map[string]any)["strikes"], items[0].(map[string]any)["after"]})
	mod.post(second+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": rule,
		"measures": []any{map[string]any{"authorId": author, "kind": "terminate"}}}).status(200)
	_, _, terminated := b.columns(author)
	require.NotNil(t, terminated)

	t.Log("an overturn ends what the decision imposed, and the job what its strikes led to elsewhere")
	judge.post("/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 2}).status(200)
	_, suspended, terminated = b.columns(author)
	require.Nil(t, suspended)
	require.NotNil(t, terminated)
	b.runJob("end-measures")
	_, suspended, terminated = b.columns(author)
	require.Nil(t, suspended)
	require.Nil(t, terminated, "4 strikes were needed, and 2 are left")
	require.Empty(t, mod.get("/moderation/measures?status=standing").status(200).edges())
	for _, m := range mod.get("/moderation/measures?orderBy=until").status(200).edges() {
		require.Equal(t, "overturn", m["endedBy"])
	}
	require.EqualValues(t, 2, member.get("/users/standing").status(200).body["strikes"])
	record = mod.get("/moderation/authors/" + author + "?at=" + time.Now().Add(-time.Millisecond).UTC().Format(time.RFC3339Nano)).status(200).body
	require.EqualValues(t, 2, record["strikes"])
	member.post("/moderation/reports", file).status(201)
	require.Equal(t, []any{"created", "resolved", "measure_imposed", "appealed", "appeal_decided", "measure_ended", "resolved"}, mod.get(first+"/timeline").types())
	replayed := mod.get(first + "/replay?sequence=3").status(200).body["measures"].([]any)
	require.Nil(t, replayed[0].(map[string]any)["endedAt"])
	b.sound()
}

func TestFaultsOfMeasuresAreToldAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t, source(func(pool *pgxpool.Pool) *plugin.Plugin {
		bare := forum.Plugin(pool).Targets[0]
		bare.Type, bare.People = "bare.profile", nil
		return &plugin.Plugin{ID: "bare", Targets: []target.Definition{bare}}
	}))
	author := b.postAuthor("1")
	mod := b.moderator("Mod", nil, everyPermission...)
	path := "/moderation/reports/" + b.file(b.reporterOf("1"), "1")
	resolve := func(c *client, resolution string, measures ...any) *answer {
		return c.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": resolution, "measures": measures})
	}
	one := func(author, kind string, until any) map[string]any {
		return map[string]any{"authorId": author, "kind": kind, "until": until}
	}
	require.Equal(t, map[string]string{"measures[0].until": "in_the_past", "measures[1].until": "invalid", "measures[2].kind": "required",
		"measures[0].authorId": "unknown_author", "measures[1].authorId": "unknown_author", "measures[2].authorId": "unknown_author"},
		resolve(mod, "action_taken", one("a", "suspend", until(-1)), one("c", "suspend", "soon"), map[string]any{"authorId": "d"}).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"measures": "not_allowed"}, resolve(mod, "no_violation", one(author, "warn", nil)).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"measures[0].authorId": "unknown_author"}, resolve(mod, "action_taken", one(b.members[8]+"x", "warn", nil)).fault(400, "validation_failed").issues())

	t.Log("a type whose platform carries out nothing offers warn alone")
	root := b.unlimited("Root moderator")
	profile := func(plugin, user string) string {
		return "/moderation/reports/" + b.member(3).post("/moderation/reports", map[string]any{"pluginId": plugin, "targetType": plugin + ".profile", "targetId": user, "reason": "spam"}).status(201).body["id"].(string)
	}
	bare := profile("bare", b.members[4])
	require.Equal(t, map[string]string{"measures[0].kind": "not_offered", "measures[0].authorId": "unknown_author"}, root.post(bare+"/resolve", map[string]any{"expectedVersion": 1,
		"resolution": "action_taken", "measures": []any{one("nobody", "suspend", nil)}}).fault(400, "validation_failed").issues())

	t.Log("somebody who has written nothing has a profile")
	silent := b.user("Silent")
	reported := profile("forum", silent)
	root.post(reported+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken",
		"measures": []any{one(silent, "restrict", until(2)), one(silent, "suspend", nil), one(silent, "terminate", nil)}}).status(200)
	limited, forever, gone := b.columns(silent)
	require.NotNil(t, limited)
	require.Equal(t, "infinity", *forever)
	require.NotNil(t, gone)
	root.post(reported+"/reopen", map[string]any{"expectedVersion": 2, "reason": "On second thoughts."}).status(200)
	limited, forever, gone = b.columns(silent)
	require.Equal(t, []*string{nil, nil, nil}, []*string{limited, forever, gone})

	t.Log("permissions: none, in some categories, in all")
	without := b.moderator("Without", nil, permission.ViewReports, permission.ManageReports)
	resolve(without, "action_taken", one(author, "warn", nil)).fault(403, "forbidden")
	some := b.moderator("Some", []string{"general", "support", "offtopic"}, everyPermission...)
	resolve(some, "action_taken", one(author, "suspend", nil)).fault(403, "forbidden")
	kinds := func(c *client) any {
		return c.get(path + "/proposal").status(200).body["items"].([]any)[0].(map[string]any)["kinds"]
	}
	require.Equal(t, []any{[]any{}, []any{"warn", "restrict"}, []any{"warn", "restrict", "suspend", "terminate"}}, []any{kinds(without), kinds(some), kinds(mod)})
	require.Equal(t, []any{"warn"}, root.get(bare + "/proposal").status(200).body["items"].([]any)[0].(map[string]any)["kinds"], "the platform carries out nothing")
	done := resolve(some, "action_taken", one(author, "restrict", until(3)), one(author, "warn", nil)).status(200)
	restricted, _, _ := b.columns(author)
	require.NotNil(t, restricted)
	id := done.body["measures"].([]any)[0].(map[string]any)["measureId"].(string)
	end := map[string]any{"reason": "It was a mistake.", "expectedVersion": 2}
	without.post("/moderation/measures/"+id+"/end", end).fault(403, "forbidden")
	b.movePost("1", "general")
	b.moderator("Elsewhere", []string{"support"}, everyPermission...).post("/moderation/measures/"+id+"/end", end).fault(404, "not_found")
	require.Equal(t, map[string]string{"reason": "too_long"}, some.post("/moderation/measures/"+id+"/end", map[string]any{"reason": strings.Repeat("😀", 2001), "expectedVersion": 2}).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"reason": "too_short", "expectedVersion": "required"}, some.post("/moderation/measures/"+id+"/end", map[string]any{"reason": "x"}).fault(400, "validation_failed").issues())
	some.post("/moderation/measures/"+id+"/end", map[string]any{"reason": "It was a mistake.", "expectedVersion": 1}).fault(409, "conflict")
	ended := some.post("/moderation/measures/"+id+"/end", end).status(200)
	require.Equal(t, []any{"moderator", 3.}, []any{ended.body["endedBy"], ended.body["version"]})
	require.Equal(t, ended.body, some.post("/moderation/measures/"+id+"/end", end).status(200).body, "it has ended")
	restricted, _, _ = b.columns(author)
	require.Nil(t, restricted)
	b.sound()
}

func TestADecisionOnACaseIsOneForStrikes(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author := b.postAuthor("1")
	ids := b.crowd("1", 3)
	mod := b.moderator("Mod", nil, everyPermission...)
	rule := b.striking("spam", 3, 365)
	var reports []any
	for _, id := range ids {
		reports = append(reports, map[string]any{"id": id, "expectedVersion": 1})
	}
	decided := mod.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "1"}, "reports": reports,
		"resolve": map[string]any{"resolution": "action_taken", "policy": rule, "measures": []any{map[string]any{"authorId": author, "kind": "suspend"}}}}).status(200)
	imposed := 0
	for _, r := range decided.body["reports"].([]any) {
		imposed += len(r.(map[string]any)["measures"].([]any))
	}
	require.Equal(t, 1, imposed, "on the first report")
	_, suspended, _ := b.columns(author)
	require.Equal(t, "infinity", *suspended)
	strikes := func() any { return mod.get("/moderation/authors/" + author).status(200).body["strikes"] }
	require.EqualValues(t, 3, strikes())

	t.Log("it counts while any of its reports is decided so")
	before := time.Now().UTC().Format(time.RFC3339Nano)
	for _, id := range ids {
		require.EqualValues(t, 3, strikes())
		version := mod.get("/moderation/reports/" + id).body["version"]
		mod.post("/moderation/reports/"+id+"/reopen", map[string]any{"expectedVersion": version, "reason": "On second thoughts."}).status(200)
	}
	require.EqualValues(t, 0, strikes())
	require.EqualValues(t, 3, mod.get("/moderation/authors/" + author + "?at=" + before).status(200).body["strikes"], "as it counted then")
	_, suspended, _ = b.columns(author)
	require.Nil(t, suspended)
	b.sound()
}

func TestMeasuresEndByThemselves(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author := b.members[5]
	b.by(author, "1", "2")
	mod := b.moderator("Mod", nil, everyPermission...)
	impose := func(post, end string) string {
		id := b.file(0, post)
		if end == "soon" {
			end = time.Now().Add(time.Second).UTC().Format(time.RFC3339Nano)
		}
		mod.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken",
			"measures": []any{map[string]any{"authorId": author, "kind": "suspend", "until": end}}}).status(200)
		return id
	}
	first := impose("1", "soon")
	later := until(2)
	impose("2", later)
	pgtest.Eventually(t, func() bool {
		return len(mod.get("/moderation/measures?status=standing").status(200).edges()) == 1
	}, "what is due stands no longer, before the job has run")
	require.Len(t, b.session(author).get("/users/standing").status(200).body["measures"], 1)
	require.Len(t, mod.get("/moderation/authors/" + author).status(200).body["measures"], 1)
	require.Empty(t, mod.get("/moderation/measures?status=ended").status(200).edges())
	pgtest.Eventually(t, func() bool {
		b.runJob("end-measures")
		return len(mod.get("/moderation/measures?status=ended").status(200).edges()) == 1
	}, "what is due has ended")
	ended := mod.get("/moderation/measures?status=ended").edges()[0]
	require.Equal(t, []any{first, "expiry", 3.}, []any{ended["reportId"], ended["endedBy"], ended["version"]})
	b.runJob("end-measures")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'measure_ended'`), "once")
	shown := pgtest.One[time.Time](t, b.pool, `SELECT suspended_until FROM forum_members WHERE user_id = $1`, author)
	want, err := time.Parse(time.RFC3339, later)
	require.NoError(t, err)
	require.True(t, want.Equal(shown), "the latest end of what still stands")
	b.sound()

	t.Log("a row that differs from the log stops nothing, and the job says so")
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_measures SET until = now() - interval '1 hour' WHERE ended_at IS NULL`)
	b.job("end-measures").fault(500, "internal")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'measure_ended'`))
}

func TestTheLadderIsChecked(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	rules := b.admin("Rules", permission.AreaPolicies)
	require.Equal(t, []any{}, rules.get("/admin/ladder").status(200).body["steps"])
	put := func(steps ...any) *answer {
		return rules.put("/admin/ladder", map[string]any{"steps": steps})
	}
	step := func(strikes any, kind string, days any) map[string]any {
		return map[string]any{"strikes": strikes, "kind": kind, "days": days}
	}
	require.Equal(t, map[string]string{"steps[0].strikes": "out_of_range"}, put(step(0, "warn", nil)).fault(400, "validation_failed").issues())
	put(make([]any, 5000)...).fault(400, "validation_failed")
	want := []any{step(1., "warn", nil), step(3., "suspend", 7.)}
	require.Equal(t, want, put(want...).status(200).body["steps"])
	require.Equal(t, want, rules.get("/admin/ladder").status(200).body["steps"])
	require.Equal(t, map[string]string{"strikes": "out_of_range", "strikeDays": "out_of_range"}, rules.post("/admin/policies",
		map[string]any{"key": "a", "title": "A", "text": "A", "strikes": 11, "strikeDays": 0}).fault(400, "validation_failed").issues())
}
