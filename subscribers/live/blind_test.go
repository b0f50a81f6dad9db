package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

// A feed tells nobody of the reports of what they decide again.
func TestAFeedLeavesOutWhatItsReceiverIsBlindFor(t *testing.T) {
	t.Parallel()
	about := subject{plugin: "forum", module: "posts", kind: "forum.post", target: "1"}
	all := permission.Coverage{All: true}
	require.True(t, about.coveredBy(all))
	all.Blind = &permission.Blind{PluginID: "forum", TargetType: "forum.post", TargetID: "1"}
	require.False(t, about.coveredBy(all))
	about.target = "2"
	require.True(t, about.coveredBy(all))
}
