package moderation

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// common is what a list item and the whole report have in common.
type common struct {
	ID          string        `json:"id"`
	Status      report.Status `json:"status"`
	Version     int           `json:"version"`
	Reason      report.Reason `json:"reason"`
	Description *string       `json:"description"`

	Reporter *Person `json:"reporter"`
	Assignee *Person `json:"assignee"`
	Resolver *Person `json:"resolver"`

	Resolution  *report.Resolution `json:"resolution"`
	Explanation *string            `json:"explanation"`
	Decision    *DecisionView      `json:"decision"` // null while it is not done

	OpenReportsOnTarget int  `json:"openReportsOnTarget"`
	NoteCount           int  `json:"noteCount"`
	Erased              bool `json:"erased,omitempty"`

	// DueAt is null without a deadline. Muted is set if the reporter was muted when they
	// filed the report.
	DueAt *Time `json:"dueAt"`
	Muted bool  `json:"muted"`

	CreatedAt  Time  `json:"createdAt"`
	UpdatedAt  Time  `json:"updatedAt"`
	ResolvedAt *Time `json:"resolvedAt"`
}

// Summary is a report in a list.
type Summary struct {
	common
	Target  TargetSummary `json:"target"`
	Title   string        `json:"title"`
	Excerpt string        `json:"excerpt"`
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
	Target   TargetDetail        `json:"target"`
	Snapshot json.RawMessage     `json:"snapshot"` // null once erased
	Actions  []ActionView        `json:"actions"`
	Moves    []report.Move       `json:"moves"`
	Timeline *paging.Page[Entry] `json:"timeline"` // its first page
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
	// Pending is set while the platform that holds the content was asked for the action
	// and has not done it yet.
	Pending bool `json:"pending"`
}

// Entry is one entry of a timeline.
type Entry struct {
	ID         string      `json:"id"`
	Sequence   int         `json:"sequence"`
	Type       report.Type `json:"type"`
	Actor      *Person     `json:"actor"`
	Version    int         `json:"version"`
	OccurredAt Time        `json:"occurredAt"`
	Data       any         `json:"data"`
}

// NoteView is a note as it is now.
type NoteView struct {
	ID        string          `json:"id"`
	Author    *Person         `json:"author"`
	Body      json.RawMessage `json:"body"` // null once deleted or erased
	Kind      report.NoteKind `json:"kind"`
	CreatedAt Time            `json:"createdAt"`
	EditedAt  *Time           `json:"editedAt"`
	DeletedAt *Time           `json:"deletedAt"`
	Erased    bool            `json:"erased,omitempty"`
}

// Time is a time in the format of the API: RFC 3339 in UTC with microseconds.
type Time time.Time

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(t).UTC().Format(`"` + domain.TimeLayout + `"`)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error { return (*time.Time)(t).UnmarshalJSON(b) }

// TimeOf converts t to the format of the API; nil stays nil.
func TimeOf(t *time.Time) *Time { return (*Time)(t) }
