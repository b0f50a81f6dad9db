package http_test

import (
	"fmt"
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/permission"
)

func (b *bundle) movePost(id, category string) {
	b.t.Helper()
	_, err := b.pool.Exec(b.t.Context(), `UPDATE forum_posts SET category_id = $2 WHERE id = $1::text::bigint`, id, category)
	require.NoError(b.t, err)
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
	_, err = b.pool.Exec(t.Context(), `DELETE FROM forum_posts WHERE id = 1`)
	require.NoError(t, err)
	require.Empty(t, b.sees(general, report))
	require.Equal(t, everywhere, b.sees(support, report))
}

// A list is one statement, so that a report that moves to and fro is in the
// list of somebody who moderates both places at every moment.
func TestReadsWhileContentMovesNeverLoseAReport(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.movePost("1", "general")
	report := b.file(0, "1")
	both := b.moderator("Bo", []string{"general", "support"}, permission.ViewReports)
	neither := b.moderator("Nick", []string{"offtopic"}, permission.ViewReports)

	var group errgroup.Group
	group.Go(func() error {
		for i := range 60 {
			_, err := b.pool.Exec(t.Context(), `UPDATE forum_posts SET category_id = $1 WHERE id = 1`, []string{"support", "general"}[i%2])
			if err != nil {
				return err
			}
		}
		return nil
	})
	for range 2 {
		group.Go(func() error {
			for range 20 {
				if places := b.sees(both, report); len(places) != 3 {
					return fmt.Errorf("whoever moderates both places sees it in %v only", places)
				}
				if places := b.sees(neither, report); len(places) != 0 {
					return fmt.Errorf("whoever moderates neither place sees it in %v", places)
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
}
