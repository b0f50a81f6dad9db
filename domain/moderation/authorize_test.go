package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// heldReport has one report, with a held decision.
type heldReport struct{ moderation.Reports }

func (heldReport) Find(context.Context, string) (*moderation.Stored, error) {
	return &moderation.Stored{State: report.State{Target: report.Target{PluginID: "shop", Type: "shop.review"}, HeldDecision: &report.HeldDecision{ID: "held"}}}, nil
}

func (heldReport) HeldReport(context.Context, string) (string, error) { return "r", nil }

func (heldReport) SetScope(context.Context, report.Target, *scope.Resource, scope.Resource) error {
	return nil
}

// What a platform answered a while ago suffices to read a report, and for no command.
func TestEveryCommandAsksThePlatformAnew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)
	var since time.Time
	s := moderation.New(nil, heldReport{}, nil, registry.NewTargets(&target.Definition{PluginID: "shop", Type: "shop.review", ScopeFamily: "shop.department",
		ResolveScope: func(ctx context.Context, _ string) (string, bool, error) {
			since = target.CachedSince(ctx)
			return "books", true, nil
		}}), func() time.Time { return now }, "en")
	lead := &permission.Caller{UserID: "lead", Moderator: &permission.Entry{Unrestricted: true}}
	for name, c := range map[string]struct {
		authorize func() (*moderation.Authorized, error)
		since     time.Time
	}{
		"read": {func() (*moderation.Authorized, error) {
			return s.Authorize(t.Context(), lead, "r", permission.ViewReports)
		}, time.Time{}},
		"manage": {func() (*moderation.Authorized, error) {
			return s.Authorize(t.Context(), lead, "r", permission.ManageReports)
		}, now},
		"return":         {func() (*moderation.Authorized, error) { return s.AuthorizeReturn(t.Context(), lead, "r") }, now},
		"release a held": {func() (*moderation.Authorized, error) { return s.AuthorizeHeld(t.Context(), lead, "held") }, now},
	} {
		_, err := c.authorize()
		require.NoError(t, err, name)
		require.Equal(t, c.since, since, name)
	}
}
