package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// stale lists reports as open which its log has as they are now.
type stale struct {
	moderation.Reports
	moderation.Log
	now map[string]report.Status
}

func (stale) OpenReports(context.Context, moderation.CaseTarget, int) ([]string, error) {
	return []string{"first", "second"}, nil
}

func (stale) ReleaseCase(context.Context, moderation.CaseTarget) error { return nil }

func (s stale) Find(_ context.Context, id string) (*moderation.Stored, error) {
	return &moderation.Stored{State: report.State{ID: id, Status: report.New}}, nil
}

func (s stale) FindWhole(ctx context.Context, id string) (*moderation.Stored, paging.Page[moderation.Entry], error) {
	found, err := s.Find(ctx, id)
	return found, paging.Page[moderation.Entry]{}, err
}

func (s stale) UpdateAll(ctx context.Context, ids []string, actor *string, decide moderation.DecideAll) (after []report.State, err error) {
	loaded := domain.Map(ids, func(id string) moderation.Loaded {
		return moderation.Loaded{State: report.State{ID: id, Status: s.now[id]}, Now: time.Now()}
	})
	changes, err := decide(ctx, pgx.Tx(nil), loaded)
	for i, c := range changes {
		_, state := report.Stamp(loaded[i].State, c.Facts, actor, loaded[i].Now, func() string { return "" })
		after = append(after, state)
	}
	return after, err
}

// Given reports of a case that somebody decides before they are claimed, then the next report is one that was claimed.
func TestTheNextReportIsOneThatWasClaimed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second report.Status
		next          string
	}{
		"both are open":         {report.New, report.New, "first"},
		"the first was decided": {report.Done, report.New, "second"},
		"both were decided":     {report.Done, report.Done, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := stale{now: map[string]report.Status{"first": c.first, "second": c.second}}
			s := moderation.New(log, log, nil, &registry.Targets{}, time.Now, "en")
			caller, cases := &permission.Caller{UserID: "ann", Moderator: &permission.Entry{Unrestricted: true}}, []*moderation.CaseTarget{{}, nil}
			got, err := s.Next(t.Context(), caller, func(context.Context) (next *moderation.CaseTarget, err error) {
				next, cases = cases[0], cases[1:]
				return next, nil
			})
			require.NoError(t, err)
			if c.next == "" {
				require.Nil(t, got)
				return
			}
			require.Equal(t, c.next, got.ID)
		})
	}
}
