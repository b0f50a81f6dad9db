package moderation

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
)

// Proposal is what the ladder proposes for an author of a report's content.
type Proposal struct {
	Author  ProposalAuthor   `json:"author"`
	Strikes int              `json:"strikes"` // as they stand
	After   int              `json:"after"`   // the decision, in the place of the present one
	Measure *ProposalMeasure `json:"measure"`
	Kinds   []measure.Kind   `json:"kinds"` // that the caller may impose, the mildest first
	step    *measure.Step
}

// ProposalAuthor is the author of a Proposal.
type ProposalAuthor struct {
	measure.Author
	Name *string `json:"name"` // null once erased
}

// ProposalMeasure is the measure of a Proposal.
type ProposalMeasure struct {
	Kind  measure.Kind `json:"kind"`
	Until *domain.Time `json:"until"`
}

// Propose returns what the ladder would propose for each author of the report's content after this number of new
// decisions that cite the policy with this key, "" for none. One of them replaces the decision on this report, if there
// is one. It returns validation_failed if the policy is not in force.
func (s *Service) Propose(ctx context.Context, a *Authorized, key string, decisions int) ([]Proposal, error) {
	var cited *policy.Policy
	if key != "" {
		var err error
		if cited, err = s.citable(ctx, key); err != nil {
			return nil, err
		}
		if cited == nil {
			return nil, domain.Invalid(unknownPolicy("policy"))
		}
	}
	authors, err := s.reports.AuthorsOf(ctx, a.Report.ID)
	if err != nil {
		return nil, err
	}
	ids := domain.Map(authors, func(author AuthorView) string { return author.ID })
	now := s.now()
	found, err := s.propose(ctx, a, ids, cited, decisions, now)
	if err != nil {
		return nil, err
	}
	def := s.targets.Find(a.Report.Target.PluginID, a.Report.Target.Type)
	kinds := domain.OrNone(domain.Filter(measure.Kinds, func(k measure.Kind) bool {
		return offers(def, k) && authorizeMeasures(a, k) == nil
	}))
	all := []Proposal{}
	for _, author := range authors {
		p := found[author.ID]
		p.Author.Name, p.Kinds = author.Name, kinds
		if p.step != nil && offers(def, p.step.Kind) {
			p.Measure = &ProposalMeasure{p.step.Kind, domain.TimeOf(p.step.Until(now))}
		}
		all = append(all, p)
	}
	return all, nil
}

// propose returns the proposals by author id.
func (s *Service) propose(ctx context.Context, a *Authorized, authorIDs []string, cited *policy.Policy, decisions int, now time.Time) (map[string]Proposal, error) {
	authors := domain.Map(authorIDs, func(id string) measure.Author { return measure.Author{PluginID: a.Report.Target.PluginID, ID: id} })
	var ladder measure.Ladder
	var err error
	if s.Policies != nil {
		if ladder, err = s.Policies.Ladder(ctx); err != nil {
			return nil, err
		}
	}
	with, err := s.reports.StrikeDecisions(ctx, authors, now, "", a.Caller.Blind)
	if err != nil {
		return nil, err
	}
	without, err := s.reports.StrikeDecisions(ctx, authors, now, a.Report.ID, a.Caller.Blind)
	if err != nil {
		return nil, err
	}
	all := make(map[string]Proposal, len(authors))
	for _, author := range authors {
		p := Proposal{Author: ProposalAuthor{Author: author}, Strikes: measure.StrikesAt(with[author], now), After: measure.StrikesAt(without[author], now)}
		if cited != nil {
			p.After += decisions * cited.Strikes
		}
		p.step = ladder.Propose(p.After)
		all[author.ID] = p
	}
	return all, nil
}
