package http

import (
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/projections"
)

// reportFilter reads the filters of the board. Without `muted`, reports by muted accounts are left
// out.
func (q *query) reportFilter(c *permission.Caller) (f projections.Filter) {
	f.Statuses = severalOf(q, "status", report.Statuses)
	switch assigned := q.text("assigned"); assigned {
	case "":
	case "me":
		f.AssigneeID = c.UserID
	case "none":
		f.Unassigned = true
	case "any":
		f.Assigned = true
	default:
		f.AssigneeID = q.id("assigned", "Must be me, none, any or a user id.")
	}
	switch q.text("escalated") {
	case "":
	case "me":
		f.Escalated = new(waitsFor(c))
	case "any":
		f.Escalated = &projections.WaitsFor{}
	default:
		q.fault("escalated", "invalid", "Must be me or any.")
	}
	if reason := q.text("reason"); reason != "" {
		var found []domain.Issue
		f.Reason, found = report.ParseReason(reason)
		q.add(found)
	}
	f.Policy = q.policyKey("policy")
	if s := q.text("scope"); s != "" {
		family, id, ok := strings.Cut(s, ":")
		if !ok || family == "" || !domain.Storable(family) || (id != "" && !scope.ValidResourceID(id)) {
			q.fault("scope", "invalid", "Must be family:resource.")
		} else {
			f.Scope = &scope.Resource{Family: family, ID: id}
		}
	}
	if author := q.text("author"); author != "" {
		plugin, id, ok := strings.Cut(author, ":")
		if !ok || plugin == "" || id == "" || len(author) > maxAuthor || !domain.Storable(author) {
			q.fault("author", "invalid", "Must be pluginId:id, with the author's id in snapshots.")
		} else {
			f.Author = &measure.Author{PluginID: plugin, ID: id}
		}
	}
	f.Locale = q.locale()
	if f.Tag = q.text("tag"); f.Tag != "" && !report.ValidTag(f.Tag) {
		q.fault("tag", "invalid", "Must be 1 to 32 lowercase letters, digits and dashes.")
	}
	f.PluginID, f.TargetType, f.TargetID = q.storable("pluginId"), q.storable("targetType"), q.storable("targetId")
	f.After, f.Before = q.time("createdAfter"), q.time("createdBefore")
	if q.text("muted") != "any" {
		f.Muted = new(q.flag("muted"))
	}
	f.Overdue, f.Search = q.flag("overdue"), q.search()
	return f
}

// waitsFor selects the reports that are escalated to the caller.
func waitsFor(c *permission.Caller) projections.WaitsFor {
	return projections.WaitsFor{UserID: c.UserID, Leads: c.Moderator.Coverage(permission.Approve)}
}
