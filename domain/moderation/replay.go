package moderation

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
)

// Replayed is a report as it was after one of its events.
type Replayed struct {
	ReplayedReport
	Notes []ReplayedNote `json:"notes"` // oldest first
}

// ReplayedReport is a report as it stood, without its notes.
type ReplayedReport struct {
	ID          string        `json:"id"`
	Sequence    int           `json:"sequence"`
	At          domain.Time   `json:"at"` // when that event happened
	Status      report.Status `json:"status"`
	Version     int           `json:"version"`
	Reason      report.Reason `json:"reason"`
	Description *string       `json:"description"`
	// AllegedPolicy is the policy that the reporter named, or null.
	AllegedPolicy *policy.Ref    `json:"allegedPolicy"`
	Source        report.Source  `json:"source"`
	Target        ReplayedTarget `json:"target"`

	Reporter *Person `json:"reporter"`
	Assignee *Person `json:"assignee"`
	Resolver *Person `json:"resolver"`

	Resolution  *report.Resolution `json:"resolution"`
	Explanation *string            `json:"explanation"`
	Decision    *DecisionView      `json:"decision"`
	Measures    []ReportMeasure    `json:"measures"`
	Held        *HeldView          `json:"held"` // null if no decision waited for a second person
	Signals     []SignalView       `json:"signals"`
	Rules       []RuleView         `json:"rules"`
	Tags        []string           `json:"tags"`
	Escalated   *EscalatedTo       `json:"escalated"`
	Snapshot    json.RawMessage    `json:"snapshot"`
	NoteCount   int                `json:"noteCount"`
	Erased      bool               `json:"erased,omitempty"`

	CreatedAt  domain.Time  `json:"createdAt"`
	UpdatedAt  domain.Time  `json:"updatedAt"`
	ResolvedAt *domain.Time `json:"resolvedAt"`
	DueAt      *domain.Time `json:"dueAt"`
}

// ReplayedTarget is the reported target, with its scope at filing.
type ReplayedTarget struct {
	PluginID         string          `json:"pluginId"`
	Type             string          `json:"type"`
	ID               string          `json:"id"`
	PermissionModule string          `json:"permissionModule"`
	Scope            *scope.Resource `json:"scope"`
}

// ReplayedNote is a note as it stood. Withheld means that the text has changed since, and that only
// auditors may see it.
type ReplayedNote struct {
	NoteView
	Withheld bool `json:"withheld,omitempty"`
}

// Moment selects the event with which a replay ends: by sequence or by time. The zero Moment
// selects the last event.
type Moment struct {
	Sequence int
	At       *time.Time
}

// includes reports whether the event had happened by the moment.
func (m Moment) includes(e report.Event) bool {
	switch {
	case m.Sequence > 0:
		return e.Sequence <= m.Sequence
	case m.At != nil:
		return !e.OccurredAt.After(*m.At)
	}
	return true
}

// MayAudit reports whether the caller may read every report and every earlier text of notes.
func MayAudit(c *permission.Caller) bool {
	return c.Admin.MayEnter(permission.AreaAudit)
}
