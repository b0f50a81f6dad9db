package projections_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// A target that is lost comes back in a scope that it had, and lists and counts
// agree on which, also where its reports were filed in several.
func TestRebuildBringsLostTargetsBack(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]string{
		"alone":            `TRUNCATE core_moderation_targets`,
		"with the reports": `TRUNCATE core_moderation_targets, core_moderation_reports`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := logtest.New(t)
			h.File(t, 0, "1", logtest.In("general"))
			h.File(t, 1, "1", logtest.In("support"))
			h.File(t, 2, "1", logtest.In("support"))
			h.SQL(t, lost)

			o := projector.Options{Workers: 1}
			for _, wrong := range []int64{3, 0} {
				verified, err := projections.Inline{}.Verify(t.Context(), h.Pool, o)
				require.NoError(t, err)
				require.Equal(t, wrong, verified.Wrong)
				_, err = projections.Inline{}.Rebuild(t.Context(), h.Pool, o)
				require.NoError(t, err)
			}

			all := 0
			for _, category := range []string{"general", "support"} {
				c := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: []string{category}}}}
				counts, err := projections.NewReports(h.Pool).Counts(t.Context(), c, projections.Filter{}, h.Users[0])
				require.NoError(t, err)
				page, err := projections.NewReports(h.Pool).List(t.Context(), c, projections.Filter{}, parse(t, ""))
				require.NoError(t, err)
				require.Len(t, page.Edges, counts.New, category)
				all += counts.New
			}
			require.Equal(t, 3, all)
		})
	}
}
