package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

func TestReportsHaveTheDeadlineOfTheirReason(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	without := b.file(0, "1")
	b.service.Deadlines = report.Deadlines{report.Spam: time.Hour}
	with := b.file(1, "2")
	b.service.Deadlines = report.Deadlines{report.Spam: time.Microsecond}
	late := b.file(2, "3")

	get := func(id string) map[string]any {
		return moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
	}
	require.Nil(t, get(without)["dueAt"])
	body := get(with)
	filed, err := time.Parse(time.RFC3339, body["createdAt"].(string))
	require.NoError(t, err)
	require.Equal(t, filed.Add(time.Hour).Format("2006-01-02T15:04:05.000000Z"), body["dueAt"])
	require.Equal(t, []string{late, with, without}, moderator.ids("/moderation/reports?orderBy=dueAt"))
	require.Equal(t, []string{late}, moderator.ids("/moderation/reports?overdue=true"))
	require.EqualValues(t, 1, moderator.get("/moderation/reports/counts?overdue=true").status(nethttp.StatusOK).body["new"])
	require.Contains(t, moderator.get("/moderation/reports?overdue=maybe").fault(nethttp.StatusBadRequest, "validation_failed").issues(), "overdue")

	// It is announced once, and no decision goes stale.
	require.NoError(t, b.service.AnnounceOverdue(t.Context()))
	require.NoError(t, b.service.AnnounceOverdue(t.Context()))
	body = get(late)
	require.EqualValues(t, 1, body["version"])
	entries := moderator.get("/moderation/reports/" + late + "/timeline").status(nethttp.StatusOK).edges()
	require.Len(t, entries, 2)
	require.Equal(t, "overdue", entries[1]["type"])
	require.Equal(t, 1, b.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.overdue'`))
	moderator.post("/moderation/reports/"+late+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	require.Empty(t, moderator.ids("/moderation/reports?overdue=true"), "what is decided is not overdue")
}

// ids are the ids of a list's first page.
func (c *client) ids(path string) []string {
	c.b.t.Helper()
	ids := []string{}
	for _, e := range c.get(path).status(nethttp.StatusOK).edges() {
		ids = append(ids, e["id"].(string))
	}
	return ids
}

// count reads one number from the database.
func (b *bundle) count(sql string, args ...any) (n int) {
	b.t.Helper()
	require.NoError(b.t, b.pool.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}
