package eventstore_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func (m *machine) act(t *rapid.T) {
	action := pick(t, "action", [2]string{"hide", ""}, [2]string{"hide", ""}, [2]string{"unhide", "hide"})
	m.update(t, func(s report.State, v int) ([]report.Fact, error) {
		return []report.Fact{report.ActionOn(s, action[0], action[1])}, s.CheckAction(false, v)
	})
}

// appeal appeals every decision in each role, and again.
func (m *machine) appeal(t *rapid.T) {
	user := m.user(t)
	for _, id := range m.reports {
		for _, by := range []report.Role{report.Author, report.Reporter, report.Author, report.Reporter} {
			_ = m.command(t, id, &user, func(s report.State) ([]report.Fact, error) {
				return report.DecideAppeal(s, by, uuid.NewString(), "It is wrong.", time.Now())
			})
		}
	}
}

// decideAppeals lets the maker of each decision and somebody else decide its appeal.
func (m *machine) decideAppeals(t *rapid.T) {
	overturn, other := rapid.Bool().Draw(t, "overturn"), m.user(t)
	for _, id := range m.reports {
		stored, _, err := m.bundle.reports.FindWhole(context.Background(), id)
		require.NoError(t, err)
		deciders := []string{other}
		if stored.ResolverID != nil {
			deciders = []string{*stored.ResolverID, other}
		}
		for _, decider := range deciders {
			_ = m.command(t, id, &decider, decideAppeal(decider, overturn), domain.CodeAlreadyReported)
		}
	}
}

// decideAppeal decides the last appeal of a decision. Overturning takes back what stands, as
// the service does.
func decideAppeal(decider string, overturn bool) func(report.State) ([]report.Fact, error) {
	return func(s report.State) ([]report.Fact, error) {
		if s.Decision == nil || len(s.Decision.Appeals) == 0 {
			return nil, nil
		}
		a, err := report.CheckAppealDecision(s, s.Decision.Appeals[len(s.Decision.Appeals)-1].ID, decider, s.Version)
		if err != nil {
			return nil, err
		}
		if !overturn {
			return report.DecideUphold(a, "It stands."), nil
		}
		var undone []report.Fact
		for range s.Standing {
			undone = append(undone, report.ActionOn(s, "unhide", "hide"))
		}
		return report.DecideOverturn(s, a, "You are right.", undone, time.Hour), nil
	}
}

// checkAppeals holds the rows of a report's appeals to the fold of its events.
func (m *machine) checkAppeals(t *rapid.T, id string, events []report.Event, appeals map[string]report.Appeal) {
	stored := pgtest.One[int](t, m.pool, `SELECT count(*) FROM core_moderation_appeals WHERE report_id = $1`, id)
	require.Equal(t, len(appeals), stored)
	for appealID, want := range appeals {
		got, err := m.bundle.reports.Appeal(context.Background(), appealID)
		require.NoError(t, err)
		require.Equal(t, want, got.Appeal)
		if events[want.Sequence-1].Erased {
			require.Nil(t, got.Text)
		}
	}
}
