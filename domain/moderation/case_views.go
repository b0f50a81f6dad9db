package moderation

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
)

// CaseTarget identifies a case: a target with open reports.
type CaseTarget struct{ PluginID, Type, ID string }

// CaseOf returns the case of reports on a target.
func CaseOf(t report.Target) CaseTarget { return CaseTarget{t.PluginID, t.Type, t.ID} }

// StoredCase is a case as its row stores it.
type StoredCase struct {
	ID     string // breaks ties between cases
	Target CaseTarget
	Module string
	Scope  *scope.Resource // the target's present one

	Title, Excerpt  string // of the latest report
	OpenReports     int
	Reasons         map[report.Reason]int
	Assignees       []Person
	FirstAt, LastAt time.Time
	DueAt           *time.Time
	Parts           []priority.Part
	Rank            int64
	Parked          *Parked
	Authors         []AuthorView
	Pinned          []PinView // of all reports of the target
	Tags            []string  // from live rules, sorted
	Escalated       []CaseEscalation
}

// CaseEscalation is an escalated report of a case.
type CaseEscalation struct {
	ReportID string `json:"reportId"`
	EscalatedTo
}

// Parked says until when a case is nobody's next one.
type Parked struct {
	Until domain.Time `json:"until"`
	By    *Person     `json:"by"` // null once the account is deleted
}

// Case is a case in a list.
type Case struct {
	Target      TargetSummary         `json:"target"`
	Title       string                `json:"title"`
	Excerpt     string                `json:"excerpt"`
	Authors     []AuthorView          `json:"authors"`
	OpenReports int                   `json:"openReports"`
	Reporters   int                   `json:"reporters"`
	Reasons     map[report.Reason]int `json:"reasons"`
	FirstAt     domain.Time           `json:"firstAt"`
	LastAt      domain.Time           `json:"lastAt"`
	DueAt       *domain.Time          `json:"dueAt"`
	Overdue     bool                  `json:"overdue"`
	Assignees   []Person              `json:"assignees"`
	Priority    CasePriority          `json:"priority"`
	Parked      *Parked               `json:"parked"`
	Pinned      []PinView             `json:"pinned"`
	Tags        []string              `json:"tags"`
	Escalated   []CaseEscalation      `json:"escalated"` // oldest first
}

// CasePriority is the priority of a case: a score, and the parts that it sums.
type CasePriority struct {
	Score int             `json:"score"`
	Parts []priority.Part `json:"parts"`
}

// ViewCase returns a case as lists show it, with its present priority. While the caller gives a second opinion (blind),
// it omits the points of earlier decisions, since they could reveal the first one.
func (s *Service) ViewCase(c StoredCase, blind *permission.Blind) Case {
	now := s.now()
	parts := c.Parts
	if blind != nil {
		parts = slices.DeleteFunc(slices.Clone(parts), func(p priority.Part) bool { return p.Name == priority.Author || p.Name == priority.Records })
	}
	parts = priority.Waited(parts, c.FirstAt, now)
	target := report.Target{PluginID: c.Target.PluginID, Type: c.Target.Type, ID: c.Target.ID, PermissionModule: c.Module}
	return Case{
		Target: s.summarizeTarget(&Stored{State: report.State{Target: target}, Scope: c.Scope}),
		Title:  c.Title, Excerpt: c.Excerpt,
		// Nobody has two open reports of one target.
		OpenReports: c.OpenReports, Reporters: c.OpenReports, Reasons: c.Reasons,
		FirstAt: domain.Time(c.FirstAt), LastAt: domain.Time(c.LastAt), DueAt: domain.TimeOf(c.DueAt),
		Overdue:   c.DueAt != nil && c.DueAt.Before(now),
		Assignees: c.Assignees, Priority: CasePriority{Score: priority.Score(parts), Parts: parts}, Parked: c.Parked, Pinned: c.Pinned, Escalated: c.Escalated, Tags: c.Tags, Authors: domain.OrNone(c.Authors),
	}
}
