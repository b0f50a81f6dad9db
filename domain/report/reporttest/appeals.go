// Package reporttest checks the events of a report by an independent implementation of the rules, so that tests need
// not trust the state that the events fold to. Other modules must not import it.
package reporttest

import (
	"fmt"
	"maps"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// CheckAppeals returns the first breach of the rules about appeals in a report's events, which
// are given oldest first:
//
//   - an appeal is of a decision that stands, of a resolution that its role may appeal, and
//     within the decision's period;
//   - a role appeals a decision once, so that at most one appeal of a role is open;
//   - an appeal is decided once, and not by an account that made or approved the decision, or appealed it;
//   - a decision that is replaced leaves no appeal open, unless the outcome is the same, and is
//     not replaced by its maker while its appeal is open;
//   - the content is not hidden once an author's appeal is overturned, unless it is gone.
//
// gone is the sequence of the first event after the content was deleted, 0 if it was not.
func CheckAppeals(events []report.Event, gone int) error {
	r := rules{appeals: map[string]report.AppealStatus{}}
	for i, e := range events {
		if err := r.next(e); err != nil {
			return fmt.Errorf("event %d, %s: %w", e.Sequence, e.Type, err)
		}
		if i+1 < len(events) && events[i+1].Version == e.Version {
			continue // the command may not have ended
		}
		if r.overturned > 0 && r.hidden && (gone == 0 || r.overturned < gone) {
			return fmt.Errorf("event %d: the content is still hidden after the appeal was overturned", r.overturned)
		}
		r.overturned = 0
	}
	return nil
}

// rules is the state of appeals after the events so far.
type rules struct {
	decision   *decision // nil unless one stands
	appeals    map[string]report.AppealStatus
	hidden     bool
	overturned int // the sequence of an author's appeal that this command overturns
}

// decision is a decision that stands, and its appeals.
type decision struct {
	makers     map[string]bool // but for deleted accounts; several if the outcome was repeated
	resolution report.Resolution
	policy     string
	until      *time.Time
	appealed   map[report.Role]bool
	open       map[string]string // the appellants of the open appeals, "" if deleted
}

func (r *rules) next(e report.Event) error {
	switch f := e.Fact.(type) {
	case *report.Resolved:
		return r.resolve(e, f)
	case *report.Reopened:
		return r.withdraw()
	case *report.ActionDone:
		if f.Action == "hide" || f.Action == "unhide" {
			r.hidden = f.Action == "hide"
		}
	case *report.AccountRemoved:
		if r.decision != nil {
			r.decision.forget(f.UserID)
		}
	case *report.Appealed:
		return r.appeal(e, f)
	case *report.AppealDecided:
		return r.decide(e, f)
	}
	return nil
}

func (r *rules) resolve(e report.Event, f *report.Resolved) error {
	next := &decision{makers: map[string]bool{domain.OrEmpty(e.ActorID): true}, resolution: f.Resolution, policy: fmt.Sprint(f.Policy), until: f.AppealableUntil,
		appealed: map[report.Role]bool{}, open: map[string]string{}}
	if f.ReleasedBy != "" {
		next.makers[f.ReleasedBy] = true
	}
	if d := r.decision; d != nil && len(d.open) > 0 && d.resolution == next.resolution && d.policy == next.policy {
		if d.makers[domain.OrEmpty(e.ActorID)] || f.ReleasedBy != "" && d.makers[f.ReleasedBy] {
			return fmt.Errorf("the decision's maker replaces it while its appeal is open")
		}
		maps.Copy(next.makers, d.makers)
		next.appealed, next.open = d.appealed, d.open
	} else if err := r.withdraw(); err != nil {
		return err
	}
	r.decision = next
	return nil
}

func (r *rules) withdraw() error {
	if r.decision != nil && len(r.decision.open) > 0 {
		return fmt.Errorf("%d appeals of the decision that it replaces are open", len(r.decision.open))
	}
	r.decision = nil
	return nil
}

func (r *rules) appeal(e report.Event, f *report.Appealed) error {
	d := r.decision
	appealable := map[report.Role]report.Resolution{report.Author: report.ActionTaken, report.Reporter: report.NoViolation}
	switch {
	case d == nil:
		return fmt.Errorf("no decision stands")
	case d.resolution != appealable[f.By]:
		return fmt.Errorf("the %s cannot appeal %s", f.By, d.resolution)
	case d.until == nil || !e.OccurredAt.Before(*d.until):
		return fmt.Errorf("the period of appeals has ended")
	case d.appealed[f.By]:
		return fmt.Errorf("the %s has appealed this decision before", f.By)
	}
	d.appealed[f.By], d.open[f.AppealID] = true, domain.OrEmpty(e.ActorID)
	r.appeals[f.AppealID] = report.AppealOpen
	return nil
}

func (r *rules) decide(e report.Event, f *report.AppealDecided) error {
	switch {
	case r.appeals[f.AppealID] != report.AppealOpen:
		return fmt.Errorf("the appeal is not open")
	case r.decision == nil || !isOpen(r.decision, f.AppealID):
		return fmt.Errorf("the appeal is not of the decision that stands")
	case r.decision.makers[domain.OrEmpty(e.ActorID)]:
		return fmt.Errorf("the decision's maker decides its appeal or disposes of it")
	case !f.Superseded && r.decision.open[f.AppealID] != "" && r.decision.open[f.AppealID] == domain.OrEmpty(e.ActorID):
		return fmt.Errorf("the appellant decides the appeal")
	}
	delete(r.decision.open, f.AppealID)
	r.appeals[f.AppealID] = f.Outcome
	if f.Outcome == report.AppealOverturned && f.By == report.Author && !f.Superseded {
		r.overturned = e.Sequence
	}
	return nil
}

func isOpen(d *decision, appealID string) bool {
	_, open := d.open[appealID]
	return open
}

// forget removes a deleted account.
func (d *decision) forget(userID string) {
	delete(d.makers, userID)
	for id, appellant := range d.open {
		if appellant == userID {
			d.open[id] = ""
		}
	}
}

// Pick returns one of the values with about equal probability, from eight random bits. The generators of package rapid
// favour the first values.
func Pick[T any](draw func() bool, values ...T) T {
	n := 0
	for range 8 {
		n *= 2
		if draw() {
			n++
		}
	}
	return values[n%len(values)]
}
