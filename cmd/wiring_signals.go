package cmd

import (
	"context"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// handleSignals makes the queue give signals to the reports of a target that has very many.
func (s *Server) handleSignals() error {
	return s.queue.Handle(permission.CorePlugin, moderation.SignalsTask, queue.Handler{
		Run: queue.Decoded(func(ctx context.Context, _ queue.Attempt, t moderation.CaseTarget) error {
			return s.moderation.SpreadSignals(ctx, t)
		}),
	})
}
