package eventstore_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/report/reporttest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func (m *machine) act(t *rapid.T) {
	undoes := pick(t, "undoes", "", "", "hide")
	m.update(t, func(s report.State, v int) ([]report.Fact, error) {
		if undoes != "" {
			return report.DecideAction(s, "unhide", undoes, v)
		}
		return report.DecideAction(s, "hide", "", v)
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
		until := time.Now().UTC().Truncate(time.Microsecond).Add(time.Hour)
		return report.DecideOverturn(s, a, "You are right.", undone, &until), nil
	}
}

// actOfDeleted gives commands of accounts that are deleted, whose requests were let in before.
func (m *machine) actOfDeleted(t *rapid.T) {
	if len(m.deleted) == 0 || len(m.reports) == 0 {
		t.Skip("nothing deleted yet")
	}
	user := rapid.SampledFrom(m.deleted).Draw(t, "deleted")
	for _, id := range m.reports {
		for _, command := range []func(report.State) ([]report.Fact, error){
			func(s report.State) ([]report.Fact, error) {
				return report.DecideAppeal(s, report.Author, uuid.NewString(), "It is wrong.", time.Now())
			},
			decideAppeal(user, false), decideAppeal(user, true),
		} {
			err := m.command(t, id, &user, func(s report.State) ([]report.Fact, error) {
				facts, err := command(s)
				if err == nil && len(facts) == 0 {
					err = domain.NotFound() // there is nothing to decide
				}
				return facts, err
			}, domain.ErrorCode(moderation.ErrAccountGone), domain.CodeAlreadyReported)
			require.Error(t, err)
		}
	}
}

// checkAppeals holds the rows of a report's appeals to its events.
func (m *machine) checkAppeals(t *rapid.T, id string, folded report.State, events []report.Event) {
	ctx := context.Background()
	require.NoError(t, reporttest.CheckAppeals(events, 0))
	var contents report.Contents
	for _, e := range events {
		contents.Add(e)
	}
	open := map[report.Role]int{}
	stored := pgtest.One[int](t, m.pool, `SELECT count(*) FROM core_moderation_appeals WHERE report_id = $1`, id)
	require.Equal(t, len(contents.Appeals), stored)
	for appealID, want := range contents.Appeals {
		got, err := m.bundle.reports.Appeal(ctx, appealID)
		require.NoError(t, err)
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
