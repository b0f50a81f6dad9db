package event

import (
	"encoding/json"
	"fmt"
	"time"
)

// The names of spec section 6. Adding a note has no event.
const (
	ReportCreated  = "moderation.report.created"
	ReportAssigned = "moderation.report.assigned"
	ReportAction   = "moderation.report.action"
	ReportResolved = "moderation.report.resolved"
	ReportReopened = "moderation.report.reopened"
	NoteUpdated    = "moderation.report.note_updated"
	NoteDeleted    = "moderation.report.note_deleted"
)

// ReportNames are the names above.
var ReportNames = []string{ReportCreated, ReportAssigned, ReportAction, ReportResolved, ReportReopened, NoteUpdated, NoteDeleted}

// Hidden names the event of a content type whose item was hidden (contract section 7).
func Hidden(contentType string) string { return "content." + contentType + ".hidden" }

// Unhidden names the event of a content type whose item was restored.
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

// Resolved is the payload of ReportResolved.
type Resolved struct {
	ReportID   string `json:"reportId"`
	Resolution string `json:"resolution"`
}

// Reopened is the payload of ReportReopened.
type Reopened struct {
	ReportID string `json:"reportId"`
}

// Note is the payload of NoteUpdated and NoteDeleted.
type Note struct {
	ReportID string `json:"reportId"`
	NoteID   string `json:"noteId"`
}

// Content is the payload of a content type's own events; HiddenAt is nil when it
// was restored.
type Content struct {
	ContentID   string     `json:"contentId"`
	ActorUserID string     `json:"actorUserId"`
	HiddenAt    *time.Time `json:"hiddenAt,omitempty"`
}

// Decode gives the payload of e typed. Members that P does not know are ignored, so
// that a listener outlives additions.
func Decode[P any](e Event) (P, error) {
	var p P
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return p, fmt.Errorf("payload of %s %s: %w", e.Name, e.ID, err)
	}
	return p, nil
}
