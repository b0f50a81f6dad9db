package cmd

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/projections/rules"
)

// handleRules registers the task that records what rules matched.
func (s *Server) handleRules() error {
	return s.queue.Handle(permission.CorePlugin, moderation.MatchTask, queue.Handler{
		Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, m moderation.RuleMatches) error {
			confirmed, err := rules.Confirm(ctx, s.db.Pool, m)
			if err != nil {
				return err
			}
			return s.moderation.MatchRules(ctx, confirmed, a.Last)
		}),
	})
}

// handleSignals registers the task that adds signals to the reports of a target that has very many.
func (s *Server) handleSignals() error {
	return s.queue.Handle(permission.CorePlugin, moderation.SignalsTask, queue.Handler{
		Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, t moderation.CaseTarget) error {
			return s.moderation.SpreadSignals(ctx, t, a.TaskID)
		}),
	})
}

// asking makes the listener of webhooks also enqueue the calls of providers for each report that is filed.
// A consumer group of their own would read every event even without providers.
func (s *Server) asking(l event.Listener) event.Listener {
	deliver := l.HandleAll
	l.HandleAll = func(ctx context.Context, tx pgx.Tx, events []event.Event) error {
		var tasks []queue.Task
		for _, e := range events {
			if e.Name != event.ReportCreated {
				continue
			}
			for _, p := range s.allProviders() {
				if p.PluginID == e.PluginID {
					tasks = append(tasks, queue.Task{PluginID: p.PluginID, Name: askTask, Queue: queue.Outbound, Payload: question{e.ReportID, p.Name}})
				}
			}
		}
		if err := queue.EnqueueTx(ctx, tx, tasks...); err != nil {
			return err
		}
		return deliver(ctx, tx, events)
	}
	return l
}

// allProviders returns the providers of the plugins and of the platforms that the panel has
// connected.
func (s *Server) allProviders() []*remote.Provider {
	if s.connections == nil {
		return s.providers
	}
	return slices.Concat(s.providers, s.connections.Providers())
}
