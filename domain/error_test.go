package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestAFieldHasAnIssueOfItsOwnOrOfWhatHoldsIt(t *testing.T) {
	t.Parallel()
	issues := []domain.Issue{{Path: "scope"}, {Path: "reports[1]"}}
	for path, want := range map[string]bool{"scope": true, "scope.ids[0]": true, "scope[0]": true, "scopes": false, "reports": false, "reports[1].id": true, "reports[10].id": false, "": false} {
		require.Equal(t, want, domain.HasIssue(issues, path), path)
	}
	require.True(t, domain.HasIssue([]domain.Issue{{}}, "scope"), "the whole is wrong")
	require.Equal(t, "scope: Must be given.", domain.Issue{Path: "scope", Message: "Must be given."}.String())
	require.Equal(t, "Must be given.", domain.Issue{Message: "Must be given."}.String())
}
