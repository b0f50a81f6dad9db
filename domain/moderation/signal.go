package moderation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/target"
)

// SignalsTask is the name of the task that adds the stored signals of a target to its open reports. Its payload is a
// CaseTarget.
const SignalsTask = "signals.spread"

// The bounds of adding signals to open reports: how many reports one transaction changes, and how many Signal changes
// at most. If more lack the signals, a task adds them to all.
const (
	spreadBatch  = 100
	spreadAtOnce = 500
)

// Signals stores the signals about targets, reported or not.
type Signals interface {
	// KeepSignals stores a source's signals about a target and reports whether a stored score has changed. A concurrent
	// filing for the target is either committed before KeepSignals returns, or reads these signals. If later is set, it
	// enqueues SignalsTask in the same transaction when something has changed.
	KeepSignals(ctx context.Context, t CaseTarget, source string, all []signal.Signal, now time.Time, later bool) (changed bool, err error)
	// SpreadLater enqueues SignalsTask for the time at. by is the id of the task that calls it, "" for a request. A
	// call with the same target, time and by as an earlier one enqueues nothing.
	SpreadLater(ctx context.Context, t CaseTarget, now, at time.Time, by string) error
	// Unsignalled returns the targets with stored signals that have open reports by servers of a release without
	// signals, unless projections.Mend has completed those reports.
	Unsignalled(ctx context.Context) ([]CaseTarget, error)
	// KeptSignals returns the signals stored for a target, sorted by source and name.
	KeptSignals(ctx context.Context, t CaseTarget) ([]signal.Scored, error)
	// OpenOn counts the open reports on a target, including those of muted people, and lists those that lack some of
	// these scores, sorted by id.
	OpenOn(ctx context.Context, t CaseTarget, all []signal.Scored) (open int, lacking []string, err error)
}

// Signal stores a source's signals about a target, adds them once to each open report of the target, and returns how
// many open reports there are. A task adds them instead if many reports lack them, and adds them later to a report that
// accepts no more signals of the source now. It is idempotent.
func (s *Service) Signal(ctx context.Context, t CaseTarget, source string, all []signal.Signal) (reports int, err error) {
	if _, err = s.reports.KeepSignals(ctx, t, source, all, s.now(), false); err != nil {
		return 0, err
	}
	return s.spread(ctx, t, spreadAtOnce, "")
}

// SpreadSignals adds the stored signals of a target to its open reports. It is idempotent and can be interrupted. by is
// the id of the task that runs it.
func (s *Service) SpreadSignals(ctx context.Context, t CaseTarget, by string) error {
	_, err := s.spread(ctx, t, math.MaxInt, by)
	return err
}

// SignalMissed adds stored signals to the reports that servers of a release without signals have filed.
func (s *Service) SignalMissed(ctx context.Context) error {
	missed, err := s.reports.Unsignalled(ctx)
	for _, t := range missed {
		if err = s.SpreadSignals(ctx, t, ""); err != nil {
			break
		}
	}
	return err
}

// spread adds the stored signals of a target to its open reports and returns their number. If more than some of them
// lack a signal, it leaves all to a task.
func (s *Service) spread(ctx context.Context, t CaseTarget, some int, by string) (open int, err error) {
	kept, err := s.reports.KeptSignals(ctx, t)
	if err != nil {
		return 0, err
	}
	open, lacking, err := s.reports.OpenOn(ctx, t, kept)
	switch {
	case err != nil:
		return 0, err
	case len(lacking) > some:
		return open, s.reports.SpreadLater(ctx, t, s.now(), s.now(), by)
	}
	var later time.Time
	for ids := range slices.Chunk(lacking, spreadBatch) {
		_, err := s.appendAll(ctx, ids, nil, func(l Loaded) ([]report.Fact, error) {
			facts, due := report.DecideSignals(l.State, kept, s.now())
			if !due.IsZero() && (later.IsZero() || due.Before(later)) {
				later = due
			}
			return facts, nil
		})
		if err != nil {
			return 0, err
		}
	}
	if !later.IsZero() {
		err = s.reports.SpreadLater(ctx, t, s.now(), later, by)
	}
	return open, err
}

// SignalTarget returns the target that a message with signals names, or its faults. The error is CodeUnavailable if
// only another server has the target's plugin.
func (s *Service) SignalTarget(ctx context.Context, pluginID, targetType, targetID string) (CaseTarget, []domain.Issue, error) {
	def, id, issues := s.findTarget(pluginID, targetType, targetID)
	if def == nil {
		if err := s.checkPlugin(ctx, nil, report.Target{PluginID: pluginID, Type: targetType}); err != nil {
			return CaseTarget{}, nil, err
		}
	}
	return CaseTarget{pluginID, targetType, id}, issues, nil
}

// findTarget finds a type and the canonical form of an id.
func (s *Service) findTarget(pluginID, targetType, targetID string) (def *target.Definition, id string, issues domain.Issues) {
	if def = s.targets.Find(pluginID, targetType); def == nil {
		return nil, "", []domain.Issue{{Path: "targetType", Code: "unknown_target", Message: fmt.Sprintf("The plugin %q has no type %q that can be reported.", clip(pluginID), clip(targetType))}}
	}
	id, ok := def.ParsedID(targetID)
	if !ok {
		issues.Add("targetId", "invalid", "%q is not a valid %s id.", clip(targetID), def.Noun())
	}
	return def, id, issues
}

// SignalView is a signal about the content of a report.
type SignalView struct {
	Source string      `json:"source"`
	Name   string      `json:"name"`
	Score  float64     `json:"score"`
	At     domain.Time `json:"at"`
}

func viewSignals(s *report.State) []SignalView {
	return domain.Map(s.Signals, func(one signal.Scored) SignalView {
		return SignalView{one.Source, one.Name, one.Score, domain.Time(one.At)}
	})
}
