package eventstore_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

func (m *machine) act(t *rapid.T) {
	undoes := rapid.SampledFrom([]string{"", "hide"}).Draw(t, "undoes")
	m.update(t, func(s report.State, v int) ([]report.Fact, error) {
		if undoes != "" {
			return report.DecideAction(s, "unhide", undoes, v)
		}
		return report.DecideAction(s, "hide", "", v)
	})
}

// appeal appeals every decision that can be appealed, and some that cannot.
func (m *machine) appeal(t *rapid.T) {
	by, user := rapid.SampledFrom([]report.Role{report.Author, report.Reporter}).Draw(t, "role"), m.user(t)
	for _, id := range m.reports {
		_, err := m.store.Update(context.Background(), moderation.Ref{ReportID: id}, &user, decide(func(s report.State) ([]report.Fact, error) {
			return report.DecideAppeal(s, by, uuid.NewString(), "It is wrong.", time.Now())
		}))
		allow(t, err)
	}
}

// decideAppeals decides the first appeal of each report that has one; overturning takes
// back what stands, as the service does.
func (m *machine) decideAppeals(t *rapid.T) {
	overturn, decider := rapid.Bool().Draw(t, "overturn"), m.user(t)
	decision := func(s report.State) ([]report.Fact, error) {
		if s.Decision == nil || len(s.Decision.Appeals) == 0 {
			return nil, nil
		}
		maker := s.ResolverID
		a, err := report.CheckAppealDecision(s, s.Decision.Appeals[0].ID, decider, s.Version)
		if err != nil {
			return nil, err
		}
		require.False(t, maker != nil && *maker == decider, "nobody decides an appeal of their own decision")
		if !overturn {
			return report.DecideUphold(a, "It stands."), nil
		}
		var undone []report.Fact
		for range s.Standing {
			undone = append(undone, report.ActionOn(s, "unhide", "hide"))
		}
		until := time.Now().UTC().Truncate(time.Microsecond).Add(time.Hour)
		return report.DecideOverturn(s, a, "You are right.", undone, &until), nil
	}
	for _, id := range m.reports {
		_, err := m.store.Update(context.Background(), moderation.Ref{ReportID: id}, &decider, decide(decision))
		allow(t, err)
	}
}

// checkAppeals holds the rows of a report's appeals to its events.
func (m *machine) checkAppeals(t *rapid.T, id string, folded report.State, events []report.Event) {
	ctx := context.Background()
	var contents report.Contents
	for i, e := range events {
		contents.Add(e)
		decided, is := e.Fact.(*report.AppealDecided)
		if !is || decided.Outcome != report.AppealOverturned || decided.Superseded || decided.By != report.Author {
			continue
		}
		// What follows in the same command ends with the decision that replaces it.
		end := i + 1
		for events[end].Version == e.Version {
			if _, resolved := events[end].Fact.(*report.Resolved); resolved {
				break
			}
			end++
		}
		require.Empty(t, report.Fold(events[:end+1]).Standing, "no action stands after an overturned decision")
	}
	open := map[report.Role]int{}
	var stored int
	require.NoError(t, m.pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_appeals WHERE report_id = $1`, id).Scan(&stored))
	require.Equal(t, len(contents.Appeals), stored)
	for appealID, want := range contents.Appeals {
		got, err := m.bundle.reports.Appeal(ctx, appealID)
		require.NoError(t, err)
		require.NotNil(t, got)
		require.Equal(t, want, got.Appeal)
		if want.Status == report.AppealOpen {
			open[want.By]++
			require.NotNil(t, folded.Decision, "an open appeal is of the present decision")
			require.Contains(t, folded.Decision.Appeals, want)
		}
		for _, e := range events {
			if e.Sequence == want.Sequence && e.Erased {
				require.Nil(t, got.Text)
			}
		}
	}
	require.LessOrEqual(t, open[report.Author], 1)
	require.LessOrEqual(t, open[report.Reporter], 1)
}
