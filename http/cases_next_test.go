package http_test

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
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
	_, err := b.pool.Exec(b.t.Context(), `INSERT INTO forum_posts SELECT (json_populate_record(p, json_build_object('id', $2::bigint + i, 'source', 'many:' || i))).*
		FROM forum_posts p, generate_series(0, $1 - 1) i WHERE p.id = 1`, n, firstOfMany)
	require.NoError(b.t, err)
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
