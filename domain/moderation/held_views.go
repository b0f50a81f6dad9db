package moderation

import (
	"context"
	"encoding/json"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// MaxReleasers is how many of the people who can release a held decision its view names.
const MaxReleasers = 20

// HeldView is a held decision: one that needs a second person's approval.
type HeldView struct {
	ID        string      `json:"id"`
	By        *Person     `json:"by"` // null once the account is deleted
	At        domain.Time `json:"at"`
	ExpiresAt domain.Time `json:"expiresAt"`
}

// HeldDetail is a HeldView with the whole decision, and who can release it.
type HeldDetail struct {
	HeldView
	AskedView
	HeldWordsView
	// Releasable is set if the caller can release the decision. Releasers are at most MaxReleasers of those who can.
	Releasable bool     `json:"releasable"`
	Releasers  []Person `json:"releasers"`
}

// AskedView is a decision that is not made yet.
type AskedView struct {
	Action     *string            `json:"action"`     // null without one
	Resolution *report.Resolution `json:"resolution"` // null for an action alone
	Policy     *policy.Ref        `json:"policy"`
	Share      bool               `json:"share"`
	Measures   []AskedMeasure     `json:"measures"`
	Reports    []string           `json:"reports"` // that are decided together, first the one with the action and the measures
}

// AskedMeasure is a measure that is not imposed yet.
type AskedMeasure struct {
	Author measure.Author `json:"author"`
	Kind   measure.Kind   `json:"kind"`
	Until  *domain.Time   `json:"until"`
}

// HeldWordsView are the texts of a held decision.
type HeldWordsView struct {
	Explanation *string         `json:"explanation"`
	Reasons     json.RawMessage `json:"reasons"` // a JSON string or a document
	Erased      bool            `json:"erased,omitempty"`
}

// HeldItem is a held decision in a list.
type HeldItem struct {
	HeldDetail
	ReportID string  `json:"reportId"` // the first report
	Version  int     `json:"version"`  // its version
	Report   Summary `json:"report"`
}

func viewAsked(a report.Asked, reportID string) AskedView {
	v := AskedView{Action: domain.OrNull(a.Action), Resolution: a.Resolution, Policy: a.Policy, Share: a.Shared, Measures: []AskedMeasure{}, Reports: a.Reports}
	if len(v.Reports) == 0 {
		v.Reports = []string{reportID}
	}
	for _, m := range a.Measures {
		v.Measures = append(v.Measures, AskedMeasure{m.Author, m.Kind, domain.TimeOf(m.Until)})
	}
	return v
}

func viewHeldWords(a report.Asked, w *report.ResolvedWords) (v HeldWordsView) {
	if w != nil {
		v.Explanation, v.Reasons = w.Explanation, w.Reasons
	}
	v.Erased = a.Explained && v.Explanation == nil || a.Reasoned && v.Reasons == nil
	return v
}

func heldBy(s *report.State, by *Person) *HeldView {
	h := s.HeldDecision
	if h == nil {
		return nil
	}
	return &HeldView{h.ID, by, domain.Time(h.At), domain.Time(h.ExpiresAt)}
}

func viewHeld(r *Stored) *HeldView { return heldBy(&r.State, r.HeldBy) }

// heldIn is viewHeld with the names of accounts by id.
func heldIn(s *report.State, names map[string]string) *HeldView {
	if s.HeldDecision == nil {
		return nil
	}
	return heldBy(s, named(&s.HeldDecision.By, names))
}

// viewHeldDetail returns the held decision of a report, which must have one. approvers are those who hold the
// permission to release in the report's module.
func viewHeldDetail(c *permission.Caller, r *Stored, approvers []Candidate) *HeldDetail {
	h := r.HeldDecision
	d := &HeldDetail{HeldView: *viewHeld(r), AskedView: viewAsked(h.Asked, r.ID), HeldWordsView: viewHeldWords(h.Asked, r.HeldWords),
		Releasable: mayRelease(r, h.By, c.UserID) && allows(c, r, permission.Approve), Releasers: releasers(approvers, r, h.By)}
	d.Releasers = d.Releasers[:min(len(d.Releasers), MaxReleasers)]
	return d
}

// ViewHeld returns the items of a list of held decisions. Who can release them is looked up once for each module.
func (s *Service) ViewHeld(ctx context.Context, c *permission.Caller, page paging.Page[Stored]) (paging.Page[HeldItem], error) {
	type module struct{ plugin, module string }
	approvers := map[module][]Candidate{}
	for _, r := range page.Edges {
		of := module{r.Target.PluginID, r.Target.PermissionModule}
		if _, known := approvers[of]; known {
			continue
		}
		found, err := s.staff.Moderators(ctx, of.plugin, of.module, permission.Approve, "", "")
		if err != nil {
			return paging.Page[HeldItem]{}, err
		}
		approvers[of] = found
	}
	return paging.Map(page, func(r Stored) HeldItem {
		d := viewHeldDetail(c, &r, approvers[module{r.Target.PluginID, r.Target.PermissionModule}])
		return HeldItem{HeldDetail: *d, ReportID: r.ID, Version: r.Version, Report: s.Summarize(&r)}
	}), nil
}
