package event

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain"
)

// The names of the events about reports. Adding a note publishes no event.
const (
	ReportCreated   = "moderation.report.created"
	ReportAssigned  = "moderation.report.assigned"
	ReportAction    = "moderation.report.action"
	ReportResolved  = "moderation.report.resolved"
	ReportReopened  = "moderation.report.reopened"
	ReportOverdue   = "moderation.report.overdue"
	ReportHeld      = "moderation.report.held"
	ReportReleased  = "moderation.report.released"
	ReportEscalated = "moderation.report.escalated"
	ReportReturned  = "moderation.report.returned"
	NoteUpdated     = "moderation.report.note_updated"
	NoteDeleted     = "moderation.report.note_deleted"
	AppealCreated   = "moderation.appeal.created"
	AppealDecided   = "moderation.appeal.decided"
	MeasureImposed  = "moderation.measure.imposed"
	MeasureEnded    = "moderation.measure.ended"
)

// ReportNames are the names of all public events about reports, in the order of docs/events.md.
var ReportNames = []string{ReportCreated, ReportAssigned, ReportAction, ReportResolved, ReportReopened, ReportOverdue, ReportEscalated, ReportReturned, ReportHeld, ReportReleased, NoteUpdated, NoteDeleted, AppealCreated, AppealDecided,
	MeasureImposed, MeasureEnded}

// Hidden returns the name of the event that an item of the content type was hidden.
func Hidden(contentType string) string { return "content." + contentType + ".hidden" }

// Unhidden returns the name of the event that an item of the content type was restored.
func Unhidden(contentType string) string { return "content." + contentType + ".unhidden" }

// Created is the payload of ReportCreated.
type Created struct {
	ReportID   string `json:"reportId"`
	PluginID   string `json:"pluginId"`
	TargetType string `json:"targetType"`
	TargetID   string `json:"targetId"`
	Reason     string `json:"reason"`
}

// Assigned is the payload of ReportAssigned; AssigneeID is nil after an unassignment.
type Assigned struct {
	ReportID           string  `json:"reportId"`
	AssigneeID         *string `json:"assigneeId"`
	PreviousAssigneeID *string `json:"previousAssigneeId"`
}

// Action is the payload of ReportAction.
type Action struct {
	ReportID   string `json:"reportId"`
	Action     string `json:"action"`
	PluginID   string `json:"pluginId"`
	TargetType string `json:"targetType"`
	TargetID   string `json:"targetId"`
}

// Resolved is the payload of ReportResolved. Most payloads do not name the content: a listener that
// needs it stores the target of ReportCreated by report id.
type Resolved struct {
	ReportID   string `json:"reportId"`
	Resolution string `json:"resolution"`
}

// Reopened is the payload of ReportReopened.
type Reopened struct {
	ReportID string `json:"reportId"`
}

// Overdue is the payload of ReportOverdue.
type Overdue struct {
	ReportID string    `json:"reportId"`
	DueAt    time.Time `json:"dueAt"`
}

// Held is the payload of ReportHeld: a decision needs a second person's approval.
type Held struct {
	ReportID string `json:"reportId"`
}

// Released is the payload of ReportReleased. Approved is false if a held decision was rejected, or nobody
// released it in time.
type Released struct {
	ReportID string `json:"reportId"`
	Approved bool   `json:"approved"`
}

// MarshalJSON writes the time with microseconds, as all times.
func (o Overdue) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ReportID string `json:"reportId"`
		DueAt    string `json:"dueAt"`
	}{o.ReportID, o.DueAt.UTC().Format(domain.TimeLayout)})
}

// Escalated is the payload of ReportEscalated; To is nil for an escalation to the leads.
type Escalated struct {
	ReportID string  `json:"reportId"`
	To       *string `json:"toUserId"`
}

// Returned is the payload of ReportReturned.
type Returned struct {
	ReportID string `json:"reportId"`
}

// Imposed is the payload of MeasureImposed. Until is nil for a measure without an end.
type Imposed struct {
	MeasureID string     `json:"measureId"`
	ReportID  string     `json:"reportId"`
	PluginID  string     `json:"pluginId"`
	AuthorID  string     `json:"authorId"`
	Kind      string     `json:"kind"`
	Until     *time.Time `json:"until"`
}

// MarshalJSON writes the time with microseconds, as all times.
func (i Imposed) MarshalJSON() ([]byte, error) {
	type plain Imposed
	var until *string
	if i.Until != nil {
		until = new(i.Until.UTC().Format(domain.TimeLayout))
	}
	return json.Marshal(struct {
		plain
		Until *string `json:"until"`
	}{plain(i), until})
}

// Ended is the payload of MeasureEnded; By is expiry, overturn or moderator.
type Ended struct {
	MeasureID string `json:"measureId"`
	ReportID  string `json:"reportId"`
	PluginID  string `json:"pluginId"`
	AuthorID  string `json:"authorId"`
	Kind      string `json:"kind"`
	By        string `json:"by"`
}

// Note is the payload of NoteUpdated and NoteDeleted.
type Note struct {
	ReportID string `json:"reportId"`
	NoteID   string `json:"noteId"`
}

// Appeal is the payload of AppealCreated; By is author or reporter.
type Appeal struct {
	AppealID string `json:"appealId"`
	ReportID string `json:"reportId"`
	By       string `json:"by"`
}

// AppealOutcome is the payload of AppealDecided; Outcome is upheld or overturned.
type AppealOutcome struct {
	AppealID string `json:"appealId"`
	ReportID string `json:"reportId"`
	Outcome  string `json:"outcome"`
}

// Content is the payload of a content type's own events. HiddenAt is nil if the item was
// restored.
type Content struct {
	ContentID   string     `json:"contentId"`
	ActorUserID string     `json:"actorUserId"`
	HiddenAt    *time.Time `json:"hiddenAt,omitempty"`
}
