package forum_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/forum"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (b *bundle) accounts(t *testing.T) *account.Store {
	t.Helper()
	return account.New(b.pool, account.Config{Now: func() time.Time { return now }})
}

func TestSeedIsRepeatable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var authors []string
	for i := range 9 {
		authors = append(authors, b.member(t, string(rune('A'+i))))
	}
	count := func() (n, hidden int) {
		require.NoError(t, b.pool.QueryRow(t.Context(), "SELECT count(*), count(hidden_at) FROM forum_posts").Scan(&n, &hidden))
		return n, hidden
	}

	require.NoError(t, forum.Seed(t.Context(), b.pool, authors, now))
	n, _ := count()
	require.Greater(t, n, 50)
	pgtest.Exec(t, b.pool, "UPDATE forum_posts SET hidden_at = now() WHERE id = (SELECT min(id) FROM forum_posts)")

	require.NoError(t, forum.Seed(t.Context(), b.pool, authors, now.Add(time.Hour)))
	again, hidden := count()
	require.Equal(t, n, again)
	require.Equal(t, 1, hidden, "what moderators did stays")

	for _, c := range b.Content {
		page, err := c.Reader.Items(t.Context(), c.Reader.List().First(100), "en", content.HiddenAccess{})
		require.NoError(t, err)
		require.NotEmpty(t, page.Edges)
	}
	require.Error(t, forum.Seed(t.Context(), b.pool, nil, now))
}

func TestImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.csv", "\ufeffCOMMENT_ID,AUTHOR,DATE,CONTENT,CLASS\r\n"+
		"c1,Ada,2013-11-07T06:20:48,\"Huh, check out <a href=\"\"https://example.org\"\">this</a><br />now\ufeff\",1\r\n"+
		"c2,\u202bFun &amp; Hacks\u202c,,It&#39;s &lt;3 👩‍👩‍👧,0\r\n"+
		"c2,\u202bFun &amp; Hacks\u202c,,It&#39;s &lt;3 👩‍👩‍👧,0\r\n"+
		"c3,Ada,yesterday,text,0\r\n"+
		"c4,Ada,,text,2\r\n"+
		",Ada,,text,1\r\n"+
		"c5,Ada,,\ufeff,1\r\n"+
		"c6,Ada\r\n")
	write("b.csv", "COMMENT_ID,AUTHOR,DATE,CONTENT,CLASS\n"+
		"c1,Ada,2013-11-07T06:20:48,again in another file,1\n"+
		"c7,Bo,2015-05-29T02:26:10.652000,\"two\nlines, bad \xff and \x00\",0\n")
	var steps []int

	got, err := forum.Import(t.Context(), b.pool, b.accounts(t), dir, now, func(done, total int) {
		require.Equal(t, 2, total)
		steps = append(steps, done)
	})

	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, steps)
	require.Equal(t, []string{
		"a.csv:5: the date has an unknown format",
		"a.csv:6: the class is neither 0 nor 1",
		"a.csv:7: the row has no valid comment id",
		"a.csv:8: the comment is empty",
		"a.csv:9: the row has 2 columns, not 5",
	}, got.Faulty)
	require.Equal(t, []any{2, 10, 3, 3, 2, 1}, []any{got.Files, got.Rows, got.Added, got.Authors, got.Duplicates, got.Undated})
	require.Equal(t, 2, got.Repaired)
	require.Len(t, got.Comments, 3)
	require.Equal(t, []string{"c1", "c2", "c7"}, []string{got.Comments[0].CommentID, got.Comments[1].CommentID, got.Comments[2].CommentID})
	require.True(t, got.Comments[0].Spam)
	require.False(t, got.Comments[1].Spam)

	captured, err := b.Targets.Find("forum", "forum.post").Capture(t.Context(), target.CaptureRequest{TargetID: got.Comments[1].PostID, Locale: "en"})
	require.NoError(t, err)
	require.Equal(t, "Fun & Hacks", captured.Authors[0].Name)
	require.Equal(t, "It's <3 👩‍👩‍👧", snapshot.Build(*captured, snapshot.BuildInput{MaxExcerpt: 200}).Excerpt)
	require.Nil(t, captured.Source.PublishedAt)

	again, err := forum.Import(t.Context(), b.pool, b.accounts(t), dir, now, nil)
	require.NoError(t, err)
	require.Zero(t, again.Added)
	require.Equal(t, got.Comments, again.Comments)
}

func TestImportOfNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dir := t.TempDir()
	_, err := forum.Import(t.Context(), b.pool, b.accounts(t), dir, now, nil)
	require.ErrorContains(t, err, "there are no CSV files")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.csv"), []byte("a,b\n1,2\n"), 0o600))
	_, err = forum.Import(t.Context(), b.pool, b.accounts(t), dir, now, nil)
	require.ErrorContains(t, err, "x.csv: the header is not COMMENT_ID")
}
