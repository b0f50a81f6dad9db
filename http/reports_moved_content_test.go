package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func (b *bundle) movePost(id, category string) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET category_id = $2 WHERE id = $1::text::bigint`, id, category)
}

// sees tells where a moderator meets a report: in the list, the counts and by its id.
func (b *bundle) sees(c *client, report string) []string {
	b.t.Helper()
	var places []string
	for _, e := range c.get("/moderation/reports").status(nethttp.StatusOK).edges() {
		if e["id"] == report {
			places = append(places, "list")
		}
	}
	if c.get("/moderation/reports/counts").status(nethttp.StatusOK).body["new"] == 1.0 {
		places = append(places, "counts")
	}
	if c.get("/moderation/reports/"+report).code == nethttp.StatusOK {
		places = append(places, "report")
	}
	return places
}

func TestWhoMaySeeAReportChangesWithTheCommitOfAMove(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.movePost("1", "general")
	report := b.file(0, "1")
	general := b.moderator("Gina", []string{"general"}, permission.ViewReports)
	support := b.moderator("Susi", []string{"support"}, permission.ViewReports)
	everywhere := []string{"list", "counts", "report"}

	require.Equal(t, everywhere, b.sees(general, report))
	require.Empty(t, b.sees(support, report))

	tx, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE forum_posts SET category_id = 'support' WHERE id = 1`)
	require.NoError(t, err)
	require.Equal(t, everywhere, b.sees(general, report), "not committed yet")
	require.NoError(t, tx.Commit(t.Context()))
	require.Empty(t, b.sees(general, report))
	require.Equal(t, everywhere, b.sees(support, report))

	// Once it is deleted, the scope it had last decides.
	pgtest.Exec(t, b.pool, `DELETE FROM forum_posts WHERE id = 1`)
	require.Empty(t, b.sees(general, report))
	require.Equal(t, everywhere, b.sees(support, report))
}
