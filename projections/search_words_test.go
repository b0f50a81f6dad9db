package projections_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections"
)

// found is how many reports a search finds.
func found(t *testing.T, h *logtest.Database, search string) int {
	t.Helper()
	page, err := projections.NewReports(h.Pool).List(t.Context(), permission.Coverage{All: true}, projections.Filter{Search: search}, parse(t, "first=25"))
	require.NoError(t, err)
	return len(page.Edges)
}

// fileOrchids files a report by `Ann Orchid` of a post by Mallory.
func fileOrchids(t *testing.T, h *logtest.Database) (id string) {
	t.Helper()
	return h.File(t, 0, "77", func(f *moderation.Filing) {
		f.Created.Words = report.CreatedWords{Description: new("seen twice"), ReporterName: "Ann Orchid", Title: "Flowers",
			Snapshot: []byte(`{"version":1,"title":"Flowers","fields":[{"kind":"text","value":"Buy followers, orchid lovers"}],"authors":[{"id":"9","name":"Mallory"}]}`)}
	})
}

func TestSearchFindsWhatWasReportedAndWhoWroteIt(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.File(t, 1, "1")
	id := fileOrchids(t, h)
	for _, search := range []string{"flowers", "twice", "followers", "buy lov", "Mallory", "ann", "77"} {
		require.Equal(t, 1, found(t, h, search), search)
	}
	for _, search := range []string{"~ann", "+2", "=77 x"} {
		require.LessOrEqual(t, found(t, h, search), 1, "%s is no lexeme of every row", search)
	}

	// Another account that is deleted changes nothing.
	h.Do(t, id, 1, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[1]), nil })
	require.Equal(t, 1, found(t, h, "ann"))

	// A deleted reporter's name goes, but for what the content holds too.
	h.Do(t, id, 0, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[0]), nil })
	require.Zero(t, found(t, h, "ann"))
	for _, search := range []string{"orchid", "followers", "Mallory", "77"} {
		require.Equal(t, 1, found(t, h, search), search)
	}
	requireSound(t, h)
}

// However short its words are, a text is searched to its end.
func TestSearchFindsTheLastWordOfALongText(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	short := strings.Repeat("é ", snapshot.MaxText/2-4)
	h.File(t, 0, "77", func(f *moderation.Filing) {
		f.Created.Words = report.CreatedWords{Description: new("tail"), ReporterName: "Ann", Title: short + "head",
			Snapshot: fmt.Appendf(nil, `{"version":1,"fields":[{"kind":"text","value":%q}],"authors":[{"id":"9","name":"Mallory"}]}`, short+"orchid")}
	})
	for _, search := range []string{"head", "tail", "orchid"} {
		require.Equal(t, 1, found(t, h, search), search)
	}
}

// Given rows as servers of the release before write them, then the job adds the words of their
// snapshots, and an account that is deleted before leaves no name.
func TestMendAddsTheWordsOfSnapshots(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	kept, deleted := fileOrchids(t, h), h.Worked(t, 1, "2")
	h.SQL(t, `UPDATE core_moderation_reports SET search = array_to_tsvector(ARRAY['flowers', 'ann', 'orchid', '=77']) WHERE id = $1`, kept)
	h.SQL(t, `UPDATE core_moderation_reports SET search = array_to_tsvector(ARRAY['a', 'title', 'user', 'why', '2', '=2']) WHERE id = $1`, deleted)
	h.Do(t, deleted, 1, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[1]), nil })
	require.Zero(t, found(t, h, "user"))
	require.Zero(t, found(t, h, "followers"))

	require.NoError(t, projections.Mend(t.Context(), h.Pool))
	require.Equal(t, 1, found(t, h, "followers"))
	require.Zero(t, found(t, h, "user"))
	requireSound(t, h)
}

func requireSound(t *testing.T, h *logtest.Database) {
	t.Helper()
	require.Empty(t, h.Wrong(t, projections.Inline{}))
}
