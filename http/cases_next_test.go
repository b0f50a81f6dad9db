package http_test

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestNextClaimsTheBestCase(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	moderator.post("/moderation/next", "{}").status(nethttp.StatusNoContent)
	lesser := b.file(0, "2")
	first, second := b.file(0, "1"), b.file(1, "1")
	b.followCases()

	require.Equal(t, first, moderator.post("/moderation/next", "{}").status(nethttp.StatusOK).body["id"])
	for _, id := range []string{first, second} {
		require.NotNil(t, moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["assignee"], "all its reports are claimed")
	}
	other.post("/moderation/next?targetId=1", "{}").status(nethttp.StatusNoContent)
	other.post("/moderation/next?reason=abusive", "{}").status(nethttp.StatusNoContent)
	require.Equal(t, lesser, other.post("/moderation/next?reason=spam", "{}").status(nethttp.StatusOK).body["id"])
	moderator.post("/moderation/next", "{}").status(nethttp.StatusNoContent)

	// What is given back is there for the next.
	moderator.post("/moderation/reports/"+first+"/unassign", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
	moderator.post("/moderation/reports/"+second+"/unassign", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
	require.Equal(t, first, other.post("/moderation/next", "{}").status(nethttp.StatusOK).body["id"])
}

func TestManyAskForTheNextAtOnceAndGetDifferentCases(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	const people, rounds = 16, 2
	b.manyPosts(people * rounds)
	clients := make([]*client, people)
	for i := range clients {
		clients[i] = b.moderator(fmt.Sprint("Moderator ", i), nil, everyPermission...)
	}
	b.followCases()
	_, err := b.pool.Exec(t.Context(), `ANALYZE`) // as autovacuum does
	require.NoError(t, err)

	var mu sync.Mutex
	given := map[string]int{}
	for range rounds {
		var all sync.WaitGroup
		for _, c := range clients {
			all.Go(func() {
				a := c.undescribed(nethttp.MethodPost, "/moderation/next", "application/json", []byte("{}"))
				mu.Lock()
				defer mu.Unlock()
				if a.code == nethttp.StatusOK {
					given[a.body["target"].(map[string]any)["id"].(string)]++
				}
			})
		}
		all.Wait()
	}
	require.Len(t, given, people*rounds)
	for id, times := range given {
		require.Equal(t, 1, times, id)
	}
}

// firstOfMany is the id of the first post of manyPosts.
const firstOfMany = 100_000

// manyPosts makes posts with a report of each, of every reason by turns.
func (b *bundle) manyPosts(n int) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, `INSERT INTO forum_posts SELECT (json_populate_record(p, json_build_object('id', $2::bigint + i, 'source', 'many:' || i))).*
		FROM forum_posts p, generate_series(0, $1 - 1) i WHERE p.id = 1`, n, firstOfMany)
	var reporters []*client
	for i := range (n + report.FilingsPerHour - 1) / report.FilingsPerHour {
		reporters = append(reporters, b.session(b.user(fmt.Sprint("Reporter ", i))))
	}
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for i := part; i < n; i += 8 {
				reporters[i/report.FilingsPerHour].undescribed(nethttp.MethodPost, "/moderation/reports", "application/json",
					fmt.Appendf(nil, `{"pluginId":"forum","targetType":"forum.post","targetId":"%d","reason":%q,"description":"Somebody wrote this."}`, firstOfMany+i, report.Reasons[i%len(report.Reasons)])).status(nethttp.StatusCreated)
			}
		})
	}
	all.Wait()
}

// ofCase is the body of a request about the case of a post.
func ofCase(post string, more map[string]any) map[string]any {
	more["target"] = map[string]any{"pluginId": "forum", "type": "forum.post", "id": post}
	return more
}

func (c *client) next(status int) string {
	c.b.t.Helper()
	id, _ := c.post("/moderation/next", "{}").status(status).body["id"].(string)
	return id
}

func TestAPassedCaseIsLeftOutOfOnesOwnNextForADay(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	first, second := b.file(0, "1"), b.file(1, "1")
	b.followCases()
	require.Equal(t, first, moderator.next(nethttp.StatusOK))

	moderator.post("/moderation/cases/pass", ofCase("1", map[string]any{"reason": "language"})).status(nethttp.StatusNoContent)
	b.followCases()
	moderator.next(nethttp.StatusNoContent)
	for _, id := range []string{first, second} {
		require.Nil(t, moderator.get("/moderation/reports/" + id).body["assignee"], "it was given back")
	}
	require.Equal(t, map[string]any{"language": 1., "unsure": 0., "conflict": 0., "other": 0.}, other.get("/moderation/stats").body["passes"])
	require.Equal(t, first, other.next(nethttp.StatusOK), "others get it")
	require.NotContains(t, string(other.get("/moderation/cases").raw), "pass")

	t.Log("a repeat is not counted")
	moderator.post("/moderation/cases/pass", ofCase("1", map[string]any{"reason": "unsure"})).status(nethttp.StatusNoContent)
	require.EqualValues(t, 0, other.get("/moderation/stats").body["passes"].(map[string]any)["unsure"])
	require.NotNil(t, other.get("/moderation/reports/" + first).body["assignee"], "what others hold stays theirs")
	other.post("/moderation/cases/pass", ofCase("1", map[string]any{"reason": "conflict"})).status(nethttp.StatusNoContent)

	b.exec(`UPDATE core_moderation_passes SET until = until - interval '1 day' - interval '1 hour'`)
	require.Equal(t, first, moderator.next(nethttp.StatusOK), "a day later")
}

func TestWhoPassedIsInNoTable(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.user("Passer")
	require.NoError(t, b.staff.Ensure(t.Context(), "moderator", id, forumEntry(nil, everyPermission...)))
	report := b.file(0, "1")
	b.followCases()
	session := b.session(id)
	before := pgtest.WhereFound(t, b.pool, id)
	session.post("/moderation/cases/pass", ofCase("1", map[string]any{"reason": "conflict"})).status(nethttp.StatusNoContent)
	require.Equal(t, before, pgtest.WhereFound(t, b.pool, id))
	require.EqualValues(t, 1, session.get("/moderation/reports/" + report).body["version"])
}

func TestAParkedCaseIsNobodysNextUntilThen(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	id := b.file(0, "1")
	b.followCases()
	park := func(until any) *answer {
		return moderator.post("/moderation/cases/park", ofCase("1", map[string]any{"until": until}))
	}
	until := time.Now().Add(29 * 24 * time.Hour).UTC().Truncate(time.Second)
	park(until).status(nethttp.StatusNoContent)
	moderator.next(nethttp.StatusNoContent)
	other.next(nethttp.StatusNoContent)
	parked := func() any { return other.get("/moderation/cases").edges()[0]["parked"] }
	require.Equal(t, "Moderator", parked().(map[string]any)["by"].(map[string]any)["name"])
	require.Equal(t, until.Format("2006-01-02T15:04:05.000000Z"), parked().(map[string]any)["until"])

	park(nil).status(nethttp.StatusNoContent)
	require.Nil(t, parked())
	park(until).status(nethttp.StatusNoContent)
	b.exec(`UPDATE core_moderation_parked SET until = now()`)
	require.Nil(t, parked())
	require.Equal(t, id, other.next(nethttp.StatusOK), "the time has come")

	t.Log("a case that was decided in part stays parked")
	park(until).status(nethttp.StatusNoContent)
	resolve := func(id string, version int) {
		other.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": version, "resolution": "no_violation"}).status(nethttp.StatusOK)
		b.followCases()
	}
	later := b.file(1, "1")
	resolve(id, 2)
	require.NotNil(t, parked())
	moderator.next(nethttp.StatusNoContent)

	t.Log("one that was decided is another one when it is reported anew, be it seen or not")
	resolve(later, 1)
	unseen := b.file(2, "1")
	park(until).status(nethttp.StatusNoContent)
	resolve(unseen, 1)
	again := b.file(3, "1")
	b.followCases()
	require.Equal(t, again, moderator.next(nethttp.StatusOK))
}

func TestPassingAndParkingAreChecked(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.file(0, "1")
	moderator, viewer := b.moderator("Moderator", nil, everyPermission...), b.moderator("Viewer", nil, "can_view_reports")
	elsewhere := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	soon := time.Now().Add(time.Hour)
	for path, body := range map[string]map[string]any{"/moderation/cases/pass": {"reason": "other"}, "/moderation/cases/park": {"until": soon}} {
		viewer.post(path, ofCase("1", body)).fault(nethttp.StatusForbidden, "forbidden")
		elsewhere.post(path, ofCase("1", body)).fault(nethttp.StatusNotFound, "not_found")
		moderator.post(path, ofCase("2", body)).fault(nethttp.StatusNotFound, "not_found")
	}
	require.Equal(t, map[string]string{"reason": "unknown_value", "target": "required"},
		moderator.undescribed(nethttp.MethodPost, "/moderation/cases/pass", "application/json", []byte(`{"reason":"bored"}`)).status(nethttp.StatusBadRequest).issues())
	late := time.Now().Add(30*24*time.Hour + time.Minute).UTC().Format(time.RFC3339)
	for until, code := range map[string]string{`"2020-01-01T00:00:00Z"`: "in_the_past", `"tomorrow"`: "invalid", `"` + late + `"`: "too_far"} {
		body, err := json.Marshal(ofCase("1", map[string]any{"until": json.RawMessage(until)}))
		require.NoError(t, err)
		require.Equal(t, code, moderator.undescribed(nethttp.MethodPost, "/moderation/cases/park", "application/json", body).status(nethttp.StatusBadRequest).issues()["until"])
	}
}

func TestPassesAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	id := b.file(0, "1")
	b.followCases()
	moderator.next(nethttp.StatusOK)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			moderator.post("/moderation/cases/pass", ofCase("1", map[string]any{"reason": "unsure"})).status(nethttp.StatusNoContent)
		})
	}
	all.Wait()
	require.EqualValues(t, 1, other.get("/moderation/stats").body["passes"].(map[string]any)["unsure"], "counted once")
	require.EqualValues(t, 3, other.get("/moderation/reports/" + id).body["version"], "given back once")
}
