package content_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	domain "github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// However many people read the public content, a report can be filed.
func TestPublicReadersLeaveConnectionsToCaptures(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE notes (id bigint PRIMARY KEY, title text); CREATE TABLE papers (id bigint PRIMARY KEY, title text);
		INSERT INTO papers VALUES (1, 'P')`,
		oneType("note", "title: {kind: text}")+strings.TrimPrefix(oneType("paper", "title: {kind: text}"), "id: shop\ncontentTypes:\n"))
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, "LOCK TABLE notes")
	var readers errgroup.Group
	for range 2 * b.pool.Config().MaxConns {
		readers.Go(func() error {
			_, err := b.Content[0].Reader.Item(t.Context(), "1", "", domain.HiddenAccess{})
			return err
		})
	}
	pgtest.Eventually(t, func() bool { return b.pool.Stat().AcquiredConns() > b.pool.Config().MaxConns/2 }, "readers wait for the table")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	captured, err := b.target("shop.paper").Capture(ctx, target.CaptureRequest{TargetID: "1", ReporterID: bob})
	require.NoError(t, err)
	require.NotNil(t, captured)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, readers.Wait())
}

// A row that no id leads to is not in the list either, and takes no place in a page.
func TestRowsWithoutAnIDAreNotListed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", domain.MaxTextID)
	tests := []struct {
		name, kind, table string
		listed            []string
	}{
		{"bigint", "bigint", `CREATE TABLE notes (id bigint UNIQUE, title text);
			INSERT INTO notes (id) VALUES (NULL), (NULL), (1), (2), (3), (0), (-5), (-9223372036854775808), (9223372036854775807)`,
			[]string{"9223372036854775807", "3", "2", "1"}},
		{"an integer in a view", "bigint", `CREATE TABLE papers (id integer, title text);
			CREATE VIEW notes AS SELECT * FROM papers; INSERT INTO papers (id) VALUES (0), (7), (NULL)`, []string{"7"}},
		{"uuid", "uuid", `CREATE TABLE notes (id uuid, title text); INSERT INTO notes (id) VALUES (NULL), ('` + ada + `')`, []string{ada}},
		{"text", "text", `CREATE TABLE notes (id text, title text);
			INSERT INTO notes (id) VALUES (NULL), (''), (' '), ('b'), ('a'), (repeat('ä', 255)), (repeat('x', 256))`,
			[]string{long, "b", "a", " "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, test.table, strings.Replace(oneType("note", "title: {kind: text}"), "bigint", test.kind, 1))
			reader := b.Content[0].Reader
			page, err := reader.Items(t.Context(), reader.List().First(len(test.listed)), "", domain.HiddenAccess{})
			require.NoError(t, err)
			require.False(t, page.PageInfo.HasNextPage)
			var listed []string
			for _, item := range page.Edges {
				listed = append(listed, item.ID)
				id, ok := b.target("shop.note").ParseID(item.ID)
				require.True(t, ok)
				require.NotNil(t, b.capture("shop.note", id, ""))
			}
			require.ElementsMatch(t, test.listed, listed)
		})
	}
}

// A page ends before it exceeds a megabyte, and its cursors lead to the rest, both ways.
func TestAPageEndsAtAMegabyte(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE notes (id bigint PRIMARY KEY, title text, body text);
		INSERT INTO notes SELECT i, 'note ' || i, repeat('x', 300000) FROM generate_series(1, 60) i;
		INSERT INTO notes VALUES (61, 'long', repeat('x', 2000000)), (62, 'short', 'x')`,
		oneType("note", "title: {kind: text}", "body: {kind: textarea}"))
	reader := b.Content[0].Reader
	for _, way := range []struct{ size, cursor string }{{"first", "end"}, {"last", "start"}} {
		seen := map[string]bool{}
		query := url.Values{way.size: {"100"}}
		pages := 0
		for more := true; more; pages++ {
			request, err := reader.List().Parse(query)
			require.NoError(t, err)
			page, err := reader.Items(t.Context(), request, "", domain.HiddenAccess{})
			require.NoError(t, err)
			size := 0
			for _, item := range page.Edges {
				require.False(t, seen[item.ID], item.ID)
				seen[item.ID] = true
				for _, f := range item.Fields {
					size += len(f.Value)
				}
			}
			if len(page.Edges) > 1 {
				require.LessOrEqual(t, size, 1<<20)
			}
			more = page.PageInfo.HasNextPage
			cursor := page.PageInfo.EndCursor
			if way.cursor == "start" {
				more, cursor = page.PageInfo.HasPreviousPage, page.PageInfo.StartCursor
			}
			if more {
				query.Set("cursor", *cursor)
			}
		}
		require.Len(t, seen, 62, way.size)
		require.Equal(t, 7, pages, "%s: ten of 100,000 characters, at which a text is cut, to a page", way.size)
	}
}
