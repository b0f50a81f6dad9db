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
	for name, elsewhere := range map[string]bool{"another server has it": true, "none has it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yesterday := time.Now().Add(-24 * time.Hour)
			log := &oneReport{state: report.State{ID: "r", Status: report.Done, Target: report.Target{PluginID: "shop", Type: "shop.review"}, Measures: []report.Measure{
				{ID: "m", Author: measure.Author{PluginID: "shop", ID: "u1"}, Kind: measure.Suspend, ImposedAt: yesterday.Add(-time.Hour), Until: &yesterday}}}}
			s := moderation.New(log, due{log: log}, nil, &registry.Targets{}, time.Now, "en")
			s.Elsewhere = func(_ context.Context, _ pgx.Tx, pluginID string) (bool, error) {
				require.Equal(t, "shop", pluginID)
				return elsewhere, nil
			}
			err := s.EndMeasures(t.Context())
			if elsewhere {
				require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err), "%v", err)
				require.Empty(t, log.facts)
				return
			}
			require.NoError(t, err)
			require.IsType(t, &report.MeasureEnded{}, log.facts[0])
		})
	}
}
