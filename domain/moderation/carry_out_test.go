package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// oneReport is a log of one report.
type oneReport struct {
	moderation.Log
	state report.State
	facts []report.Fact // that were appended
}

func (o *oneReport) UpdateAll(ctx context.Context, _ []string, _ *string, decide moderation.DecideAll) ([]report.State, error) {
	changes, err := decide(ctx, nil, []moderation.Loaded{{State: o.state, Now: time.Now()}})
	if err == nil {
		o.facts = append(o.facts, changes[0].Facts...)
	}
	return nil, err
}

func (o *oneReport) Update(ctx context.Context, _ moderation.Ref, _ *string, decide moderation.Decide) (report.State, error) {
	_, err := decide(ctx, nil, moderation.Loaded{State: o.state, Now: time.Now()})
	return report.State{}, err
}

// due finds the measures of a report until they have ended.
type due struct {
	stored
	log *oneReport
}

func (d due) DueMeasures(_ context.Context, _ time.Time, without []string, _ int) ([]string, error) {
	if len(d.log.facts) > 0 || len(without) > 0 {
		return nil, nil
	}
	return []string{"r"}, nil
}

func (due) LadderMeasures(context.Context) ([]moderation.StoredMeasure, error) { return nil, nil }

// Given a measure that is due on a server without the plugin that carries it out, then it is left to a server that has
// the plugin, and ended if none has.
func TestAMeasureIsLeftToAServerWithThePlugin(t *testing.T) {
	t.Parallel()
	for name, elsewhere := range map[string][]string{"another server has it": {"forum", "shop"}, "none has it": {"forum"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yesterday := time.Now().Add(-24 * time.Hour)
			log := &oneReport{state: report.State{ID: "r", Status: report.Done, Target: report.Target{PluginID: "shop", Type: "shop.review"}, Measures: []report.Measure{
				{ID: "m", Author: measure.Author{PluginID: "shop", ID: "u1"}, Kind: measure.Suspend, ImposedAt: yesterday.Add(-time.Hour), Until: &yesterday}}}}
			s := moderation.New(log, due{log: log}, nil, &registry.Targets{}, time.Now, "en")
			s.Elsewhere = func(context.Context, pgx.Tx) ([]string, error) { return elsewhere, nil }
			err := s.EndMeasures(t.Context())
			if len(elsewhere) > 1 {
				require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err), "%v", err)
				require.Empty(t, log.facts)
				return
			}
			require.NoError(t, err)
			require.IsType(t, &report.MeasureEnded{}, log.facts[0])
		})
	}
}

// lastDecided says that no other report keeps content hidden.
type lastDecided struct{ stored }

func (lastDecided) LastDecided(context.Context, pgx.Tx, moderation.CaseTarget, []string) (bool, error) {
	return true, nil
}

// Given a decision by which content is to be shown again, then it is made only on a server with the plugin.
func TestContentIsShownAgainByAServerWithThePlugin(t *testing.T) {
	t.Parallel()
	shop := report.Target{PluginID: "shop", Type: "shop.review"}
	for name, c := range map[string]struct {
		state  report.State
		decide func(s *moderation.Service, at *moderation.Authorized) error
	}{
		"an appeal is overturned": {report.State{ID: "r", Version: 3, Status: report.Done, Target: shop, Standing: []string{"hide"},
			Decision: &report.Decision{Appeals: []report.Appeal{{ID: "a", By: report.Author, Status: report.AppealOpen}}}},
			func(s *moderation.Service, at *moderation.Authorized) error {
				_, err := s.Overturn(t.Context(), at, "a", "You are right.", 3)
				return err
			}},
		"a rule was wrong": {report.State{ID: "r", Version: 3, Status: report.New, Target: shop, Standing: []string{"hide"}, HiddenBy: "spam"},
			func(s *moderation.Service, at *moderation.Authorized) error {
				_, err := s.Resolve(t.Context(), at, report.Resolve{Resolution: report.NoViolation}, nil, 3)
				return err
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := moderation.New(&oneReport{state: c.state}, lastDecided{}, nil, &registry.Targets{}, time.Now, "en")
			s.Elsewhere = func(context.Context, pgx.Tx) ([]string, error) { return []string{"shop"}, nil }
			err := c.decide(s, &moderation.Authorized{Caller: &permission.Caller{UserID: "judge"}, Report: &moderation.Stored{State: c.state}})
			require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err), "%v", err)
		})
	}
}
