package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// Given a report or a signal about content of a plugin that this server does not have, then who sends it is told to try
// again if another server has the plugin, and that there is no such type if none has.
func TestWhatIsSentIsLeftToAServerWithThePlugin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		elsewhere []string
		code      domain.Code
	}{
		"another server has it": {[]string{"forum", "shop"}, domain.CodeUnavailable},
		"none has it":           {[]string{"forum"}, domain.CodeValidationFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := moderation.New(nil, unfiled{}, nil, &registry.Targets{}, time.Now, "en")
			s.Elsewhere = func(context.Context, pgx.Tx) ([]string, error) { return c.elsewhere, nil }
			anybody := func(context.Context, *target.Query, error) (*permission.Caller, report.Attempts, error) {
				return &permission.Caller{}, report.Attempts{}, nil
			}
			_, err := s.File(t.Context(), anybody, moderation.FileRequest{PluginID: "shop", TargetType: "shop.review", TargetID: "7", Reason: "spam"},
				func(faults []domain.Issue) error { return domain.Invalid(faults...) })
			require.Equal(t, c.code, domain.ErrorCode(err), "%v", err)

			_, faults, err := s.SignalTarget(t.Context(), "shop", "shop.review", "7")
			require.Equal(t, c.code == domain.CodeUnavailable, domain.ErrorCode(err) == domain.CodeUnavailable, "%v", err)
			require.Equal(t, c.code == domain.CodeValidationFailed, len(faults) > 0)
		})
	}
}
