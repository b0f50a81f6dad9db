package richtext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/richtext"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"shorter", "abc", 4, "abc"},
		{"as long", "äöü", 3, "äöü"},
		{"longer", "äöü", 2, "äö"},
		{"to nothing", "abc", 0, ""},
		{"below nothing", "abc", -1, ""},
		{"an accent", "abe\u0301", 3, "ab"},
		{"an accent that fits", "abe\u0301x", 4, "abe\u0301"},
		{"a line break of two characters", "a\r\nb", 2, "a"},
		{"a family", "a👩\u200d👩\u200d👧b", 4, "a"},
		{"a skin tone", "👍🏽👍🏽", 3, "👍🏽"},
		{"flags", "🇩🇪🇫🇷", 3, "🇩🇪"},
		{"Hangul letters", "\u1112\u1161\u11ab\u1112", 2, ""},
		{"a character beyond all measure", "a" + strings.Repeat("\u0301", 5000), 3000, "a" + strings.Repeat("\u0301", 2999)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, cut := richtext.Cut(test.in, test.limit)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want != test.in, cut)
		})
	}
}

// Whatever is cut is as long as whole characters allow.
func TestCutIsMaximal(t *testing.T) {
	t.Parallel()
	letters := rapid.SampledFrom([]string{"a", " ", "\r", "\n", "ä", "e\u0301", "\u0301", "漢", "👩\u200d👧", "\u200d", "👍🏽", "🇩", "🇪", "\u0915\u094d", "\u1112", "\u1161"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(letters, 0, 60).Draw(t, "text"), "")
		limit := rapid.IntRange(0, 80).Draw(t, "limit")
		want := ""
		for rest, state := s, -1; rest != ""; {
			var cluster string
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if utf8.RuneCountInString(want)+utf8.RuneCountInString(cluster) > limit {
				break
			}
			want += cluster
		}
		got, cut := richtext.Cut(s, limit)
		require.Equal(t, want, got)
		require.Equal(t, got != s, cut)
	})
}

func TestClean(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\uFFFDb\uFFFDc\n", richtext.Clean("a\x00b\xff\xfec\n"))
}
