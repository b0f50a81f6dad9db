package cmd

import (
	"context"
	"errors"
	"slices"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
)

// askTask is the task that calls a provider about a report. Its payload is a question.
const askTask = "signals.ask"

type question struct {
	ReportID string `json:"reportId"`
	Provider string `json:"provider"` // its name
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
