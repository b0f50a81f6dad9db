package moderation

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
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
	baseView
	Sequence  int             `json:"sequence"`
	At        domain.Time     `json:"at"` // when that event happened
	Target    ReplayedTarget  `json:"target"`
	Signals   []SignalView    `json:"signals"`
	Rules     []RuleView      `json:"rules"`
	Escalated *EscalatedTo    `json:"escalated"`
	Snapshot  json.RawMessage `json:"snapshot"`
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
