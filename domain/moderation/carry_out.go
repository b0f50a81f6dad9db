package moderation

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// carryingLog is a Log that also makes platforms carry out the measures that a command imposes or ends, and
// unhide what a rule hid, in the command's transaction.
type carryingLog struct {
	Log
	service *Service
}

func (l carryingLog) Update(ctx context.Context, ref Ref, actorID *string, decide Decide) (report.State, error) {
	return l.Log.Update(ctx, ref, actorID, func(ctx context.Context, tx pgx.Tx, loaded Loaded) (Change, error) {
		change, err := decide(ctx, tx, loaded)
		changes := []Change{change}
		if err == nil {
			err = l.service.complete(ctx, tx, actorID, []Loaded{loaded}, changes)
		}
		return changes[0], err
	})
}

func (l carryingLog) UpdateAll(ctx context.Context, reportIDs []string, actorID *string, decide DecideAll) ([]report.State, error) {
	return l.Log.UpdateAll(ctx, reportIDs, actorID, func(ctx context.Context, tx pgx.Tx, loaded []Loaded) ([]Change, error) {
		changes, err := decide(ctx, tx, loaded)
		if err == nil {
			err = l.service.complete(ctx, tx, actorID, loaded, changes)
		}
		return changes, err
	})
}

// complete adds to the changes their consequences on the platforms.
func (s *Service) complete(ctx context.Context, tx pgx.Tx, actorID *string, loaded []Loaded, changes []Change) error {
	if err := s.restore(ctx, tx, actorID, loaded, changes); err != nil {
		return err
	}
	if err := s.carryOut(ctx, tx, actorID, loaded, changes); err != nil {
		return err
	}
	return s.checkEffects(changes)
}

// checkEffects returns action_failed if a plugin asks for a task that it does not declare, which nobody would run. Requests
// to a platform wait for a server that has it.
func (s *Service) checkEffects(changes []Change) error {
	for _, c := range changes {
		for _, e := range c.Effects {
			if s.Handles != nil && e.Task != target.RemoteTask && !s.Handles(c.PluginID, e.Task) {
				return actionFailed(fmt.Errorf("the plugin %s declares no task %q, which an effect names", c.PluginID, e.Task))
			}
		}
	}
	return nil
}

// checkPlugin returns unavailable if only another server has the content's plugin. If no server has it, the content
// counts as deleted.
func (s *Service) checkPlugin(ctx context.Context, tx pgx.Tx, t report.Target) error {
	if s.Elsewhere == nil || s.targets.Find(t.PluginID, t.Type) != nil {
		return nil
	}
	elsewhere, err := s.Elsewhere(ctx, tx)
	if err != nil || !slices.Contains(elsewhere, t.PluginID) {
		return err
	}
	return domain.Errorf(domain.CodeUnavailable, "This server does not have the plugin of this content, and another one has; try again shortly.")
}

// stateAfter returns the state after a change.
func stateAfter(l Loaded, c Change, actorID *string) report.State {
	_, after := report.Stamp(l.State, c.Facts, actorID, l.Now, func() string { return "" })
	return after
}

// carrying is a measure that a command imposes or ends.
type carrying struct {
	report  int // its index
	author  measure.Author
	imposed bool
	request target.MeasureRequest
}

// carryOut makes the platforms carry out the measures that the changes impose or end, or adds requests for
// after the commit. It adds their effects to the changes. Authors are processed in a fixed order, so that
// two commands cannot deadlock.
func (s *Service) carryOut(ctx context.Context, tx pgx.Tx, actorID *string, loaded []Loaded, changes []Change) error {
	var all []carrying
	for i := range changes {
		change, l := &changes[i], loaded[i]
		def := s.targets.Find(l.State.Target.PluginID, l.State.Target.Type)
		for _, f := range change.Facts {
			if f, ends := f.(*report.MeasureEnded); ends && f.Kind != measure.Warn && !l.State.Asked(f) {
				if err := s.checkPlugin(ctx, tx, l.State.Target); err != nil {
					return err
				}
			}
			c, ok := carryingOf(def, l, f)
			switch {
			case ok && def.People.Do != nil, l.State.Asked(f): // even if the platform is not connected now
				change.Facts = append(change.Facts, report.Ask(f))
			case ok:
				c.report, c.request.ActorID, c.request.Tx = i, domain.OrEmpty(actorID), tx
				all = append(all, c)
			}
		}
		requestMeasures(l.State, change)
	}
	if len(all) == 0 {
		return nil
	}
	ids := make([]string, len(loaded))
	after := make([]report.State, len(loaded))
	for i, l := range loaded {
		ids[i], after[i] = l.State.ID, stateAfter(l, changes[i], actorID)
	}
	slices.SortStableFunc(all, func(a, b carrying) int {
		return cmp.Or(cmp.Compare(a.author.PluginID, b.author.PluginID), cmp.Compare(a.author.ID, b.author.ID))
	})
	standing := map[measure.Author][]measure.Standing{}
	for _, c := range all {
		if _, read := standing[c.author]; !read {
			of, err := s.reports.Standing(ctx, tx, c.author, ids)
			if err != nil {
				return err
			}
			for _, state := range after {
				of = append(of, standingIn(state, c.author)...)
			}
			standing[c.author] = of
		}
		c.request.Standing = standing[c.author]
		effects, err := s.carry(ctx, loaded[c.report].State.Target, c)
		if err != nil {
			return actionFailed(err)
		}
		change := &changes[c.report]
		change.PluginID, change.Effects = c.author.PluginID, append(change.Effects, effects...)
	}
	if _, err := tx.Exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
		return actionFailed(err)
	}
	return nil
}

// carryingOf returns the measure that a fact imposes or ends, if the target's platform carries it
// out.
func carryingOf(def *target.Definition, l Loaded, f report.Fact) (c carrying, ok bool) {
	c.request = target.MeasureRequest{ReportID: l.State.ID, At: l.Now}
	switch f := f.(type) {
	case *report.MeasureImposed:
		c.author, c.imposed = f.Author, true
		c.request.MeasureID, c.request.Kind, c.request.Until = f.ID, f.Kind, f.Until
	case *report.MeasureEnded:
		c.author = f.Author
		c.request.MeasureID, c.request.Kind = f.MeasureID, f.Kind
	default:
		return c, false
	}
	c.request.AuthorID = c.author.ID
	return c, carries(def, c.request.Kind)
}

// requestMeasures adds the tasks that send a change's requests about measures to the platform.
func requestMeasures(before report.State, c *Change) {
	for n, f := range c.Facts {
		if _, ok := f.(*report.MeasurePending); ok {
			c.PluginID, c.Effects = before.Target.PluginID, append(c.Effects, request(before, before.Sequence+1+n))
		}
	}
}

func standingIn(s report.State, author measure.Author) (all []measure.Standing) {
	for _, m := range s.Measures {
		if m.EndedAt == nil && m.Author == author {
			all = append(all, measure.Standing{Kind: m.Kind, Until: m.Until})
		}
	}
	return all
}

func (s *Service) carry(ctx context.Context, t report.Target, c carrying) (effects []target.Effect, err error) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	people := s.targets.Find(t.PluginID, t.Type).People
	run := people.End
	if c.imposed {
		run = people.Impose
	}
	err = call.Safely("measure", t.Type+" "+string(c.request.Kind), func() (err error) {
		if effects, err = run(ctx, c.request); err != nil {
			return err
		}
		return encodePayloads(effects)
	})
	return effects, err
}
