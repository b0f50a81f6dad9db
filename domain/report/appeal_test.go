package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
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

// resolve decides the report anew; appeals of that end in an hour.
func (s *stream) resolve(t *testing.T, actor string, c Resolve) {
	c.AppealFor = time.Hour
	facts, err := DecideResolve(s.state, actor, c, s.state.Version)
	require.NoError(t, err)
	s.add(actor, facts...)
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
			s.resolve(t, "somebody", Resolve{Resolution: ActionTaken, Policy: &policy.Ref{Key: "spam", Version: 1}})
		}, ""},
		{"a new decision with the same outcome", ActionTaken, Author, func(s *stream) {
			s.add("author", &Appealed{AppealID: "first", By: Author})
			s.resolve(t, "somebody", Resolve{Resolution: ActionTaken})
		}, domain.CodeAlreadyAppealed},
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

// Given a clock that goes back, then the period still begins with the decision, whose time does not.
func TestADecisionCanBeAppealedForItsWholePeriod(t *testing.T) {
	t.Parallel()
	s := hiddenAndDecided(ActionTaken)
	s.now = s.now.Add(-24 * time.Hour)
	s.resolve(t, "somebody", Resolve{Resolution: NoViolation})
	require.Equal(t, s.state.ResolvedAt.Add(time.Hour), *s.state.Decision.AppealableUntil)
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
	require.Equal(t, domain.CodeOwnDecision, check("appeal", "author", version-1), "an appeal of their own")
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
	author.add("judge", DecideOverturn(author.state, author.state.Decision.Appeals[0], "Yes.", []Fact{ActionOn(author.state, "unhide", "hide")}, time.Hour)...)
	require.Equal(t, []any{Done, NoViolation, "judge"}, []any{author.state.Status, *author.state.Resolution, *author.state.ResolverID})
	require.Empty(t, author.state.Standing)
	require.Equal(t, AppealOverturned, appealsOf(author.events)["appeal"].Status)

	reporter := hiddenAndDecided(NoViolation)
	reporter.state.AssigneeID = &[]string{"maker"}[0]
	reporter.add("reporter", &Appealed{AppealID: "appeal", By: Reporter})
	reporter.add("judge", DecideOverturn(reporter.state, reporter.state.Decision.Appeals[0], "Yes.", nil, 0)...)
	require.Equal(t, []any{New, (*string)(nil), (*Resolution)(nil), (*Decision)(nil)},
		[]any{reporter.state.Status, reporter.state.AssigneeID, reporter.state.Resolution, reporter.state.Decision})
}

func TestNobodyReplacesADecisionOfTheirOwnWhileItsAppealIsOpen(t *testing.T) {
	t.Parallel()
	commands := map[string]func(s State, caller string) ([]Fact, error){
		"claim":  func(s State, caller string) ([]Fact, error) { return DecideClaim(s, caller, s.Version) },
		"assign": func(s State, caller string) ([]Fact, error) { return DecideAssign(s, caller, "other", s.Version) },
		"resolve": func(s State, caller string) ([]Fact, error) {
			return DecideResolve(s, caller, Resolve{Resolution: Duplicate}, s.Version)
		},
		"repeat": func(s State, caller string) ([]Fact, error) {
			return DecideResolve(s, caller, Resolve{Resolution: ActionTaken}, s.Version)
		},
		"stale":  func(s State, caller string) ([]Fact, error) { return DecideReopen(s, caller, "why not", s.Version-1) },
		"reopen": func(s State, caller string) ([]Fact, error) { return DecideReopen(s, caller, "why not", s.Version) },
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := hiddenAndDecided(ActionTaken)
			_, err := command(s.state, "maker")
			require.NotEqual(t, domain.CodeOwnDecision, domain.ErrorCode(err), "there is no appeal")
			s.add("author", &Appealed{AppealID: "appeal", By: Author})

			_, err = command(s.state, "maker")
			require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(err))
			if facts, err := command(s.state, "somebody"); err == nil && name != "repeat" {
				s := &stream{events: s.events, state: s.state, now: s.now}
				s.add("somebody", facts...)
				require.Equal(t, AppealOverturned, appealsOf(s.events)["appeal"].Status, "what replaces the decision closes its appeal")
			}
			require.Empty(t, Moves(s.state, "maker", false))
			require.Equal(t, []Move{MoveClaim, MoveAssign, MoveResolve, MoveReopen}, Moves(s.state, "somebody", false))

			s.add("judge", DecideUphold(s.state.Decision.Appeals[0], "It stands.")...)
			_, err = command(s.state, "maker")
			require.NotEqual(t, domain.CodeOwnDecision, domain.ErrorCode(err), "the appeal is decided")
		})
	}
}

func TestAReplacementWithTheSameOutcomeLeavesTheAppealOpen(t *testing.T) {
	t.Parallel()
	spam := &policy.Ref{Key: "spam", Version: 1}
	for name, c := range map[string]struct {
		with Resolve
		want AppealStatus
	}{
		"the same":           {Resolve{Resolution: ActionTaken, Policy: &policy.Ref{Key: "spam", Version: 1}}, AppealOpen},
		"another resolution": {Resolve{Resolution: NoViolation, Policy: spam}, AppealOverturned},
		"another version":    {Resolve{Resolution: ActionTaken, Policy: &policy.Ref{Key: "spam", Version: 2}}, AppealOverturned},
		"no policy":          {Resolve{Resolution: ActionTaken}, AppealOverturned},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := hiddenAndDecided(NoViolation)
			s.resolve(t, "maker", Resolve{Resolution: ActionTaken, Policy: spam})
			s.add("author", &Appealed{AppealID: "appeal", By: Author})

			s.resolve(t, "second", c.with)

			require.Equal(t, c.want, appealsOf(s.events)["appeal"].Status)
			require.Equal(t, c.want != AppealOpen, len(s.state.Decision.Appeals) == 0)
			if c.want != AppealOpen {
				return
			}
			s.resolve(t, "third", c.with)
			for _, maker := range []string{"maker", "second", "third"} {
				_, err := CheckAppealDecision(s.state, "appeal", maker, s.state.Version)
				require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(err), maker)
				require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(CheckReplacement(s.state, maker)), maker)
			}
			a, err := CheckAppealDecision(s.state, "appeal", "judge", s.state.Version)
			require.NoError(t, err)
			s.add("operator", &AccountRemoved{UserID: "second"})
			require.Equal(t, []string{"maker"}, s.state.Decision.Makers)
			s.add("judge", DecideOverturn(s.state, a, "Yes.", nil, 0)...)
			require.Nil(t, s.state.Decision)
			require.Equal(t, []any{Done, NoViolation}, []any{s.state.Status, *s.state.Resolution})
		})
	}
}

func TestWhatIsNotUndoneStands(t *testing.T) {
	t.Parallel()
	overturned := func(undone ...Fact) *stream {
		s := hiddenAndDecided(ActionTaken)
		s.add("author", &Appealed{AppealID: "appeal", By: Author})
		s.add("judge", DecideOverturn(s.state, s.state.Decision.Appeals[0], "Yes.", undone, 0)...)
		return s
	}
	require.Equal(t, []string{"hide"}, overturned().state.Standing, "the content is gone")
	require.Empty(t, overturned(&ActionUnchanged{Action: "unhide", Undoes: "hide"}).state.Standing, "it stood no more")
	for name, c := range map[string]struct {
		outcome ActionOutcome
		want    []string
	}{
		"done": {ActionOutcome{Changed: true}, nil}, "nothing to do": {ActionOutcome{}, nil}, "refused": {ActionOutcome{Failed: "no"}, []string{"hide"}},
	} {
		asked := &ActionRequested{Action: "unhide", Undoes: "hide"}
		s := overturned(asked)
		require.Equal(t, []string{"hide"}, s.state.Standing, "not before it is confirmed")
		s.add("judge", DecideOutcome(s.state, s.state.Pending[0].Sequence, asked, c.outcome)...)
		require.Equal(t, c.want, s.state.Standing, name)
	}

	// As the release before wrote it.
	s := hiddenAndDecided(ActionTaken)
	s.add("author", &Appealed{AppealID: "appeal", By: Author})
	s.add("judge", &AppealDecided{AppealID: "appeal", By: Author, Outcome: AppealOverturned}, &Resolved{Resolution: NoViolation})
	require.Empty(t, s.state.Standing)
}
