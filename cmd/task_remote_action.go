package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/queue"
)

// platformTaskLimit bounds one attempt of a task that calls a platform. A single call has at most
// 10 seconds.
const platformTaskLimit = 30 * time.Second

// doRequested sends a requested action or measure to the platform and stores the outcome.
func (s *Server) doRequested(ctx context.Context, a queue.Attempt, p target.RemotePayload) error {
	err := s.moderation.DoRequested(ctx, requests{s}, p, a.Last, s.tellActor)
	if errors.Is(err, moderation.ErrNoRequest) {
		return queue.Permanent(err)
	}
	return err
}

// tellActor counts a failed request and notifies the moderator who made it.
func (s *Server) tellActor(ctx context.Context, tx pgx.Tx, asked report.Event) error {
	what := "action"
	if report.MeasureOf(asked) != "" {
		what = "measure"
	}
	s.requestsFailed.WithLabelValues(what).Inc()
	if asked.ActorID == nil {
		return nil
	}
	return s.delivery.notices.TellActor(ctx, tx, *asked.ActorID, asked.ReportID, asked.ID)
}

// requests implements moderation.Requests.
type requests struct{ *Server }

func (r requests) Load(ctx context.Context, reportID string) ([]report.Event, error) {
	return eventstore.Load(ctx, r.db.Pool, reportID)
}

func (r requests) Names(ctx context.Context, ids []string) (map[string]string, error) {
	return r.accounts.Names(ctx, ids)
}
