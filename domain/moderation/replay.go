package moderation

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
)

// Replayed is a report as it stood after one of its events (contract section 8).
type Replayed struct {
	ID          string         `json:"id"`
	Sequence    int            `json:"sequence"`
	At          Time           `json:"at"` // when that event happened
	Status      report.Status  `json:"status"`
	Version     int            `json:"version"`
	Reason      report.Reason  `json:"reason"`
	Description *string        `json:"description"`
	Target      ReplayedTarget `json:"target"`

	Reporter *Person `json:"reporter"`
	Assignee *Person `json:"assignee"`
	Resolver *Person `json:"resolver"`

	Resolution  *report.Resolution `json:"resolution"`
	Explanation *string            `json:"explanation"`
	Snapshot    json.RawMessage    `json:"snapshot"`
	Notes       []ReplayedNote     `json:"notes"` // oldest first
	NoteCount   int                `json:"noteCount"`
	Erased      bool               `json:"erased,omitempty"`

	CreatedAt  Time  `json:"createdAt"`
	UpdatedAt  Time  `json:"updatedAt"`
	ResolvedAt *Time `json:"resolvedAt"`
}

// ReplayedTarget is what was reported, with its scope at filing.
type ReplayedTarget struct {
	PluginID         string          `json:"pluginId"`
	Type             string          `json:"type"`
	ID               string          `json:"id"`
	PermissionModule string          `json:"permissionModule"`
	Scope            *scope.Resource `json:"scope"`
}

// ReplayedNote is a note as it stood. Withheld says that its text has changed
// since and is for auditors alone.
type ReplayedNote struct {
	NoteView
	Withheld bool `json:"withheld,omitempty"`
}

// Moment picks the event that a replay ends with: a sequence, a time, or with
// neither the last.
type Moment struct {
	Sequence int
	At       *time.Time
}

// cut gives the events up to the moment; none when the report was not there yet
// or never had so many.
func (m Moment) cut(events []report.Event) []report.Event {
	switch {
	case m.Sequence > len(events):
		return nil
	case m.Sequence > 0:
		return events[:m.Sequence]
	case m.At == nil:
		return events
	}
	n := 0
	for n < len(events) && !events[n].OccurredAt.After(*m.At) {
		n++
	}
	return events[:n]
}

// Replay folds a report's events up to the moment. names gives the accounts
// that are still there. former also shows what later edits and deletions of
// notes took away.
func Replay(events []report.Event, m Moment, names map[string]string, former bool) (*Replayed, error) {
	then := m.cut(events)
	if len(then) == 0 {
		return nil, domain.NotFound()
	}
	s := report.Fold(then)
	who := func(id *string) *Person {
		if id == nil || names[*id] == "" {
			return nil
		}
		return &Person{ID: *id, Name: names[*id]}
	}
	r := &Replayed{
		ID: s.ID, Sequence: s.Sequence, At: Time(s.UpdatedAt), Status: s.Status, Version: s.Version, Reason: s.Reason, Description: s.Description,
		Target: ReplayedTarget{PluginID: s.Target.PluginID, Type: s.Target.Type, ID: s.Target.ID,
			PermissionModule: s.Target.PermissionModule, Scope: s.Target.Scope},
		Reporter: who(s.ReporterID), Assignee: who(s.AssigneeID), Resolver: who(s.ResolverID),
		Resolution: s.Resolution, Explanation: s.Explanation, Snapshot: s.Snapshot, Notes: []ReplayedNote{}, NoteCount: s.NoteCount, Erased: s.Erased,
		CreatedAt: Time(s.CreatedAt), UpdatedAt: Time(s.UpdatedAt), ResolvedAt: TimeOf(s.ResolvedAt),
	}
	now := report.FoldNotes(events)
	for id, n := range report.FoldNotes(then) {
		note := ReplayedNote{NoteView: ViewNote(n, who(n.AuthorID))}
		if !former && n.Body != nil && !bytes.Equal(n.Body, now[id].Body) {
			note.Body, note.Withheld = nil, true
		}
		r.Notes = append(r.Notes, note)
	}
	slices.SortFunc(r.Notes, func(a, b ReplayedNote) int {
		if c := time.Time(a.CreatedAt).Compare(time.Time(b.CreatedAt)); c != 0 {
			return c
		}
		return bytes.Compare([]byte(a.ID), []byte(b.ID))
	})
	return r, nil
}

// AccountsIn are the ids of all accounts that events refer to.
func AccountsIn(events []report.Event) []string {
	seen := map[string]bool{}
	add := func(id *string) {
		if id != nil {
			seen[*id] = true
		}
	}
	for _, e := range events {
		add(e.ActorID)
		switch f := e.Fact.(type) {
		case *report.Created:
			add(&f.ReporterID)
		case *report.Assigned:
			add(f.AssigneeID)
			add(f.PreviousAssigneeID)
		}
	}
	ids := make([]string, 0, len(seen))
	for id := range seen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Audits tells whether the caller may read every report and every former text.
func Audits(c *permission.Caller) bool {
	return c.Admin.MayEnter(permission.AreaAudit)
}
