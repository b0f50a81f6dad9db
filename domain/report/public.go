package report

import "github.com/docketmod/docket/domain/event"

// Public gives the name and payload of the public event of spec section 6, or
// "" for an event that plugins do not hear of.
func Public(e Event) (name string, payload any) {
	switch f := e.Fact.(type) {
	case *Created:
		return event.ReportCreated, event.Created{ReportID: e.ReportID, PluginID: f.PluginID, TargetType: f.Type, TargetID: f.ID, Reason: string(f.Reason)}
	case *Assigned:
		return event.ReportAssigned, event.Assigned{ReportID: e.ReportID, AssigneeID: f.AssigneeID, PreviousAssigneeID: f.PreviousAssigneeID}
	case *ActionDone:
		return event.ReportAction, event.Action{ReportID: e.ReportID, Action: f.Action, PluginID: f.PluginID, TargetType: f.TargetType, TargetID: f.TargetID}
	case *Resolved:
		return event.ReportResolved, event.Resolved{ReportID: e.ReportID, Resolution: string(f.Resolution)}
	case *Reopened:
		return event.ReportReopened, event.Reopened{ReportID: e.ReportID}
	case *NoteUpdated:
		return event.NoteUpdated, event.Note{ReportID: e.ReportID, NoteID: f.NoteID}
	case *NoteDeleted:
		return event.NoteDeleted, event.Note{ReportID: e.ReportID, NoteID: f.NoteID}
	}
	return "", nil
}
