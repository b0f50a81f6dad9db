package report

import "github.com/docketmod/docket/domain/scope"

// Placed is embedded in facts that daily figures count. Figures count in the target's scope at the
// event, which may differ from that at filing.
type Placed struct {
	// Scope is nil if the target had not moved since the report was filed.
	Scope *scope.Resource `json:"scope,omitempty"`
}

func (p *Placed) placed() *Placed { return p }

// Place records the target's scope at the event in the facts. A nil scope is unknown.
func Place(facts []Fact, filed Target, now *scope.Resource) {
	if now == nil || filed.Scope != nil && *filed.Scope == *now {
		return
	}
	for _, f := range facts {
		if p, ok := f.(interface{ placed() *Placed }); ok {
			p.placed().Scope = now
		}
	}
}

// TargetAt returns the target with the scope that it had when the event happened.
func TargetAt(e Event, filed Target) Target {
	if p, ok := e.Fact.(interface{ placed() *Placed }); ok && p.placed().Scope != nil {
		filed.Scope = p.placed().Scope
	}
	return filed
}
