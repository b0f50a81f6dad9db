package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/rules"
)

// Given much that happened long ago, when the newest filings are read, then what is known of each is what the
// whole log says, though no rule was ever followed; and where too much would have to be read, that is said.
func TestWhatIsKnownOfTheNewestFilings(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	seal := func() int64 {
		b.Seal(t)
		end, err := eventstore.LastPosition(t.Context(), b.Pool)
		require.NoError(t, err)
		return end
	}
	byReporter := b.File(t, 1, "reporter")
	b.Resolve(t, byReporter, 0, report.ActionTaken)
	b.Resolve(t, b.File(t, 2, "author", logtest.By("joe")), 0, report.ActionTaken)
	b.File(t, 3, "target")
	reopened := b.File(t, 2, "reopened", logtest.By("ann"))
	b.Resolve(t, reopened, 0, report.ActionTaken)
	erased := b.File(t, 2, "erased", logtest.By("bob"))
	b.Resolve(t, erased, 0, report.ActionTaken)
	after := seal()
	ids := []string{b.File(t, 1, "new"), b.File(t, 0, "other", logtest.By("joe")), b.File(t, 0, "target"), b.File(t, 0, "another", logtest.By("ann")), b.File(t, 0, "last", logtest.By("bob"))}
	b.Seal(t) // which gives the order
	b.Reopen(t, reopened, 0)
	_, err := b.Store.Erase(t.Context(), erased, nil, report.EveryWord)
	require.NoError(t, err)
	for _, id := range []string{byReporter, ids[0]} { // whose account is deleted
		b.Do(t, id, 0, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(b.Users[1]), nil })
	}
	end := seal()

	recent, whole, err := rules.Newest(t.Context(), b.Pool, 20, 10, after, end)
	require.NoError(t, err)
	require.True(t, whole)
	facts := recent.Facts()
	require.Len(t, facts, len(ids))
	require.Equal(t, []int{1, 1, 2, 1, 1},
		[]int{facts[ids[0]].ReporterUpheld, facts[ids[1]].AuthorUpheld, facts[ids[2]].Reporters, facts[ids[3]].AuthorUpheld, facts[ids[4]].AuthorUpheld})

	recent, whole, err = rules.Newest(t.Context(), b.Pool, 20, 1, after, end)
	require.NoError(t, err)
	require.False(t, whole)
	require.Equal(t, []int{0, 1}, []int{recent.Facts()[ids[0]].ReporterUpheld, recent.Facts()[ids[2]].Reporters}, "only what is after the position")

	t.Log("what a rule has made the server follow is known in any case")
	b.rule(t, "any", `true`, "shadow")
	b.Follow(t, rules.New(nil))
	recent, whole, err = rules.Newest(t.Context(), b.Pool, 20, 1, after, end)
	require.NoError(t, err)
	require.True(t, whole)
	require.Equal(t, facts, recent.Facts())
}
