package content_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/content"
)

// Whatever a client sends, an id that is taken is its own canonical form.
func TestParsedIDsAreCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]content.KeyKind{content.KeyBigint, content.KeyUUID, content.KeyText, "other"}).Draw(t, "kind")
		given := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[+-]?0{0,2}[0-9]{0,20}`),
			rapid.StringMatching(`\{?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?`),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		).Draw(t, "given")

		id, ok := kind.Parse(given)

		if !ok {
			return
		}
		again, ok := kind.Parse(id)
		require.True(t, ok)
		require.Equal(t, id, again)
		require.True(t, utf8.ValidString(id))
		require.NotContains(t, id, "\x00")
		switch kind {
		case content.KeyBigint:
			n, err := strconv.ParseInt(id, 10, 64)
			require.NoError(t, err)
			require.Positive(t, n)
			require.Equal(t, given, id)
		case content.KeyUUID:
			require.Equal(t, uuid.MustParse(id).String(), id)
			require.Equal(t, strings.ToLower(given), id)
		case content.KeyText:
			require.Equal(t, given, id)
			require.LessOrEqual(t, utf8.RuneCountInString(id), content.MaxTextID)
		default:
			require.Fail(t, "an unknown kind takes nothing")
		}
	})
}

func TestLongestTextID(t *testing.T) {
	t.Parallel()
	_, ok := content.KeyText.Parse(strings.Repeat("🦊", content.MaxTextID))
	require.True(t, ok)
	_, ok = content.KeyText.Parse(strings.Repeat("a", content.MaxTextID+1))
	require.False(t, ok)
}
