package moderation

import (
	"cmp"
	"encoding/json"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
)

// The data of timeline entries. Erased texts are null, with `erased: true` beside them.
type (
	createdData struct {
		Reason      report.Reason `json:"reason"`
		Description *string       `json:"description"`
		Erased      bool          `json:"erased,omitempty"`
	}
	// NoteAddedData has the note as it is now, not as it was added.
	NoteAddedData struct {
		Note NoteView `json:"note"`
	}
	noteData struct {
		NoteID string `json:"noteId"`
	}
	pinnedData struct {
		NoteID string       `json:"noteId"`
		Until  *domain.Time `json:"until"`
	}
	heldData struct {
		HeldID     string             `json:"heldId"`
		Action     string             `json:"action,omitempty"`
		Resolution *report.Resolution `json:"resolution,omitempty"`
		AskedView
		HeldWordsView
		ExpiresAt domain.Time `json:"expiresAt"`
	}
	releasedData struct {
		HeldID   string  `json:"heldId"`
		Approved bool    `json:"approved"`
		Reason   *string `json:"reason"`
		Erased   bool    `json:"erased,omitempty"`
	}
	resolvedData struct {
		Resolution  report.Resolution `json:"resolution"`
		Explanation *string           `json:"explanation"`
		Policy      *policy.Ref       `json:"policy"`
		Reasons     json.RawMessage   `json:"reasons"`
		Erased      bool              `json:"erased,omitempty"`
	}
	actionData struct {
		Action     string `json:"action"`
		PluginID   string `json:"pluginId"`
		TargetType string `json:"targetType"`
		TargetID   string `json:"targetId"`
		Rule       string `json:"rule,omitempty"`
	}
	appealedData struct {
		AppealID string      `json:"appealId"`
		By       report.Role `json:"by"`
		Text     *string     `json:"text"`
		Erased   bool        `json:"erased,omitempty"`
	}
	appealDecidedData struct {
		AppealID   string              `json:"appealId"`
		By         report.Role         `json:"by"`
		Outcome    report.AppealStatus `json:"outcome"`
		Superseded bool                `json:"superseded"`
		Reply      *string             `json:"reply"`
		Erased     bool                `json:"erased,omitempty"`
	}
	unchangedData struct {
		Action string `json:"action"`
	}
	failedData struct {
		Action string  `json:"action"`
		Reason *string `json:"reason"`
		Erased bool    `json:"erased,omitempty"`
	}
	overdueData struct {
		DueAt domain.Time `json:"dueAt"`
	}
	imposedData struct {
		MeasureID string          `json:"measureId"`
		Author    measure.Author  `json:"author"`
		Kind      measure.Kind    `json:"kind"`
		Until     *domain.Time    `json:"until"`
		Policy    *policy.Ref     `json:"policy"`
		Because   measure.Because `json:"because"`
		Threshold int             `json:"threshold,omitempty"`
	}
	signalledData struct {
		Source  string     `json:"source"`
		Signals []signalAt `json:"signals"`
	}
	signalAt struct {
		signal.Signal
		At domain.Time `json:"at"`
	}
	endedData struct {
		MeasureID string         `json:"measureId"`
		Author    measure.Author `json:"author"`
		Kind      measure.Kind   `json:"kind"`
		By        measure.End    `json:"by"`
		Reason    *string        `json:"reason"`
		Erased    bool           `json:"erased,omitempty"`
	}
	orderData struct {
		report.MeasureOrder
		Ends bool `json:"ends"` // the platform was to lift the measure
	}
	confirmedData struct {
		orderData
		Changed bool `json:"changed"`
	}
	notDoneData struct {
		orderData
		Reason *string `json:"reason"`
		Erased bool    `json:"erased,omitempty"`
	}
	secondData struct {
		SecondID   string            `json:"secondId"`
		Resolution report.Resolution `json:"resolution"`
		Policy     *policy.Ref       `json:"policy"`
		Agreed     bool              `json:"agreed"`
	}
	settledData struct {
		SecondID string  `json:"secondId"`
		Stands   bool    `json:"stands"`
		Reason   *string `json:"reason"`
		Erased   bool    `json:"erased,omitempty"`
	}
	assignedData struct {
		AssigneeID         *string `json:"assigneeId"`
		PreviousAssigneeID *string `json:"previousAssigneeId"`
		Claimed            bool    `json:"claimed"`
		Lapsed             bool    `json:"lapsed,omitempty"`
	}
	escalatedData struct {
		To     string  `json:"to"`
		Text   *string `json:"text"`
		Erased bool    `json:"erased,omitempty"`
	}
	returnedData struct {
		Text   *string `json:"text"`
		Erased bool    `json:"erased,omitempty"`
	}
	reopenedData struct {
		Reason *string `json:"reason"`
		Erased bool    `json:"erased,omitempty"`
	}
)

// EntryData returns the data of an event's timeline entry. For note_added it has the note's id, kind and time, and
// whether it was erased; the caller fills in the rest.
func EntryData(e report.Event) any {
	switch f := e.Fact.(type) {
	case *report.Created:
		return createdData{f.Reason, f.Words.Description, e.Erased}
	case *report.NoteAdded:
		return &NoteAddedData{NoteView{ID: f.NoteID, Kind: f.Kind, CreatedAt: domain.Time(e.OccurredAt), Erased: e.Erased}}
	case *report.NoteUpdated:
		return noteData{f.NoteID}
	case *report.NoteDeleted, *report.HeldLapsed:
		return f // shown as it is stored
	case *report.DecisionHeld:
		return heldData{cmp.Or(f.HeldID, e.ID), f.Action, f.Resolution, viewAsked(f.Asked, e.ReportID), viewHeldWords(f.Asked, &f.Words), domain.Time(f.ExpiresAt)}
	case *report.HeldReleased:
		return releasedData{f.HeldID, f.Approved, f.Words.Reason, f.Reasoned && e.Erased}
	case *report.NotePinned:
		return pinnedData{f.NoteID, domain.TimeOf(f.Until)}
	case *report.Resolved:
		return resolvedData{f.Resolution, f.Words.Explanation, f.Policy, f.Words.Reasons, e.Erased}
	case *report.Reopened:
		return reopenedData{f.Words.Reason, e.Erased}
	case *report.ActionDone:
		return actionData{f.Action, f.PluginID, f.TargetType, f.TargetID, f.Rule}
	case *report.Appealed:
		return appealedData{f.AppealID, f.By, domain.OrNull(f.Words.Text), e.Erased}
	case *report.AppealDecided:
		return appealDecidedData{f.AppealID, f.By, f.Outcome, f.Superseded, f.Words.Reply, e.Erased}
	case *report.ActionUnchanged:
		return unchangedData{f.Action}
	case *report.ActionFailed:
		return failedData{f.Action, domain.OrNull(f.Why()), e.Erased}
	case *report.ActionRequested:
		return actionData{f.Action, f.PluginID, f.TargetType, f.TargetID, f.Rule}
	case *report.Assigned:
		return assignedData{f.AssigneeID, f.PreviousAssigneeID, f.Claimed, f.Lapsed}
	case *report.Escalated:
		return escalatedData{escalatedTo(f.To), domain.OrNull(f.Words.Note), e.Erased}
	case *report.Returned:
		return returnedData{f.Words.Note, e.Erased}
	case *report.MeasureImposed:
		return imposedData{e.ID, f.Author, f.Kind, domain.TimeOf(f.Until), f.Policy, f.Because, f.Threshold}
	case *report.MeasureEnded:
		return endedData{f.MeasureID, f.Author, f.Kind, f.By, f.Words.Reason, f.Reasoned && e.Erased}
	case *report.Signalled:
		return signalledData{f.Source, domain.Map(f.Signals, func(s report.SignalAt) signalAt { return signalAt{s.Signal, domain.Time(s.At)} })}
	case *report.RuleMatched:
		return viewMatch(f.RuleMatch)
	case *report.SecondDecided:
		return secondData{f.SecondID, f.Resolution, f.Policy, f.Agreed}
	case *report.SecondSettled:
		return settledData{f.SecondID, f.Stands, domain.OrNull(f.Words.Reason), e.Erased}
	case *report.MeasurePending:
		return orderData{f.MeasureOrder, f.Ends}
	case *report.MeasureConfirmed:
		return confirmedData{orderData{f.MeasureOrder, f.Ends}, f.Changed}
	case *report.MeasureFailed:
		return notDoneData{orderData{f.MeasureOrder, f.Ends}, domain.OrNull(f.Words.Reason), e.Erased}
	case *report.Overdue:
		return overdueData{domain.Time(f.DueAt)}
	}
	return struct{}{}
}

// ViewNote returns a note as the API shows it.
func ViewNote(n report.Note, author *Person) NoteView {
	return NoteView{ID: n.ID, Author: author, Body: n.Body, Kind: n.Kind, CreatedAt: domain.Time(n.CreatedAt),
		EditedAt: domain.TimeOf(n.EditedAt), DeletedAt: domain.TimeOf(n.DeletedAt), Erased: n.Erased}
}
