package http

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/projections"
)

// reportFilter reads the filters of the board. Without `muted`, reports by muted people are left out.
func reportFilter(q url.Values, c *permission.Caller) (projections.Filter, []domain.Issue) {
	var f projections.Filter
	issues := repeated(q, "assigned", "reason", "policy", "scope", "pluginId", "targetType", "targetId", "createdAfter", "createdBefore", "muted", "overdue", "author", "locale", "tag", "escalated")
	fault := func(path, code, message string) {
		issues = append(issues, domain.Issue{Path: path, Code: code, Message: message})
	}
	var found []domain.Issue
	f.Statuses, found = statusFilter(q, report.Statuses)
	issues = append(issues, found...)
	switch assigned := q.Get("assigned"); assigned {
	case "":
	case "me":
		f.AssigneeID = c.UserID
	case "none":
		f.Unassigned = true
	case "any":
		f.Assigned = true
	default:
		var ok bool
		if f.AssigneeID, ok = parseUUID(assigned); !ok {
			fault("assigned", "invalid", "Must be me, none, any or a user id.")
		}
	}
	switch q.Get("escalated") {
	case "":
	case "me":
		f.Escalated = new(waitsFor(c))
	case "any":
		f.Escalated = &projections.WaitsFor{}
	default:
		fault("escalated", "invalid", "Must be me or any.")
	}
	if reason := q.Get("reason"); reason != "" {
		f.Reason, found = report.ParseReason(reason)
		issues = append(issues, found...)
	}
	if f.Policy = q.Get("policy"); f.Policy != "" && !policy.ValidKey(f.Policy) {
		fault("policy", "invalid", "Must be the key of a policy.")
	}
	if s := q.Get("scope"); s != "" {
		family, id, ok := strings.Cut(s, ":")
		if !ok || family == "" || !domain.Storable(family) || (id != "" && !scope.ValidResourceID(id)) {
			fault("scope", "invalid", "Must be family:resource.")
		} else {
			f.Scope = &scope.Resource{Family: family, ID: id}
		}
	}
	if author := q.Get("author"); author != "" {
		plugin, id, ok := strings.Cut(author, ":")
		if !ok || plugin == "" || id == "" || len(author) > maxAuthor || !domain.Storable(author) {
			fault("author", "invalid", "Must be pluginId:id, with the author's id in snapshots.")
		} else {
			f.Author = &projections.Author{PluginID: plugin, ID: id}
		}
	}
	if f.Locale = q.Get("locale"); f.Locale != "" && !domain.ValidLocale(f.Locale) {
		fault("locale", "invalid", "Must be a locale such as en or pt-BR.")
	}
	if f.Tag = q.Get("tag"); f.Tag != "" && !report.ValidTag(f.Tag) {
		fault("tag", "invalid", "Must be 1 to 32 lowercase letters, digits and dashes.")
	}
	for _, text := range []struct {
		name string
		into *string
	}{{"pluginId", &f.PluginID}, {"targetType", &f.TargetType}, {"targetId", &f.TargetID}} {
		*text.into = q.Get(text.name)
		issues = append(issues, domain.Unstorable(text.name, *text.into)...)
	}
	for _, moment := range []struct {
		name string
		into **time.Time
	}{{"createdAfter", &f.After}, {"createdBefore", &f.Before}} {
		if value := q.Get(moment.name); value != "" {
			t, ok := parseTime(value)
			if !ok {
				fault(moment.name, "invalid", "Must be an RFC 3339 time.")
				continue
			}
			*moment.into = &t
		}
	}
	if q.Get("muted") != "any" {
		muted, found := flag(q, "muted")
		issues = append(issues, found...)
		f.Muted = &muted
	}
	f.Overdue, found = flag(q, "overdue")
	issues = append(issues, found...)
	f.Search, found = searchText(q)
	return f, append(issues, found...)
}

// waitsFor selects the escalated reports that wait for the caller.
func waitsFor(c *permission.Caller) projections.WaitsFor {
	return projections.WaitsFor{UserID: c.UserID, Leads: c.Moderator.Coverage(permission.Approve)}
}

// searchText reads the parameter `search`.
func searchText(q url.Values) (string, []domain.Issue) {
	search := strings.TrimSpace(q.Get("search"))
	if issues := repeated(q, "search"); issues != nil {
		return "", issues
	}
	if issues := domain.Unstorable("search", search); issues != nil {
		return "", issues
	}
	if utf8.RuneCountInString(search) > projections.MaxSearch {
		return "", []domain.Issue{{Path: "search", Code: "too_long", Message: fmt.Sprintf("Must have at most %d characters.", projections.MaxSearch)}}
	}
	return search, nil
}

// flag reads a parameter that is `true` or `false`. It is false if it is absent.
func flag(q url.Values, name string) (bool, []domain.Issue) {
	switch q.Get(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, []domain.Issue{{Path: name, Code: "unknown_value", Message: "Must be true or false."}}
}
