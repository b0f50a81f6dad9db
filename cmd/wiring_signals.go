package cmd

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/projections/rules"
)

// askTask is the task that asks a provider about a report. Its payload is a question.
const askTask = "signals.ask"

type question struct {
	ReportID string `json:"reportId"`
	Provider string `json:"provider"` // its name
}

// handleRules makes the queue record what rules matched.
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

// handleSignals makes the queue give signals to the reports of a target that has very many.
func (s *Server) handleSignals() error {
	return s.queue.Handle(permission.CorePlugin, moderation.SignalsTask, queue.Handler{
		Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, t moderation.CaseTarget) error {
			return s.moderation.SpreadSignals(ctx, t, a.TaskID)
		}),
	})
}

// asking makes the listener of webhooks also enqueue, once for each report that is filed, the questions to
// providers. A group of their own would read every event even where there are no providers.
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

// allProviders are those of the plugins, and those of the platforms that the panel has connected.
func (s *Server) allProviders() []*remote.Provider {
	if s.connections == nil {
		return s.providers
	}
	return slices.Concat(s.providers, s.connections.Providers())
}

// errNoSignals is the error of an attempt without a valid answer. It leaves out what was answered,
// since tasks keep the texts of errors and an erasure does not reach them.
var errNoSignals = errors.New("the provider could not be reached, or gave no valid answer")

// errNoProvider is the error of an attempt for a provider that this server has not, or not yet.
var errNoProvider = errors.New("no manifest of this server names this provider")

// askProvider asks about a report of the provider's plugin and keeps the answer for its target. It does not ask about a
// report whose words have been erased. The last attempt to ask a provider that is gone is no failure.
func (s *Server) askProvider(ctx context.Context, a queue.Attempt, q question) error {
	all := s.allProviders()
	i := slices.IndexFunc(all, func(p *remote.Provider) bool { return p.PluginID == a.PluginID && p.Name == q.Provider })
	switch {
	case i < 0 && a.Last:
		return nil
	case i < 0:
		return errNoProvider
	}
	from := all[i]
	events, err := eventstore.Load(ctx, s.db.Pool, q.ReportID)
	if err != nil {
		return err
	}
	state := report.Fold(events)
	t := state.Target
	if state.Snapshot == nil || t.PluginID != a.PluginID { // no server asks about another plugin's
		return nil
	}
	signals, err := from.Ask(ctx, "msg_"+a.TaskID, from.Question(state.ID, snapshot.Target{PluginID: t.PluginID, Type: t.Type, ID: t.ID}, state.Snapshot))
	if err != nil {
		s.questions.WithLabelValues(from.PluginID, from.Name, "failed").Inc()
		return errNoSignals
	}
	s.questions.WithLabelValues(from.PluginID, from.Name, "answered").Inc()
	if len(signals) == 0 {
		return nil
	}
	_, err = s.moderation.Signal(ctx, moderation.CaseOf(t), from.Name, signals)
	return err
}
