package measure_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
)

var now = time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC)

func in(d time.Duration) *time.Time { t := now.Add(d); return &t }
func days(n int) *int               { return &n }

func TestCheckReturnsEveryFaultOfTheRequests(t *testing.T) {
	t.Parallel()
	fine := []measure.Request{
		{AuthorID: "a", Kind: measure.Warn}, {AuthorID: "a", Kind: measure.Suspend, Until: in(measure.MaxDuration)},
		{AuthorID: "b", Kind: measure.Restrict, Until: in(time.Microsecond)}, {AuthorID: "b", Kind: measure.Suspend}, {AuthorID: "b", Kind: measure.Terminate}}
	require.Empty(t, measure.Check("measures", fine, now))

	faulty := []measure.Request{
		{Kind: "ban"}, {AuthorID: "a", Kind: measure.Warn, Until: in(time.Hour)}, {AuthorID: "a", Kind: measure.Terminate, Until: in(time.Hour)},
		{AuthorID: "a", Kind: measure.Suspend, Until: in(0)}, {AuthorID: "a", Kind: measure.Suspend, Until: in(measure.MaxDuration + time.Microsecond)}}
	require.Equal(t, []string{"measures[0].authorId required", "measures[0].kind unknown_value", "measures[1].until not_allowed",
		"measures[2].until not_allowed", "measures[3].until in_the_past", "measures[4].kind duplicate", "measures[4].until too_late"},
		told(measure.Check("measures", faulty, now)))

	many := make([]measure.Request, 11)
	for i := range many {
		many[i] = measure.Request{AuthorID: string(rune('a' + i)), Kind: measure.Warn}
	}
	require.Empty(t, measure.Check("m", many[:10], now))
	require.Equal(t, []string{"m too_many"}, told(measure.Check("m", many, now)))
}

func TestALadderTellsEveryFault(t *testing.T) {
	t.Parallel()
	require.Empty(t, measure.Ladder{}.Check())
	require.Empty(t, measure.Ladder{{1, measure.Warn, nil}, {2, measure.Suspend, days(1)}, {3, measure.Suspend, days(3650)}, {1000, measure.Terminate, nil}}.Check())
	require.Equal(t, []string{"steps[0].strikes out_of_range", "steps[0].days not_allowed", "steps[1].kind unknown_value", "steps[1].days out_of_range",
		"steps[2].days out_of_range", "steps[3].strikes not_ascending", "steps[4].strikes out_of_range"},
		told(measure.Ladder{{0, measure.Warn, days(1)}, {2, "ban", days(0)}, {3, measure.Restrict, days(3651)}, {3, measure.Suspend, nil}, {1001, measure.Terminate, nil}}.Check()))
	long := make(measure.Ladder, 11)
	for i := range long {
		long[i] = measure.Step{Strikes: i + 1, Kind: measure.Warn}
	}
	require.Empty(t, long[:10].Check())
	require.Equal(t, []string{"steps too_many"}, told(long.Check()))
}

func TestTheLadderProposesTheHighestStepThatIsReached(t *testing.T) {
	t.Parallel()
	ladder := measure.Ladder{{1, measure.Warn, nil}, {3, measure.Suspend, days(7)}, {6, measure.Terminate, nil}}
	require.Nil(t, ladder.Propose(0))
	require.Nil(t, measure.Ladder(nil).Propose(5))
	require.Equal(t, measure.Warn, ladder.Propose(2).Kind)
	require.Equal(t, in(7*measure.Day), ladder.Propose(5).Until(now))
	require.Nil(t, ladder.Propose(7).Until(now))

	week := ladder.Propose(3)
	for name, c := range map[string]struct {
		request  measure.Request
		proposed bool
	}{
		"now":               {measure.Request{Kind: measure.Suspend, Until: in(7 * measure.Day)}, true},
		"read a while ago":  {measure.Request{Kind: measure.Suspend, Until: in(7*measure.Day - 59*time.Minute)}, true},
		"read too long ago": {measure.Request{Kind: measure.Suspend, Until: in(7*measure.Day - time.Hour)}, false},
		"longer":            {measure.Request{Kind: measure.Suspend, Until: in(7*measure.Day + time.Microsecond)}, false},
		"without an end":    {measure.Request{Kind: measure.Suspend}, false},
		"of another kind":   {measure.Request{Kind: measure.Restrict, Until: in(7 * measure.Day)}, false},
	} {
		require.Equal(t, c.proposed, week.Proposed(c.request, now), name)
	}
	require.True(t, ladder.Propose(6).Proposed(measure.Request{Kind: measure.Terminate}, now))
}

func TestTheLatestEndOfWhatStands(t *testing.T) {
	t.Parallel()
	standing := []measure.Standing{{measure.Restrict, in(time.Hour)}, {measure.Suspend, in(time.Minute)}, {measure.Restrict, in(2 * time.Hour)}, {measure.Terminate, nil}}
	until, unending := measure.Latest(standing, measure.Restrict)
	require.Equal(t, in(2*time.Hour), until)
	require.False(t, unending)
	_, unending = measure.Latest(standing, measure.Terminate)
	require.True(t, unending)
	until, unending = measure.Latest(standing, measure.Warn)
	require.Nil(t, until)
	require.False(t, unending)
}

func TestTimeAloneDoesNotLowerTheStrikesBehindAMeasure(t *testing.T) {
	t.Parallel()
	later := now.Add(400 * measure.Day)
	decisions := []measure.Decision{{ID: "a", DecidedAt: now, Strikes: 1, Days: 365}, {ID: "b", DecidedAt: now.Add(time.Hour), Strikes: 1, Days: 365}}
	require.Zero(t, measure.StrikesAt(decisions, later))
	require.Equal(t, 2, measure.StrikesBehind(decisions, now.Add(time.Hour), later))
	decisions[0].EndedAt = in(2 * time.Hour)
	require.Equal(t, 1, measure.StrikesBehind(decisions, now.Add(time.Hour), later), "an overturned one does")
	require.Equal(t, 2, measure.StrikesAt(decisions, now.Add(time.Hour)), "it counted while it stood")
}

// Whatever decisions there are: the strikes at a moment are the naive sum over those that stand.
func TestStrikesAreTheSumOverStandingDecisions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "decisions")
		var all []measure.Decision
		for i := range n {
			d := measure.Decision{ID: string(rune('a' + i)), DecidedAt: now.Add(time.Duration(rapid.IntRange(0, 50).Draw(t, "day")) * measure.Day),
				Strikes: rapid.IntRange(0, 10).Draw(t, "strikes"), Days: rapid.IntRange(1, 30).Draw(t, "days")}
			for range rapid.IntRange(1, 3).Draw(t, "reports") { // of one decision
				d.EndedAt = nil
				if rapid.Bool().Draw(t, "ended") {
					ended := d.DecidedAt.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "after")) * measure.Day)
					d.EndedAt = &ended
				}
				all = append(all, d)
			}
		}
		at := now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "at")) * measure.Day)
		naive := map[string]int{}
		for _, d := range all {
			age := int(at.Sub(d.DecidedAt) / measure.Day)
			if age >= 0 && age < d.Days && (d.EndedAt == nil || at.Before(*d.EndedAt)) {
				naive[d.ID] = d.Strikes
			}
		}
		want := 0
		for _, strikes := range naive {
			want += strikes
		}
		require.Equal(t, want, measure.StrikesAt(all, at))
	})
}

func told(issues []domain.Issue) (all []string) {
	for _, i := range issues {
		all = append(all, i.Path+" "+i.Code)
	}
	return all
}
