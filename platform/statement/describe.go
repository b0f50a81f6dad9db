package statement

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore"
)

// described is a decision with the present data of its report.
type described struct {
	statement.Decision
	target     report.Target
	cited      *string
	stands     bool
	restricted bool // it has restricted somebody, even if it does not stand
	asked      bool // a platform has not responded yet
}

// describe reads a decision from the events of its report.
func (s *Store) describe(ctx context.Context, reportID, decisionID string) (described, error) {
	var state report.State
	var decision *report.Event
	var last string // decision
	acted, byRule := false, false
	err := eventstore.EachEvent(ctx, s.pool, reportID, func(e report.Event) {
		state = report.Evolve(state, e)
		switch f := e.Fact.(type) {
		case *report.Resolved:
			last = e.ID
			if e.ID == decisionID {
				decision = &e
			}
		case *report.ActionDone:
			acted = true
			if f.Action == target.Hide || f.Undoes == target.Hide {
				byRule = f.Rule != "" && f.Undoes == ""
			}
		case *report.MeasureImposed:
			acted = true
		}
	})
	if err != nil {
		return described{}, err
	}
	if decision == nil {
		return described{}, fmt.Errorf("report %s has no such decision", reportID)
	}
	d := described{target: state.Target, restricted: acted, asked: len(state.Pending) > 0,
		stands: last == decisionID && state.Status == report.Done && state.Resolution != nil && *state.Resolution == report.ActionTaken}
	d.Decision = s.restrictions(state, decision.OccurredAt)
	d.ID, d.DecidedAt, d.ByRule = decisionID, decision.OccurredAt, byRule
	return d, s.cite(ctx, &d, decision.Fact.(*report.Resolved).Policy)
}

// restrictions returns the restrictions of a report's decision, and its content.
func (s *Store) restrictions(state report.State, decidedAt time.Time) statement.Decision {
	d := statement.Decision{Language: state.Locale, ContentDate: published(state), Source: string(state.Source)}
	def := s.targets.Find(state.Target.PluginID, state.Target.Type)
	if def != nil {
		d.ContentType = def.ContentType
	}
	for _, name := range state.Standing {
		if name == target.Hide {
			d.Hidden = true
		} else if def != nil {
			if _, ok := def.UndoOf(name); ok {
				d.Others = append(d.Others, name)
			}
		}
	}
	for _, m := range state.Measures {
		if !m.ImposedAt.Before(decidedAt) && (m.EndedAt == nil || m.EndedBy == measure.EndedByExpiry) {
			d.Measures = append(d.Measures, statement.Measure{Kind: m.Kind, Until: m.Until})
		}
	}
	return d
}

// published returns when the content was published or last updated or, if unknown, reported.
func published(state report.State) time.Time {
	var stored struct{ Source snapshot.Source }
	_ = json.Unmarshal(state.Snapshot, &stored) // there is none once it is erased
	if at := cmp.Or(stored.Source.PublishedAt, stored.Source.UpdatedAt); at != nil {
		return *at
	}
	return state.CreatedAt
}

// cite adds the policy that a decision cites. If that version has no basis for the database, the newest one of its key
// is used.
func (s *Store) cite(ctx context.Context, d *described, cited *policy.Ref) error {
	if cited == nil {
		return nil
	}
	d.cited = new(fmt.Sprintf("%s/%d", cited.Key, cited.Version))
	p, err := s.policies.Version(ctx, *cited)
	if err != nil || p == nil {
		return err
	}
	d.Policy = &statement.Policy{Key: p.Key, Version: p.Version, Title: p.Title, Text: p.Text, Template: p.Template, Basis: p.Statement}
	if p.Statement == nil {
		newest, err := s.policies.Newest(ctx, cited.Key)
		if err != nil {
			return err
		}
		if newest != nil {
			d.Policy.Basis = newest.Statement
		}
	}
	return nil
}
