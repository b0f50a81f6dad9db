package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// updates counts the changes of a log with one report.
type updates struct {
	moderation.Log
	n     int
	state report.State
}

func (u *updates) Update(ctx context.Context, _ moderation.Ref, _ *string, decide moderation.Decide) (report.State, error) {
	u.n++
	_, err := decide(ctx, nil, moderation.Loaded{State: u.state})
	return u.state, err
}

// stored finds a report of a shop.
type stored struct{ moderation.Reports }

func (stored) Find(context.Context, string) (*moderation.Stored, error) {
	return &moderation.Stored{State: report.State{Target: report.Target{PluginID: "shop", Type: "shop.review"}}}, nil
}

// Given a rule that hides content of a type that this server does not have, then the match is left to a server that has
// it, and only the last attempt records it without hiding.
func TestHidingIsLeftToAServerWithTheType(t *testing.T) {
	t.Parallel()
	log := &updates{}
	s := moderation.New(log, stored{}, nil, &registry.Targets{}, time.Now, "en")
	match := func(then report.RuleThen, last bool) error {
		return s.MatchRules(t.Context(), moderation.RuleMatches{ReportID: "r", Matches: []report.RuleMatch{{Rule: "r", Then: then}}}, last)
	}
	require.Error(t, match(report.RuleThen{Hide: true}, false))
	require.Zero(t, log.n)
	require.NoError(t, match(report.RuleThen{Tags: []string{"a"}}, false))
	require.Equal(t, 1, log.n)
	require.Error(t, match(report.RuleThen{Hide: true}, true), "else nobody learns that it was not hidden")
	require.Equal(t, 2, log.n)
	log.state.Status = report.Done
	require.NoError(t, match(report.RuleThen{Hide: true}, true), "there is nothing to hide")
}
