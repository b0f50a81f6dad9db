package report

import "github.com/docketmod/docket/domain/event"

// PublishedAs returns the name and payload of the public event that e is published as, or ""
// if e is not published.
func PublishedAs(e Event) (name string, payload any) {
	switch f := e.Fact.(type) {
	case *Created:
		return event.ReportCreated, event.Created{ReportID: e.ReportID, PluginID: f.PluginID, TargetType: f.Type, TargetID: f.ID, Reason: string(f.Reason)}
	case *Assigned:
		return event.ReportAssigned, event.Assigned{ReportID: e.ReportID, AssigneeID: f.AssigneeID, PreviousAssigneeID: f.PreviousAssigneeID}
	case *Escalated:
		return event.ReportEscalated, event.Escalated{ReportID: e.ReportID, To: f.To}
	case *Returned:
		return event.ReportReturned, event.Returned{ReportID: e.ReportID}
	case *ActionDone:
		return event.ReportAction, event.Action{ReportID: e.ReportID, Action: f.Action, PluginID: f.PluginID, TargetType: f.TargetType, TargetID: f.TargetID}
	case *Resolved:
		return event.ReportResolved, event.Resolved{ReportID: e.ReportID, Resolution: string(f.Resolution)}
	case *Reopened:
		return event.ReportReopened, event.Reopened{ReportID: e.ReportID}
	case *Appealed:
		return event.AppealCreated, event.Appeal{AppealID: f.AppealID, ReportID: e.ReportID, By: string(f.By)}
	case *AppealDecided:
		return event.AppealDecided, event.AppealOutcome{AppealID: f.AppealID, ReportID: e.ReportID, Outcome: string(f.Outcome)}
	case *DecisionHeld:
		return event.ReportHeld, event.Held{ReportID: e.ReportID}
	case *HeldReleased:
		return event.ReportReleased, event.Released{ReportID: e.ReportID, Approved: f.Approved}
	case *HeldLapsed:
		return event.ReportReleased, event.Released{ReportID: e.ReportID}
	case *Overdue:
		return event.ReportOverdue, event.Overdue{ReportID: e.ReportID, DueAt: f.DueAt}
	case *MeasureImposed:
		return event.MeasureImposed, event.Imposed{MeasureID: e.ID, ReportID: e.ReportID, PluginID: f.Author.PluginID, AuthorID: f.Author.ID, Kind: string(f.Kind), Until: f.Until}
	case *MeasureEnded:
		return event.MeasureEnded, event.Ended{MeasureID: f.MeasureID, ReportID: e.ReportID, PluginID: f.Author.PluginID, AuthorID: f.Author.ID, Kind: string(f.Kind), By: string(f.By)}
	case *NoteUpdated:
		return event.NoteUpdated, event.Note{ReportID: e.ReportID, NoteID: f.NoteID}
	case *NoteDeleted:
		return event.NoteDeleted, event.Note{ReportID: e.ReportID, NoteID: f.NoteID}
	}
	return "", nil
}
