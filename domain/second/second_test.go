package second_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func decided(by string, r report.Resolution, p *policy.Ref) report.Event {
	return report.Event{ID: "0198f5a0-0000-7000-8000-000000000001", ReportID: "r", ActorID: &by, OccurredAt: at, Fact: &report.Resolved{Resolution: r, Policy: p}}
}

func verdict(by string, r report.Resolution, p *policy.Ref) second.Verdict {
	return second.Verdict{By: &by, Resolution: r, Policy: p, At: at}
}

// after applies the facts of somebody.
func after(s second.Second, by string, facts []report.Fact) second.Second {
	for _, f := range facts {
		s = s.Evolve(report.Event{ReportID: s.ReportID, ActorID: &by, OccurredAt: at.Add(time.Hour), Fact: f})
	}
	return s
}

func TestASecondOpinionAgreesOrIsSettledByAThird(t *testing.T) {
	t.Parallel()
	spam, hate, later := &policy.Ref{Key: "spam", Version: 1}, &policy.Ref{Key: "hate", Version: 1}, &policy.Ref{Key: "spam", Version: 2}
	for name, c := range map[string]struct {
		first, second second.Verdict
		status        second.Status
	}{
		"the same outcome":                {verdict("ann", report.NoViolation, nil), verdict("bob", report.NoViolation, nil), second.Agreed},
		"another outcome":                 {verdict("ann", report.NoViolation, nil), verdict("bob", report.Duplicate, nil), second.Disputed},
		"the same rule":                   {verdict("ann", report.ActionTaken, spam), verdict("bob", report.ActionTaken, later), second.Agreed},
		"another rule":                    {verdict("ann", report.ActionTaken, spam), verdict("bob", report.ActionTaken, hate), second.Disputed},
		"one of them names no rule":       {verdict("ann", report.ActionTaken, spam), verdict("bob", report.ActionTaken, nil), second.Agreed},
		"the same rule, another outcome":  {verdict("ann", report.ActionTaken, spam), verdict("bob", report.NoViolation, spam), second.Disputed},
		"the other of them names no rule": {verdict("ann", report.ActionTaken, nil), verdict("bob", report.ActionTaken, hate), second.Agreed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := second.Of(decided("ann", c.first.Resolution, c.first.Policy))
			require.Equal(t, second.Waiting, s.Status())
			require.Nil(t, s.Answer())
			_, err := s.Settle("cat", true, "why")
			require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "nothing is disputed yet")
			_, err = s.Decide(c.first)
			require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(err))

			facts, err := s.Decide(c.second)
			require.NoError(t, err)
			require.Len(t, facts, 1)
			s = after(s, "bob", facts)
			require.Equal(t, c.status, s.Status())
			_, err = s.Decide(verdict("cat", report.NoViolation, nil))
			require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "once")
			if c.status == second.Agreed {
				require.Equal(t, &s.First, s.Answer())
				_, err = s.Settle("cat", true, "why")
				require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
				return
			}
			require.Nil(t, s.Answer())
			for _, one := range []string{"ann", "bob"} {
				_, err = s.Settle(one, true, "why")
				require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(err), one)
			}
			for _, stands := range []bool{true, false} {
				facts, err := s.Settle("cat", stands, "why")
				require.NoError(t, err)
				settled := after(s, "cat", facts)
				require.Equal(t, second.Settled, settled.Status())
				answer := &settled.First
				if !stands {
					answer = settled.Second
				}
				require.Equal(t, answer, settled.Answer())
				_, err = settled.Settle("dan", true, "why")
				require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "once")
			}
		})
	}
}

func TestAGoldenAnswerIsComparedWithWhatStands(t *testing.T) {
	t.Parallel()
	s := second.Of(decided("ann", report.NoViolation, nil))
	golden := second.ID(s.Decision, "cat")
	_, err := s.DecideGolden(golden, verdict("cat", report.NoViolation, nil))
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "the answer is not known")
	facts, err := s.Decide(verdict("bob", report.ActionTaken, nil))
	require.NoError(t, err)
	s = after(s, "bob", facts)
	facts, err = s.Settle("dan", false, "it is spam")
	require.NoError(t, err)
	s = after(s, "dan", facts)
	for resolution, right := range map[report.Resolution]bool{report.ActionTaken: true, report.NoViolation: false} {
		facts, err = s.DecideGolden(golden, verdict("cat", resolution, nil))
		require.NoError(t, err)
		require.Equal(t, []report.Fact{&report.SecondDecided{SecondID: golden, Decision: s.Decision, Resolution: resolution, Agreed: right, Golden: true}}, facts)
		require.Equal(t, s, after(s, "cat", facts), "it changes nothing about the decision")
	}
}

func TestIDsDoNotTellWhatIsGolden(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, golden := range []string{"", "ann", "bob"} {
		for _, decision := range []string{"1", "2"} {
			id := second.ID(decision, golden)
			require.Equal(t, id, second.ID(decision, golden))
			require.False(t, seen[id])
			seen[id] = true
			parsed, err := uuid.Parse(id)
			require.NoError(t, err)
			require.Equal(t, "VERSION_8 RFC4122", parsed.Version().String()+" "+parsed.Variant().String())
		}
	}
}

// The draw is that of the first four bytes of the hash in hexadecimal, and keeps its rate.
func TestTheDrawIsThatOfTheHashAndKeepsItsRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "root")
		percent := rapid.IntRange(0, 100).Draw(t, "percent")
		drawn := 0
		const decisions = 2000
		for i := range decisions {
			id := fmt.Sprintf("0198f5a0-0000-7000-8000-%012x", i)
			sum := sha256.Sum256(append(append([]byte{}, root...), id...))
			first, err := strconv.ParseUint(hex.EncodeToString(sum[:])[:8], 16, 32)
			require.NoError(t, err)
			want := float64(first)/4294967296 < float64(percent)/100
			if second.Drawn(root, id, percent) != want {
				t.Fatalf("%s at %d %%: %v", id, percent, want)
			}
			if want {
				drawn++
			}
		}
		share := float64(percent) / 100
		if math.Abs(float64(drawn)-share*decisions) > 6*math.Sqrt(share*(1-share)*decisions)+0.5 {
			t.Fatalf("%d of %d at %d %%", drawn, decisions, percent)
		}
	})
	require.False(t, second.Drawn(make([]byte, 32), "a", 0))
	require.True(t, second.Drawn(make([]byte, 32), "a", 100))
}

func TestSettingsCountFromTheirTime(t *testing.T) {
	t.Parallel()
	versions := []second.Settings{{Percent: 5, Since: at}, {Percent: 0, Since: at.Add(time.Hour)}, {Percent: 50, Golden: 2, Since: at.Add(2 * time.Hour)}}
	for after, percent := range map[time.Duration]int{-time.Second: 0, 0: 5, time.Minute: 5, time.Hour: 0, 3 * time.Hour: 50} {
		require.Equal(t, percent, second.SettingsAt(versions, at.Add(after)).Percent, after)
	}
	for _, bad := range []second.Settings{{Percent: -1}, {Percent: 101}, {Golden: -1}, {Golden: 6}} {
		require.Len(t, bad.Check(), 1, "%+v", bad)
	}
	require.Len(t, second.Settings{Percent: 101, Golden: 6}.Check(), 2)
	require.Empty(t, second.Settings{Percent: 100, Golden: 5}.Check())
}

// Agreement is that of a naive computation over the pairs, in whatever pieces they are counted.
func TestAgreementIsThatOfANaiveComputation(t *testing.T) {
	t.Parallel()
	resolutions := rapid.SampledFrom(report.Resolutions)
	rules := rapid.SampledFrom([]*policy.Ref{nil, {Key: "spam", Version: 1}, {Key: "hate", Version: 3}})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) second.Verdict {
			return verdict(label, resolutions.Draw(t, label), rules.Draw(t, label+"'s rule"))
		}
		n := rapid.IntRange(0, 80).Draw(t, "n")
		var tally second.Tally
		var pairs [][2]second.Verdict
		for range n {
			pair := [2]second.Verdict{draw("ann"), draw("bob")}
			pairs = append(pairs, pair)
			tally.Add(pair[0].Resolution, pair[1].Resolution, pair[0].Agrees(&pair[1]), 1)
		}
		agreed := 0
		for _, p := range pairs {
			if p[0].Agrees(&p[1]) {
				agreed++
			}
		}
		chance := 0.0
		for _, a := range pairs {
			for _, b := range pairs {
				if a[0].Resolution == b[1].Resolution {
					chance += 1 / float64(n*n)
				}
			}
		}
		got := tally.Agreement()
		if got.N != n || got.Agreed != agreed || (got.Kappa == nil) != (n < 30) {
			t.Fatalf("%+v of %d, %d", got, n, agreed)
		}
		if n < 30 {
			return
		}
		want := 1.0
		if agreed < n {
			want = (float64(agreed)/float64(n) - chance) / (1 - chance)
		}
		if math.Abs(*got.Kappa-want) > 1e-6 {
			t.Fatalf("kappa %v, not %v", *got.Kappa, want)
		}
	})
}

func TestKappaOfOneOutcome(t *testing.T) {
	t.Parallel()
	var all, rules second.Tally
	all.Add(report.ActionTaken, report.ActionTaken, true, 30)
	require.InDelta(t, 1, *all.Agreement().Kappa, 0)
	rules.Add(report.ActionTaken, report.ActionTaken, true, 29)
	require.Nil(t, rules.Agreement().Kappa)
	rules.Add(report.ActionTaken, report.ActionTaken, false, 1)
	require.InDelta(t, 0, *rules.Agreement().Kappa, 0, "chance agrees as often")
}
