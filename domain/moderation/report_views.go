package moderation

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// baseView has the fields that a report now and a report as it stood share.
type baseView struct {
	ID          string        `json:"id"`
	Status      report.Status `json:"status"`
	Version     int           `json:"version"`
	Reason      report.Reason `json:"reason"`
	Description *string       `json:"description"`
	// AllegedPolicy is the policy that the reporter named, or null.
	AllegedPolicy *policy.Ref   `json:"allegedPolicy"`
	Source        report.Source `json:"source"`

	Reporter *Person `json:"reporter"`
	Assignee *Person `json:"assignee"`
	Resolver *Person `json:"resolver"`

	Resolution  *report.Resolution `json:"resolution"`
	Explanation *string            `json:"explanation"`
	Decision    *DecisionView      `json:"decision"` // null while it is not done
	Held        *HeldView          `json:"held"`     // the held decision, or null
	Measures    []ReportMeasure    `json:"measures"`

	NoteCount int      `json:"noteCount"`
	Erased    bool     `json:"erased,omitempty"`
	Tags      []string `json:"tags"` // from live rules, sorted

	DueAt      *domain.Time `json:"dueAt"` // null without a deadline
	CreatedAt  domain.Time  `json:"createdAt"`
	UpdatedAt  domain.Time  `json:"updatedAt"`
	ResolvedAt *domain.Time `json:"resolvedAt"`
}

// common has the fields that a list item and the whole report share.
type common struct {
	baseView
	Escalated           *EscalationView `json:"escalated"`
	OpenReportsOnTarget int             `json:"openReportsOnTarget"`
	Muted               bool            `json:"muted"` // the reporter was muted at filing
}

// Summary is a report in a list.
type Summary struct {
	common
	Target  TargetSummary `json:"target"`
	Title   string        `json:"title"`
	Excerpt string        `json:"excerpt"`
	Authors []AuthorView  `json:"authors"` // at most ten
}

// AuthorView is an author of reported content.
type AuthorView struct {
	ID   string  `json:"id"`
	Name *string `json:"name"` // null once it was erased
}

// TargetSummary identifies the reported target, with its present scope.
type TargetSummary struct {
	PluginID         string          `json:"pluginId"`
	Type             string          `json:"type"`
	ID               string          `json:"id"`
	Label            string          `json:"label"`
	PermissionModule string          `json:"permissionModule"`
	Scope            *scope.Resource `json:"scope"` // the present one; null for an unscoped target
}

// Report is the whole report as one caller may see it.
type Report struct {
	common
	Target   TargetDetail    `json:"target"`
	Snapshot json.RawMessage `json:"snapshot"` // null once erased
	Links    []LinkView      `json:"links"`    // of the snapshot
	Actions  []ActionView    `json:"actions"`
	Moves    []report.Move   `json:"moves"`
	// Handovers are how the caller can hand the report to others now.
	Handovers []report.Move `json:"handovers"`
	Pinned    []PinView     `json:"pinned"`
	Signals   []SignalView  `json:"signals"` // sorted by source and name
	Rules     []RuleView    `json:"rules"`   // that matched, in order
	// Notice is the sender of the notice from which the report comes; null for others, and if erased.
	Notice *NoticeView `json:"notice"`
	// Flagger is the organisation of the trusted flagger, by its name at filing; null for others, if erased, and if the
	// reporter is deleted.
	Flagger *FlaggerView `json:"flagger"`
	// HiddenBy is the rule that hides the content, because of this or another report on it, until its last open report
	// is decided as no violation; null if no rule hides it.
	HiddenBy *string `json:"hiddenBy"`
	// OwnDecision is set if the caller made the decision and its appeal is open, so that only others can replace the
	// decision.
	OwnDecision bool `json:"ownDecision"`
	// Held is common's Held in full.
	Held *HeldDetail `json:"held"`
	// Holds is set in the response to a command whose decision was held.
	Holds bool `json:"-"`
	// Translatable is set if the content can be translated.
	Translatable bool                `json:"translatable"`
	Timeline     *paging.Page[Entry] `json:"timeline"` // its first page
}

// NoticeView is the sender of a notice, and the law that they name. Its fields are null if the sender is anonymous.
type NoticeView struct {
	Name  *string `json:"name"`
	Email *string `json:"email"`
	Law   *string `json:"law"`
}

// FlaggerView is the organisation of a trusted flagger.
type FlaggerView struct {
	Name string `json:"name"`
}

// TargetDetail is TargetSummary with the present state, which is null once the target is deleted.
type TargetDetail struct {
	TargetSummary
	Current *target.State `json:"current"`
}

// ActionView is a content action as the caller may use it now.
type ActionView struct {
	Name      string `json:"name"`
	Available bool   `json:"available"` // fits the target's present state
	Permitted bool   `json:"permitted"`
	SecondKey bool   `json:"secondKey,omitempty"` // a second person must release it
	// Pending is set while a request for the action to the platform has no outcome.
	Pending bool `json:"pending"`
}

// Entry is one entry of a timeline.
type Entry struct {
	ID         string      `json:"id"`
	Sequence   int         `json:"sequence"`
	Type       report.Type `json:"type"`
	Actor      *Person     `json:"actor"`
	Version    int         `json:"version"`
	OccurredAt domain.Time `json:"occurredAt"`
	Data       any         `json:"data"`
}

// NoteView is a note as it is now.
type NoteView struct {
	ID        string          `json:"id"`
	Author    *Person         `json:"author"`
	Body      json.RawMessage `json:"body"` // null once deleted or erased
	Kind      report.NoteKind `json:"kind"`
	CreatedAt domain.Time     `json:"createdAt"`
	EditedAt  *domain.Time    `json:"editedAt"`
	DeletedAt *domain.Time    `json:"deletedAt"`
	Erased    bool            `json:"erased,omitempty"`
}

// DecisionView is the present decision on a report that is done.
type DecisionView struct {
	Policy          *policy.Ref     `json:"policy"`
	Reasons         json.RawMessage `json:"reasons"` // a JSON string or a document; null if there are none or they were erased
	DecidedAt       *domain.Time    `json:"decidedAt"`
	AppealableUntil *domain.Time    `json:"appealableUntil"`
	Actions         []string        `json:"actions"` // that were taken and not undone
	Erased          bool            `json:"erased,omitempty"`
}

// PinView is a pinned note.
type PinView struct {
	ReportID string      `json:"reportId"`
	NoteID   string      `json:"noteId"`
	Until    domain.Time `json:"until"`
	By       *Person     `json:"by"` // null once the account is deleted
}

func viewPins(s *Stored, now time.Time) []PinView {
	return domain.Map(s.PinsAt(now), func(p report.Pin) PinView {
		return PinView{ReportID: s.ID, NoteID: p.NoteID, Until: domain.Time(p.Until), By: named(p.By, s.Pinners)}
	})
}

// View returns the whole report as the caller may see it. target.current is null if the plugin
// cannot be reached.
func (s *Service) View(ctx context.Context, a *Authorized) (*Report, error) {
	stored, timeline, err := s.reports.FindWhole(ctx, a.Report.ID)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, domain.NotFound()
	}
	stored.Scope = a.Report.Scope
	var state *target.State
	if a.targetErr == nil {
		if state, err = s.current(target.NotBefore(ctx, a.since), stored); err != nil {
			if err := s.tolerate(ctx, stored.Target, err); err != nil {
				return nil, err
			}
		}
	}
	if state != nil && !state.Hidden {
		stored.HidingRule = nil // somebody has unhidden it by another report
	}
	links, err := s.links(ctx, a.Caller, stored.ID, stored.Snapshot)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Links:    links,
		common:   commonOf(stored),
		Target:   TargetDetail{TargetSummary: s.summarizeTarget(stored), Current: state},
		Snapshot: stored.Snapshot, Actions: s.actions(a.Caller, stored, state), Moves: []report.Move{}, Handovers: []report.Move{}, Timeline: &timeline, Pinned: viewPins(stored, s.now()), Signals: viewSignals(&stored.State), Rules: viewRules(&stored.State),
		Notice:       viewNotice(stored.Notice),
		Flagger:      viewFlagger(stored.Flagger),
		HiddenBy:     stored.HidingRule,
		OwnDecision:  report.CheckReplacement(stored.State, a.Caller.UserID) != nil,
		Translatable: s.Translator != nil && stored.Snapshot != nil,
	}
	if stored.HeldDecision != nil {
		t := stored.Target
		approvers, err := s.staff.Moderators(ctx, t.PluginID, t.PermissionModule, permission.Approve, "", "")
		if err != nil {
			return nil, err
		}
		r.Held = viewHeldDetail(a.Caller, stored, approvers)
	}
	if allows(a.Caller, stored, permission.ManageReports) {
		r.Moves, r.Handovers = report.Moves(stored.State, a.Caller.UserID, stored.Refiled), report.Handovers(stored.State, a.Caller.UserID)
	} else if e := stored.Escalation; e != nil && waitsFor(a.Caller, stored, e) {
		r.Handovers = append(r.Handovers, report.MoveReturn)
	}
	return r, nil
}

func viewNotice(w *report.NoticeWords) *NoticeView {
	if w == nil {
		return nil
	}
	return &NoticeView{w.Name, w.Email, w.Law}
}

func viewFlagger(name *string) *FlaggerView {
	if name == nil {
		return nil
	}
	return &FlaggerView{*name}
}

// current returns the target's present state, or nil once it is deleted or its type is no
// longer registered.
func (s *Service) current(ctx context.Context, stored *Stored) (*target.State, error) {
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil {
		return nil, nil
	}
	return def.PresentState(ctx, stored.Target.ID, stored.Locale)
}

// actions returns the target's registered actions as the caller may use them.
func (s *Service) actions(c *permission.Caller, stored *Stored, state *target.State) []ActionView {
	views := []ActionView{}
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil {
		return views
	}
	for _, a := range def.Actions {
		views = append(views, ActionView{Name: a.Name, Available: state != nil && stored.CheckNoAction() == nil && stored.CheckNothingHeld() == nil && state.Actions[a.Name],
			SecondKey: a.SecondKey,
			Pending:   slices.ContainsFunc(stored.Pending, func(p report.PendingAction) bool { return p.Action == a.Name }),
			Permitted: allows(c, stored, permission.ManageReports) && allows(c, stored, a.Permission)})
	}
	return views
}

// Summarize returns a report as lists show it.
func (s *Service) Summarize(r *Stored) Summary {
	return Summary{common: commonOf(r), Target: s.summarizeTarget(r), Title: r.Title, Excerpt: r.Excerpt, Authors: domain.OrNone(r.Authors)}
}

func (s *Service) summarizeTarget(r *Stored) TargetSummary {
	label := r.Target.Type
	if def := s.targets.Find(r.Target.PluginID, r.Target.Type); def != nil {
		label = def.Label
	}
	return TargetSummary{PluginID: r.Target.PluginID, Type: r.Target.Type, ID: r.Target.ID, Label: label,
		PermissionModule: r.Target.PermissionModule, Scope: r.Scope}
}

func commonOf(r *Stored) common {
	c := common{baseView: baseViewOf(&r.State, viewHeld(r)), Escalated: viewEscalation(r), OpenReportsOnTarget: r.OpenReportsOnTarget, Muted: r.Muted}
	c.Reporter, c.Assignee, c.Resolver = r.Reporter, r.Assignee, r.Resolver
	return c
}

// baseViewOf leaves out the people of the report.
func baseViewOf(s *report.State, held *HeldView) baseView {
	return baseView{
		ID: s.ID, Status: s.Status, Version: s.Version, Reason: s.Reason, Description: s.Description,
		AllegedPolicy: s.Alleged, Source: s.Source,
		Resolution: s.Resolution, Explanation: s.Explanation, Decision: viewDecision(s), Held: held, Measures: viewReportMeasures(s),
		NoteCount: s.NoteCount, Erased: s.Erased, Tags: domain.OrNone(s.Tags()),
		DueAt: domain.TimeOf(s.DueAt), CreatedAt: domain.Time(s.CreatedAt), UpdatedAt: domain.Time(s.UpdatedAt), ResolvedAt: domain.TimeOf(s.ResolvedAt),
	}
}

// viewDecision returns the decision on a report, or nil if it is open.
func viewDecision(s *report.State) *DecisionView {
	if s.Status != report.Done {
		return nil
	}
	v := &DecisionView{DecidedAt: domain.TimeOf(s.ResolvedAt), Reasons: s.Reasons, Actions: domain.OrNone(s.Standing)}
	if d := s.Decision; d != nil {
		v.Policy, v.AppealableUntil = d.Policy, domain.TimeOf(d.AppealableUntil)
		v.Erased = d.Reasoned && s.Reasons == nil
	}
	return v
}
