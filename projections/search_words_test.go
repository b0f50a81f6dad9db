package projections_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// found is how many reports a search finds.
func (h *history) found(t *testing.T, search string) int {
	t.Helper()
	page, err := projections.NewReports(h.Pool).List(t.Context(), permission.Coverage{All: true}, projections.Filter{Search: search}, parse(t, "first=25"))
	require.NoError(t, err)
	return len(page.Edges)
}

// fileOrchids files a report by `Ann Orchid` of a post by Mallory.
func (h *history) fileOrchids(t *testing.T) (id string) {
	t.Helper()
	description := "seen twice"
	s, err := h.Store.File(t.Context(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: "77", PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Abusive, ReporterID: h.Users[0],
		Words: report.CreatedWords{Description: &description, ReporterName: "Ann Orchid", Title: "Flowers",
			Snapshot: []byte(`{"version":1,"title":"Flowers","fields":[{"kind":"text","value":"Buy followers, orchid lovers"}],"authors":[{"id":"9","name":"Mallory"}]}`)},
	}})
	require.NoError(t, err)
	return s.ID
}

func TestSearchFindsWhatWasReportedAndWhoWroteIt(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.File(t, 1, "1")
	id := h.fileOrchids(t)
	for _, search := range []string{"flowers", "twice", "followers", "buy lov", "Mallory", "ann", "77"} {
		require.Equal(t, 1, h.found(t, search), search)
	}
	for _, search := range []string{"~ann", "+2", "=77 x"} {
		require.LessOrEqual(t, h.found(t, search), 1, "%s is no lexeme of every row", search)
	}

	// Another account that is deleted changes nothing.
	h.Do(t, id, 1, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[1]), nil })
	require.Equal(t, 1, h.found(t, "ann"))

	// A deleted reporter's name goes, but for what the content holds too.
	h.Do(t, id, 0, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[0]), nil })
	require.Zero(t, h.found(t, "ann"))
	for _, search := range []string{"orchid", "followers", "Mallory", "77"} {
		require.Equal(t, 1, h.found(t, search), search)
	}
	h.requireSound(t)
}

// Given rows as servers of the release before write them, then the job adds the words of their
// snapshots, and an account that is deleted before leaves no name.
func TestMendAddsTheWordsOfSnapshots(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	kept, deleted := h.fileOrchids(t), h.Worked(t, 1, "2")
	h.SQL(t, `UPDATE core_moderation_reports SET search = array_to_tsvector(ARRAY['flowers', 'ann', 'orchid', '=77']) WHERE id = $1`, kept)
	h.SQL(t, `UPDATE core_moderation_reports SET search = array_to_tsvector(ARRAY['a', 'title', 'user', 'why', '2', '=2']) WHERE id = $1`, deleted)
	h.Do(t, deleted, 1, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(h.Users[1]), nil })
	require.Zero(t, h.found(t, "user"))
	require.Zero(t, h.found(t, "followers"))

	require.NoError(t, projections.Mend(t.Context(), h.Pool))
	require.Equal(t, 1, h.found(t, "followers"))
	require.Zero(t, h.found(t, "user"))
	h.requireSound(t)
}

func (h *history) requireSound(t *testing.T) {
	t.Helper()
	_, err := projections.Inline{}.Verify(t.Context(), h.Pool, projector.Options{Workers: 1, Found: func(difference string) { t.Error(difference) }})
	require.NoError(t, err)
}
