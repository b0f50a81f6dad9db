package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// goneLog is a log whose every change refers to an account that is gone.
type goneLog struct{ moderation.Log }

func (goneLog) Update(context.Context, moderation.Ref, *string, moderation.Decide) (report.State, error) {
	return report.State{}, moderation.ErrAccountGone
}

// everybody lists each account that is asked for as a moderator of everything.
type everybody struct{}

func (everybody) Moderators(_ context.Context, _, _, _, _, id string) ([]moderation.Candidate, error) {
	return []moderation.Candidate{{Person: moderation.Person{ID: id}, Entry: permission.Entry{Unrestricted: true}}}, nil
}

func TestAssigningToAnAccountThatIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := moderation.New(goneLog{}, nil, everybody{}, &registry.Targets{}, time.Now, "en")
	at := &moderation.Authorized{Caller: &permission.Caller{UserID: "caller"}, Report: &moderation.Stored{}}

	_, err := s.Assign(context.Background(), at, "colleague", 1)
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeValidationFailed, e.Code)
	require.Equal(t, "not_assignable", e.Issues[0].Code)

	_, err = s.Assign(context.Background(), at, "caller", 1)
	require.Equal(t, domain.CodeUnauthorized, domain.ErrorCode(err), "the caller's own account")
}
