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

// askTask is the task that calls a provider about a report. Its payload is a question.
const askTask = "signals.ask"

type question struct {
	ReportID string `json:"reportId"`
	Provider string `json:"provider"` // its name
}

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

// errNoSignals means that an attempt got no valid answer. It does not quote the answer, since tasks
// store the texts of errors, where no erasure reaches them.
var errNoSignals = errors.New("the provider could not be reached, or gave no valid answer")

// errNoProvider means that this server does not have the provider, or not yet.
var errNoProvider = errors.New("no manifest of this server names this provider")

// askProvider calls the provider about a report of its plugin and stores the answer for the target. It skips a report
// whose evidence was erased. The last attempt succeeds if the provider is gone.
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
	if state.Snapshot == nil || t.PluginID != a.PluginID { // a provider is called only for its own plugin's content
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
