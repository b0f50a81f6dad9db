package http

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

// docs/errors.md has every code once, with its status, and no other.
func TestThePageOfErrors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/errors.md")
	require.NoError(t, err)
	told := map[domain.Code]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\d+) \\| .+ \\|$").FindAllStringSubmatch(string(page), -1) {
		require.NotContains(t, told, domain.Code(row[1]))
		told[domain.Code(row[1])], _ = strconv.Atoi(row[2])
	}
	require.Equal(t, statuses, told)
}
