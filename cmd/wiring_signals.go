package cmd

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
)

// askTask is the task that asks a provider about a report. Its payload is a question.
const askTask = "signals.ask"

type question struct {
	ReportID string `json:"reportId"`
	Provider string `json:"provider"` // its name
}

// handleSignals makes the queue give signals to the reports of a target that has very many.
func (s *Server) handleSignals() error {
	return s.queue.Handle(permission.CorePlugin, moderation.SignalsTask, queue.Handler{
		Run: queue.Decoded(func(ctx context.Context, _ queue.Attempt, t moderation.CaseTarget) error {
			return s.moderation.SpreadSignals(ctx, t)
		}),
	})
}

// providerListener enqueues the questions about each report that is filed, once.
func (s *Server) providerListener() event.Listener {
	return event.Listener{Group: "docket.providers", Events: []string{event.ReportCreated}, HandleAll: func(ctx context.Context, tx pgx.Tx, events []event.Event) error {
		var tasks []queue.Task
		for _, e := range events {
			for _, p := range s.registered.Providers {
				if p.PluginID == e.PluginID {
					tasks = append(tasks, queue.Task{PluginID: p.PluginID, Name: askTask, Queue: queue.Outbound, Payload: question{e.ReportID, p.Name}})
				}
			}
		}
		return queue.EnqueueTx(ctx, tx, tasks...)
	}}
}

// wireProviders makes the queue ask the providers.
func (s *Server) wireProviders() error {
	type named struct{ plugin, name string }
	providers, declared := map[named]*remote.Provider{}, map[named]plugin.Provider{}
	for _, p := range s.registered.Providers {
		providers[named{p.PluginID, p.Name}], declared[named{p.PluginID, p.Name}] = s.platforms.Provide(p.PluginID, p.Provider, p.Secret), p.Provider
	}
	run := queue.Decoded(func(ctx context.Context, a queue.Attempt, q question) error {
		key := named{a.PluginID, q.Provider}
		if providers[key] == nil {
			return queue.Permanent(errors.New("the manifest names this provider no more"))
		}
		return s.askProvider(ctx, a, q, providers[key], declared[key])
	})
	handled := map[string]bool{}
	for _, p := range s.registered.Providers {
		if handled[p.PluginID] {
			continue
		}
		handled[p.PluginID] = true
		if err := s.queue.Handle(p.PluginID, askTask, queue.Handler{Limit: platformTaskLimit, Run: run}); err != nil {
			return err
		}
	}
	return nil
}

// errNoSignals is the error of an attempt without a valid answer. It leaves out what was answered,
// since tasks keep the texts of errors and an erasure does not reach them.
var errNoSignals = errors.New("the provider could not be reached, or gave no valid answer")

// askProvider asks about a report and keeps the answer for its target. A report whose words were
// erased meanwhile is not asked about.
func (s *Server) askProvider(ctx context.Context, a queue.Attempt, q question, from *remote.Provider, declared plugin.Provider) error {
	events, err := eventstore.Load(ctx, s.db.Pool, q.ReportID)
	if err != nil {
		return err
	}
	state := report.Fold(events)
	if state.Snapshot == nil {
		return nil
	}
	signals, err := from.Ask(ctx, "msg_"+a.TaskID, questionAbout(state, declared))
	if err != nil {
		return errNoSignals
	}
	if len(signals) == 0 {
		return nil
	}
	t := moderation.CaseTarget{PluginID: state.Target.PluginID, Type: state.Target.Type, ID: state.Target.ID}
	_, err = s.moderation.Signal(ctx, t, declared.Name, signals)
	return err
}

// questionAbout is what a provider is told of a report.
func questionAbout(s report.State, p plugin.Provider) remote.ProviderQuestion {
	content := snapshot.ContentOf(s.Snapshot)
	q := remote.ProviderQuestion{Report: s.ID, Target: snapshot.Target{PluginID: s.Target.PluginID, Type: s.Target.Type, ID: s.Target.ID},
		Title: content.Title, Links: []string{}, Files: []snapshot.File{}}
	var lines []string
	for _, f := range content.Fields {
		if p.Fields == nil || slices.Contains(p.Fields, f.Name) {
			lines = append(lines, f.Text)
		}
	}
	q.Text = strings.Join(lines, "\n")
	for _, l := range likeness.Of(s.Snapshot).Links {
		q.Links = append(q.Links, l.URL)
	}
	if p.Files {
		q.Files = append(q.Files, snapshot.FilesOf(s.Snapshot)...)
	}
	return q
}
