package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
