package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
)

// stream is a report and its events, to which decisions are added.
type stream struct {
	events []Event
	state  State
	now    time.Time
}

func (s *stream) add(actor string, facts ...Fact) {
	s.now = s.now.Add(time.Minute)
	n := len(s.events)
	added, after := Stamp(s.state, facts, &actor, s.now, func() string { n++; return fmt.Sprint("event ", n) })
	s.events, s.state = append(s.events, added...), after
}

func appealsOf(events []Event) map[string]Appeal {
	var c Contents
	for _, e := range events {
		c.Add(e)
	}
	return c.Appeals
}

// hiddenAndDecided is a report of content that was hidden and decided by maker.
func hiddenAndDecided(resolution Resolution) *stream {
	s := &stream{state: State{ID: "report"}, now: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)}
	s.add("reporter", &Created{ReporterID: "reporter", Reason: Spam})
	s.add("maker", ActionOn(s.state, "hide", ""))
	until := s.now.Add(24 * time.Hour)
	s.add("maker", &Resolved{Resolution: resolution, AppealableUntil: &until})
	return s
}

func TestDecideAppeal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		resolution Resolution
		by         Role
		given      func(s *stream)
		code       domain.Code
	}{
		{"an author appeals action taken", ActionTaken, Author, nil, ""},
		{"a reporter appeals no violation", NoViolation, Reporter, nil, ""},
		{"an author has nothing to appeal", NoViolation, Author, nil, domain.CodeAppealClosed},
		{"a reporter has nothing to appeal", ActionTaken, Reporter, nil, domain.CodeAppealClosed},
		{"a duplicate", Duplicate, Reporter, nil, domain.CodeAppealClosed},
		{"once", ActionTaken, Author, func(s *stream) { s.add("author", &Appealed{AppealID: "first", By: Author}) }, domain.CodeAlreadyAppealed},
		{"once, also when it was decided", ActionTaken, Author, func(s *stream) {
			s.add("author", &Appealed{AppealID: "first", By: Author})
			s.add("judge", &AppealDecided{AppealID: "first", By: Author, Outcome: AppealUpheld})
		}, domain.CodeAlreadyAppealed},
		{"too late", ActionTaken, Author, func(s *stream) { s.now = s.now.Add(24 * time.Hour) }, domain.CodeAppealClosed},
		{"a reopened report", ActionTaken, Author, func(s *stream) { s.add("maker", &Reopened{}) }, domain.CodeAppealClosed},
		{"a new decision", ActionTaken, Author, func(s *stream) {
			s.add("author", &Appealed{AppealID: "first", By: Author})
			until := s.now.Add(time.Hour)
			facts, _ := DecideResolve(s.state, Resolve{Resolution: ActionTaken, AppealableUntil: &until}, s.state.Version)
			s.add("maker", facts...)
		}, ""},
		{"a decision that cannot be appealed", ActionTaken, Author, func(s *stream) { s.add("maker", &Resolved{Resolution: ActionTaken}) }, domain.CodeAppealClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := hiddenAndDecided(test.resolution)
			if test.given != nil {
				test.given(s)
			}
			version := s.state.Version

			facts, err := DecideAppeal(s.state, test.by, "appeal", "No.", s.now)

			require.Equal(t, test.code, domain.ErrorCode(err))
			if err == nil {
				s.add("appellant", facts...)
				require.Equal(t, version, s.state.Version, "an appeal makes no decision stale")
			}
		})
	}
}

func TestCheckAppealDecision(t *testing.T) {
	t.Parallel()
	s := hiddenAndDecided(ActionTaken)
	s.add("author", &Appealed{AppealID: "appeal", By: Author})
	version := s.state.Version
	check := func(id, caller string, version int) domain.Code {
		_, err := CheckAppealDecision(s.state, id, caller, version)
		return domain.ErrorCode(err)
	}
	require.Empty(t, check("appeal", "judge", version))
	require.Equal(t, domain.CodeOwnDecision, check("appeal", "maker", version-1))
	require.Equal(t, domain.CodeConflict, check("appeal", "judge", version-1))
	require.Equal(t, domain.CodeInvalidState, check("another", "judge", version))
	s.add("operator", &AccountRemoved{UserID: "maker"})
	require.Empty(t, check("appeal", "maker", version), "who made it is not known any more")
	s.add("judge", DecideUphold(s.state.Decision.Appeals[0], "It stands.")...)
	require.Equal(t, domain.CodeInvalidState, check("appeal", "judge", version+1))
}

func TestDecideOverturn(t *testing.T) {
	t.Parallel()
	author := hiddenAndDecided(ActionTaken)
	author.add("author", &Appealed{AppealID: "appeal", By: Author})
	until := author.now.Add(time.Hour)
	author.add("judge", DecideOverturn(author.state, author.state.Decision.Appeals[0], "Yes.", []Fact{ActionOn(author.state, "unhide", "hide")}, &until)...)
	require.Equal(t, []any{Done, NoViolation, "judge"}, []any{author.state.Status, *author.state.Resolution, *author.state.ResolverID})
	require.Empty(t, author.state.Standing)
	require.Equal(t, AppealOverturned, appealsOf(author.events)["appeal"].Status)

	reporter := hiddenAndDecided(NoViolation)
	reporter.state.AssigneeID = &[]string{"maker"}[0]
	reporter.add("reporter", &Appealed{AppealID: "appeal", By: Reporter})
	reporter.add("judge", DecideOverturn(reporter.state, reporter.state.Decision.Appeals[0], "Yes.", nil, nil)...)
	require.Equal(t, []any{New, (*string)(nil), (*Resolution)(nil), (*Decision)(nil)},
		[]any{reporter.state.Status, reporter.state.AssigneeID, reporter.state.Resolution, reporter.state.Decision})
}

// Whatever happens: at most one open appeal of a role, which is of the present decision; no
// action stands after an author's appeal was overturned; nobody decides an appeal of their
// own decision; and the appeals of the state are those of the fold.
func TestAppealsUnderAnyCommands(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &stream{state: State{ID: "report"}, now: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)}
		s.add("reporter", &Created{ReporterID: "reporter", Reason: Spam})
		people := []string{"ann", "ben", "cid"}
		for step := range rapid.IntRange(1, 30).Draw(t, "steps") {
			actor, until := rapid.SampledFrom(people).Draw(t, "actor"), s.now.Add(48*time.Hour)
			var facts []Fact
			var err error
			command := rapid.SampledFrom([]string{"claim", "hide", "unhide", "resolve", "reopen", "appeal", "uphold", "overturn", "remove", "erase"}).Draw(t, "command")
			switch command {
			case "claim":
				facts, err = DecideClaim(s.state, actor, s.state.Version)
			case "hide":
				facts, err = DecideAction(s.state, "hide", "", s.state.Version)
			case "unhide":
				facts, err = DecideAction(s.state, "unhide", "hide", s.state.Version)
			case "resolve":
				facts, err = DecideResolve(s.state, Resolve{Resolution: rapid.SampledFrom(Resolutions).Draw(t, "resolution"), AppealableUntil: &until}, s.state.Version)
			case "reopen":
				facts, err = DecideReopen(s.state, "Look.", s.state.Version)
			case "appeal":
				facts, err = DecideAppeal(s.state, rapid.SampledFrom([]Role{Author, Reporter}).Draw(t, "role"), fmt.Sprint("appeal ", step), "No.", s.now)
			case "uphold", "overturn":
				open := "none"
				if s.state.Decision != nil && len(s.state.Decision.Appeals) > 0 {
					open = s.state.Decision.Appeals[0].ID
				}
				maker := s.state.ResolverID
				var a Appeal
				if a, err = CheckAppealDecision(s.state, open, actor, s.state.Version); err == nil {
					require.False(t, maker != nil && *maker == actor, "the maker decides")
					if facts = DecideUphold(a, "So."); command == "overturn" {
						facts = DecideOverturn(s.state, a, "So.", nil, &until)
					}
				}
			case "remove":
				facts = DecideRemoveAccount(actor)
			case "erase":
				erased := &EvidenceErased{}
				for i, e := range s.events {
					if Choice(EveryWord).Erases(s.state, e) {
						s.events[i].Erased, erased.Sequences = true, append(erased.Sequences, e.Sequence)
					}
				}
				facts = []Fact{erased}
			}
			if err != nil || len(facts) == 0 {
				continue
			}
			s.add(actor, facts...)

			if command == "overturn" && s.state.Status == Done {
				require.Empty(t, s.state.Standing)
			}
			open := map[Role]int{}
			for _, a := range appealsOf(s.events) {
				if a.Status == AppealOpen {
					open[a.By]++
					require.NotNil(t, s.state.Decision)
					require.Equal(t, s.state.Decision.Sequence, a.Decision)
					require.Contains(t, s.state.Decision.Appeals, a)
				}
			}
			require.LessOrEqual(t, open[Author], 1)
			require.LessOrEqual(t, open[Reporter], 1)
		}
	})
}
