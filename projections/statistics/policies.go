package statistics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/projector"
)

// policyFigures counts in core_projected_policies the reports that name a policy in any version, the decisions that cite
// it, and their appeals, on each day, in UTC, in the target's scope at that time.
var policyFigures = projector.Counted{
	Name: "policies", Version: 2,
	Keys:     []projector.Column{{Name: "target_type", Type: "text"}, {Name: "day", Type: "date"}, {Name: "policy", Type: "text"}},
	Counters: []string{"decided", "decided_seconds", "appeals", "appeals_upheld", "appeals_overturned", "appeals_seconds", "reported"},
	Count: func(s projector.Step) []projector.Addition {
		var cited *policy.Ref
		if d := s.Before.Decision; d != nil { // an appeal is of the decision before it
			cited = d.Policy
		}
		var counters []int64
		switch f := s.Event.Fact.(type) {
		case *report.Created:
			cited, counters = f.Policy, []int64{0, 0, 0, 0, 0, 0, 1}
		case *report.Resolved:
			cited = f.Policy
			counters = []int64{1, int64(s.Event.OccurredAt.Sub(s.After.CreatedAt) / time.Second), 0, 0, 0, 0, 0}
		case *report.Appealed:
			counters = []int64{0, 0, 1, 0, 0, 0, 0}
		case *report.AppealDecided:
			counters = slices.Concat([]int64{0, 0}, appealDecided(s, f), []int64{0})
		}
		if counters == nil || cited == nil {
			return nil
		}
		day := s.Event.OccurredAt.UTC().Format(time.DateOnly)
		return []projector.Addition{projector.Add(report.TargetAt(s.Event, s.After.Target), []string{s.After.Target.Type, day, cited.Key}, counters)}
	},
}

// PolicyFigures count the reports that name a policy, the decisions that cite it, and the outcomes of their appeals. The
// means are in seconds, null if there was nothing to measure.
type PolicyFigures struct {
	Policy            string   `json:"policy"` // its key
	Reported          int64    `json:"reported"`
	Decided           int64    `json:"decided"`
	Decision          *float64 `json:"meanSecondsToDecision"` // from filing
	AppealsOpened     int64    `json:"appealsOpened"`
	AppealsUpheld     int64    `json:"appealsUpheld"`
	AppealsOverturned int64    `json:"appealsOverturned"`
	AppealDecision    *float64 `json:"meanSecondsToAppealDecision"` // from the appeal
	ReversalRate      *float64 `json:"reversalRate"`                // overturned share of the decided appeals, 0 to 1
}

// Policies returns the figures of each policy that was cited or named, the most decisions first.
func (s *Reader) Policies(ctx context.Context, c permission.Coverage, f DayFilter) ([]PolicyFigures, error) {
	policies := []PolicyFigures{}
	rows, err := s.sums(ctx, policyFigures, "r.policy", c, f)
	if rows == nil || err != nil {
		return policies, err
	}
	var p PolicyFigures
	var decision, appeal int64
	_, err = pgx.ForEachRow(rows, []any{&p.Policy, &p.Decided, &decision, &p.AppealsOpened, &p.AppealsUpheld, &p.AppealsOverturned, &appeal, &p.Reported}, func() error {
		closed := p.AppealsUpheld + p.AppealsOverturned
		p.Decision, p.AppealDecision, p.ReversalRate = mean(decision, p.Decided), mean(appeal, closed), mean(p.AppealsOverturned, closed)
		policies = append(policies, p)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the figures of policies: %w", err)
	}
	slices.SortStableFunc(policies, func(a, b PolicyFigures) int { return cmp.Compare(b.Decided, a.Decided) })
	return policies, nil
}
