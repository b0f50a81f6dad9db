package moderation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// Measures reads measures, and the decisions that give strikes.
type Measures interface {
	// Measure reads a measure, or returns NotFound.
	Measure(ctx context.Context, id string) (StoredMeasure, error)
	// AuthorsOf returns the authors of a report's content.
	AuthorsOf(ctx context.Context, reportID string) ([]AuthorView, error)
	// StrikeDecisions reads the decisions that give strikes to each author, if they stand now or
	// stood at a time. It leaves out those on the report without, "" for none, and those that blind
	// hides.
	StrikeDecisions(ctx context.Context, authors []measure.Author, at time.Time, without string, blind *permission.Blind) (map[measure.Author][]measure.Decision, error)
	// Standing reads the standing measures on an author, without those of these reports. It locks
	// the author's measures until the transaction ends.
	Standing(ctx context.Context, tx pgx.Tx, of measure.Author, without []string) ([]measure.Standing, error)
	// DueMeasures lists at most limit reports with measures that are due, or whose decision a
	// release before measures has replaced. It leaves out the reports without.
	DueMeasures(ctx context.Context, now time.Time, without []string, limit int) ([]string, error)
	// LadderMeasures lists the standing measures that the ladder proposed, on authors who ever had a
	// replaced decision, since that may have counted for the proposal. It leaves out what only lists
	// show.
	LadderMeasures(ctx context.Context) ([]StoredMeasure, error)
}

// StoredMeasure is a stored measure with further columns for lists.
type StoredMeasure struct {
	report.Measure
	ReportID string
	Version  int // the report's
	Name     *string
	Account  *Person
	Imposer  *Person
}

// offers reports whether measures of the kind can be imposed on the authors of a target.
func offers(def *target.Definition, k measure.Kind) bool {
	return k == measure.Warn || carries(def, k)
}

// carries reports whether the target's platform carries out measures of the kind.
func carries(def *target.Definition, k measure.Kind) bool {
	return def != nil && def.People != nil && slices.Contains(def.People.Kinds, k)
}

// measureIssues returns the faults of the measures in a decision on the report.
func (s *Service) measureIssues(ctx context.Context, a *Authorized, c *report.Resolve, path string) (issues domain.Issues, err error) {
	authors, err := s.reports.AuthorsOf(ctx, a.Report.ID)
	if err != nil {
		return nil, err
	}
	def := s.targets.Find(a.Report.Target.PluginID, a.Report.Target.Type)
	for i, m := range c.Measures {
		at := fmt.Sprintf("%s[%d].", path, i)
		if !slices.ContainsFunc(authors, func(known AuthorView) bool { return known.ID == m.Author.ID }) {
			issues.Add(at+"authorId", "unknown_author", "The content has no such author.")
		}
		if !offers(def, m.Kind) {
			issues.Add(at+"kind", "not_offered", "The platform of this content cannot carry out this measure.")
		}
	}
	return issues, nil
}

// authorizeMeasures returns Forbidden if the caller may not impose or end measures of the kinds.
func authorizeMeasures(a *Authorized, kinds ...measure.Kind) error {
	if len(kinds) > 0 && !allows(a.Caller, a.Report, permission.ImposeMeasures) {
		return domain.Errorf(domain.CodeForbidden, "You need the permission %s for this report.", permission.ImposeMeasures)
	}
	t := a.Report.Target
	for _, k := range kinds {
		if k.Wide() && !a.Caller.Moderator.CoversWhole(t.PluginID, t.PermissionModule, permission.ImposeMeasures, domain.OrEmpty(a.Report.Scope).Family) {
			return domain.Errorf(domain.CodeForbidden, "You need the permission %s for all of %s, not only for some scopes, to %s an author.", permission.ImposeMeasures, t.PermissionModule, k)
		}
	}
	return nil
}

// completeMeasures sets the ids of a decision's measures and marks those that the ladder proposes. cited is the policy
// that the decision cites, or nil.
func (s *Service) completeMeasures(ctx context.Context, a *Authorized, c *report.Resolve, cited *policy.Policy) error {
	now := s.now()
	var authors []string
	for i := range c.Measures {
		c.Measures[i].ID, c.Measures[i].Because = uuid.Must(uuid.NewV7()).String(), measure.ByModerator
		c.Measures[i].Author.PluginID = a.Report.Target.PluginID
		authors = append(authors, c.Measures[i].Author.ID)
	}
	proposals, err := s.propose(ctx, a, authors, cited, 1, now)
	if err != nil {
		return err
	}
	for i := range c.Measures {
		m := &c.Measures[i]
		step := proposals[m.Author.ID].step
		if step != nil && step.Proposed(measure.Request{AuthorID: m.Author.ID, Kind: m.Kind, Until: m.Until}, now) {
			m.Because, m.Threshold = measure.ByLadder, step.Strikes
		}
	}
	return nil
}
