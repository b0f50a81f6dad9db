package report

// Public gives the name and payload of the public event of spec section 6, or
// "" for an event that plugins do not hear of.
func Public(e Event) (name string, payload any) {
	switch f := e.Fact.(type) {
	case *Created:
		return "moderation.report.created", struct {
			ReportID   string `json:"reportId"`
			PluginID   string `json:"pluginId"`
			TargetType string `json:"targetType"`
			TargetID   string `json:"targetId"`
			Reason     Reason `json:"reason"`
		}{e.ReportID, f.PluginID, f.Type, f.ID, f.Reason}
	case *Assigned:
		return "moderation.report.assigned", struct {
			ReportID           string  `json:"reportId"`
			AssigneeID         *string `json:"assigneeId"`
			PreviousAssigneeID *string `json:"previousAssigneeId"`
		}{e.ReportID, f.AssigneeID, f.PreviousAssigneeID}
	case *ActionDone:
		return "moderation.report.action", struct {
			ReportID   string `json:"reportId"`
			Action     string `json:"action"`
			PluginID   string `json:"pluginId"`
			TargetType string `json:"targetType"`
			TargetID   string `json:"targetId"`
		}{e.ReportID, f.Action, f.PluginID, f.TargetType, f.TargetID}
	case *Resolved:
		return "moderation.report.resolved", struct {
			ReportID   string     `json:"reportId"`
			Resolution Resolution `json:"resolution"`
		}{e.ReportID, f.Resolution}
	case *Reopened:
		return "moderation.report.reopened", struct {
			ReportID string `json:"reportId"`
		}{e.ReportID}
	case *NoteUpdated:
		return "moderation.report.note_updated", noteEvent{e.ReportID, f.NoteID}
	case *NoteDeleted:
		return "moderation.report.note_deleted", noteEvent{e.ReportID, f.NoteID}
	}
	return "", nil
}

type noteEvent struct {
	ReportID string `json:"reportId"`
	NoteID   string `json:"noteId"`
}
