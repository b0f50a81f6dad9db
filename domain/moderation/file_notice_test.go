package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/domain/registry"
)

// unfiled finds no report.
type unfiled struct{ moderation.Reports }

func (unfiled) Find(context.Context, string) (*moderation.Stored, error) { return nil, nil }

// Given a notice about content of a plugin that this server does not have, then it waits if another server has plugins
// of its own, and is about nothing if none has.
func TestANoticeIsLeftToAServerWithThePlugin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		elsewhere []string
		code      domain.Code
	}{
		"another server has a plugin": {[]string{"shop"}, domain.CodeUnavailable},
		"none has":                    {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := moderation.New(nil, unfiled{}, nil, &registry.Targets{}, time.Now, "en")
			s.Elsewhere = func(context.Context, pgx.Tx) ([]string, error) { return c.elsewhere, nil }
			filed, err := s.FileNotice(t.Context(), "r", publicnotice.Notice{URL: "https://shop.example/reviews/7"})
			require.False(t, filed)
			require.Equal(t, c.code, domain.ErrorCode(err), "%v", err)
		})
	}
}
