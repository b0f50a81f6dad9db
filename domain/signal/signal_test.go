package signal_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/signal"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

func TestCheckNamesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	longest := "a" + strings.Repeat("z", 63)
	require.Empty(t, signal.Check([]signal.Signal{{longest, 0}, {"links.un-known_2", 1}, {"x", 0.5}}))
	many := make([]signal.Signal, signal.MaxSignals)
	for i := range many {
		many[i].Name = fmt.Sprintf("s%d", i)
	}
	require.Empty(t, signal.Check(many))

	found := map[string]string{}
	for _, issue := range signal.Check([]signal.Signal{
		{longest + "z", 0}, {"Upper", 2}, {"twice", 0}, {"twice", math.NaN()}, {"", -0.1}, {"9", math.Inf(1)}, {"a\n", 0}, {"ä", 0},
	}) {
		found[issue.Path] = issue.Code
	}
	require.Equal(t, map[string]string{
		"[0].name": "invalid", "[1].name": "invalid", "[1].score": "out_of_range", "[3].name": "duplicate", "[3].score": "out_of_range",
		"[4].name": "invalid", "[4].score": "out_of_range", "[5].name": "invalid", "[5].score": "out_of_range", "[6].name": "invalid", "[7].name": "invalid",
	}, found)
	require.Equal(t, "too_many", signal.Check(append(many, signal.Signal{Name: "more"}))[0].Code)

	require.Equal(t, []signal.Signal{{"a", 1}, {"b", 0}}, signal.Valid([]signal.Signal{{"a", 1}, {"A", 1}, {"a", 0}, {"c", 7}, {"b", 0}}))
	require.Len(t, signal.Valid(append(many, signal.Signal{Name: "more"})), signal.MaxSignals)
}

func TestTheNewestOfEachSourceAndNameCounts(t *testing.T) {
	t.Parallel()
	known := []signal.Scored{{"links", "spam", 0.2, at(5)}, {"shop", "spam", 0.5, at(5)}}
	require.Equal(t, []signal.Scored{{"links", "spam", 0.2, at(5)}, {"shop", "nude", 1, at(1)}, {"shop", "spam", 0.9, at(6)}},
		signal.Merge(known, signal.Scored{"shop", "spam", 0.1, at(4)}, signal.Scored{"shop", "spam", 0.9, at(6)}, signal.Scored{"shop", "nude", 1, at(1)}))
	require.Equal(t, signal.Scored{"shop", "spam", 0.7, at(5)}, signal.Merge(known, signal.Scored{"shop", "spam", 0.7, at(5)})[1], "of the same moment the later argument")
	require.Equal(t, signal.Scored{"shop", "spam", 0.5, at(5)}, known[1], "what it was given stays as it was")
	require.Empty(t, signal.Merge(nil))

	var all []signal.Scored
	for i := range 2 * signal.MaxSignals {
		all = signal.Merge(all, signal.Scored{"shop", fmt.Sprintf("s%02d", i), 0, at(i)}, signal.Scored{"links", "spam", 0, at(0)})
	}
	require.Len(t, all, signal.MaxSignals+1, "of one source, the latest")
	require.Equal(t, "links", all[0].Source)
	require.Equal(t, fmt.Sprintf("s%02d", signal.MaxSignals), all[1].Name)
}

func TestARepeatedScoreIsNoNews(t *testing.T) {
	t.Parallel()
	known := []signal.Scored{{"shop", "spam", 0.5, at(5)}}
	for name, c := range map[string]struct{ come, want []signal.Scored }{
		"another score":         {[]signal.Scored{{"shop", "spam", 0.6, at(6)}}, []signal.Scored{{"shop", "spam", 0.6, at(6)}}},
		"another source":        {[]signal.Scored{{"links", "spam", 0.5, at(1)}}, []signal.Scored{{"links", "spam", 0.5, at(1)}}},
		"the same score again":  {[]signal.Scored{{"shop", "spam", 0.5, at(6)}}, nil},
		"an older, other score": {[]signal.Scored{{"shop", "spam", 0.6, at(4)}}, nil},
		"nothing":               {nil, nil},
		"one of them is":        {[]signal.Scored{{"shop", "spam", 0.5, at(6)}, {"shop", "nude", 0, at(6)}}, []signal.Scored{{"shop", "nude", 0, at(6)}}},
	} {
		require.Equal(t, c.want, signal.News(known, c.come), name)
	}
}

// Whatever comes in whichever pieces, what is merged once is no news.
func TestNewsAreNoNewsTwice(t *testing.T) {
	t.Parallel()
	one := rapid.Custom(func(t *rapid.T) signal.Scored {
		return signal.Scored{Source: rapid.SampledFrom([]string{"shop", "links"}).Draw(t, "source"), Name: fmt.Sprintf("s%d", rapid.IntRange(0, 30).Draw(t, "name")),
			Score: float64(rapid.IntRange(0, 2).Draw(t, "score")) / 2, At: at(rapid.IntRange(0, 50).Draw(t, "at"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		known := signal.Merge(nil, rapid.SliceOf(one).Draw(t, "known")...)
		come := signal.Merge(nil, rapid.SliceOf(one).Draw(t, "come")...)
		after := signal.Merge(known, signal.News(known, come)...)
		require.Empty(t, signal.News(after, come))
		require.Equal(t, after, signal.Merge(after, after...))
		joined := []signal.Scored{}
		for _, part := range signal.BySource(after) {
			joined = append(joined, part...)
			for _, s := range part {
				require.Equal(t, part[0].Source, s.Source)
			}
		}
		require.ElementsMatch(t, after, joined)
		require.LessOrEqual(t, len(signal.BySource(after)), 2)
	})
}
