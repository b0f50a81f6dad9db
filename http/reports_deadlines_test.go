package http_test

import (
	"fmt"
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestReportsHaveTheDeadlineOfTheirReason(t *testing.T) {
	t.Parallel()
	b := newBundleWith(t, map[string]string{"DOCKET_DEADLINES": "abusive=1h"})
	moderator := b.moderator("Moderator", nil, everyPermission...)
	file := func(member int, post, reason string) string {
		body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": reason}
		return b.member(member).post("/moderation/reports", body).status(nethttp.StatusCreated).body["id"].(string)
	}
	without, with, late := file(0, "1", "spam"), file(1, "2", "abusive"), file(2, "3", "abusive")
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_reports SET due_at = created_at WHERE id = $1`, late)

	get := func(id string) map[string]any {
		return moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
	}
	require.Nil(t, get(without)["dueAt"])
	body := get(with)
	filed, err := time.Parse(time.RFC3339, body["createdAt"].(string))
	require.NoError(t, err)
	require.Equal(t, filed.Add(time.Hour).Format("2006-01-02T15:04:05.000000Z"), body["dueAt"])
	require.Equal(t, body["dueAt"], moderator.get("/moderation/reports/" + with + "/replay").status(nethttp.StatusOK).body["dueAt"])
	require.Equal(t, []string{late, with, without}, moderator.ids("/moderation/reports?orderBy=dueAt"))
	require.Equal(t, []string{late}, moderator.ids("/moderation/reports?overdue=true"))
	require.EqualValues(t, 1, moderator.get("/moderation/reports/counts?overdue=true").status(nethttp.StatusOK).body["new"])
	require.Contains(t, moderator.get("/moderation/reports?overdue=maybe").fault(nethttp.StatusBadRequest, "validation_failed").issues(), "overdue")

	// It is announced once, and no decision goes stale.
	b.runJob("announce-overdue")
	b.runJob("announce-overdue")
	body = get(late)
	require.EqualValues(t, 1, body["version"])
	entries := moderator.get("/moderation/reports/" + late + "/timeline").status(nethttp.StatusOK).edges()
	require.Len(t, entries, 2)
	require.Equal(t, "overdue", entries[1]["type"])
	require.Equal(t, 1, b.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.overdue'`))
	moderator.post("/moderation/reports/"+late+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	require.Empty(t, moderator.ids("/moderation/reports?overdue=true"), "what is decided is not overdue")
}

// runJob runs a scheduled job as its administrator does.
func (b *bundle) runJob(name string) {
	b.t.Helper()
	b.job(name).status(nethttp.StatusOK)
}

// job is the answer to who runs a scheduled job.
func (b *bundle) job(name string) *answer {
	b.t.Helper()
	operator := b.admin(fmt.Sprint("Operator ", time.Now().UnixNano()), permission.AreaCronView, permission.AreaCronRun)
	for _, job := range operator.get("/admin/advanced/cron?first=100").status(nethttp.StatusOK).edges() {
		if job["name"] == name {
			return operator.post("/admin/advanced/cron/"+job["id"].(string), "")
		}
	}
	b.t.Fatalf("there is no job %s", name)
	return nil
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
func (b *bundle) count(sql string, args ...any) int {
	return pgtest.One[int](b.t, b.pool, sql, args...)
}
