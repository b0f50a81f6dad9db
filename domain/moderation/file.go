package moderation

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// FileRequest is what a member sends to report something.
type FileRequest struct {
	PluginID        string
	TargetType      string
	TargetID        string
	Locale          *string
	RequestedLocale *string
	Reason          string
	Description     *string
}

// ValidFiling is a FileRequest that has passed every rule.
type ValidFiling struct {
	target      *target.Definition
	targetID    string
	locale      string // to capture in
	requested   string
	reason      report.Reason
	description *string
}

// ValidateFiling gives every fault of the request at once.
func (s *Service) ValidateFiling(r FileRequest) (ValidFiling, []domain.Issue) {
	var v ValidFiling
	var issues, found []domain.Issue
	v.target = s.targets.Find(r.PluginID, r.TargetType)
	if v.target == nil {
		issues = append(issues, domain.Issue{Path: "targetType", Code: "unknown_target", Message: "This plugin has no such thing to report."})
	} else {
		var ok bool
		if v.targetID, ok = v.target.ParseID(r.TargetID); !ok {
			issues = append(issues, domain.Issue{Path: "targetId", Code: "invalid", Message: "This is no id of that kind of thing."})
		}
	}
	v.locale = s.locale
	if v.target != nil && v.target.DefaultLocale != "" {
		v.locale = v.target.DefaultLocale
	}
	v.requested = v.locale
	for _, l := range []struct {
		path  string
		value *string
	}{{"requestedLocale", r.RequestedLocale}, {"locale", r.Locale}} {
		if l.value == nil {
			continue
		}
		if !domain.ValidLocale(*l.value) {
			issues = append(issues, domain.Issue{Path: l.path, Code: "invalid", Message: "Must be a locale such as en or pt-BR."})
		}
		v.locale = *l.value
	}
	switch {
	case r.RequestedLocale != nil:
		v.requested = *r.RequestedLocale
	case r.Locale != nil:
		v.requested = *r.Locale
	}
	v.reason, found = report.ParseReason(r.Reason)
	issues = append(issues, found...)
	v.description, found = report.ParseDescription(r.Description, v.reason)
	return v, append(issues, found...)
}

// CountAttempt counts a filing whatever comes of it. Its error is due once the
// request is known to be valid, and before anything is captured.
func (s *Service) CountAttempt(ctx context.Context, c *permission.Caller) error {
	return s.log.CountAttempt(ctx, c.UserID, s.now())
}

// File captures what the reporter sees and opens a report of it (contract 3.5).
func (s *Service) File(ctx context.Context, c *permission.Caller, v ValidFiling) (report.State, error) {
	capture, err := s.capture(ctx, c, v)
	if err != nil {
		return report.State{}, err
	}
	if capture == nil {
		return report.State{}, domain.NotFound()
	}
	if s := capture.Scope; s != nil {
		*s = scope.ResourceOf(s.Family, s.ID)
	}
	taken := snapshot.Build(*capture, snapshot.BuildInput{
		Target:          snapshot.Target{PluginID: v.target.PluginID, Type: v.target.Type, ID: v.targetID},
		RequestedLocale: v.requested,
		CapturedAt:      s.now(),
		MaxExcerpt:      report.MaxExcerpt,
	})
	created := report.Created{
		Target: report.Target{PluginID: v.target.PluginID, Type: v.target.Type, ID: v.targetID,
			PermissionModule: v.target.PermissionModule, Scope: capture.Scope},
		Locale: taken.Snapshot.Locale.Served, RequestedLocale: v.requested, Reason: v.reason, ReporterID: c.UserID,
		Words: report.CreatedWords{Description: v.description, ReporterName: c.Name,
			Title: taken.Snapshot.Title, Excerpt: taken.Excerpt, Snapshot: taken.JSON},
	}
	return s.log.File(ctx, Filing{Created: created})
}

func (s *Service) capture(ctx context.Context, c *permission.Caller, v ValidFiling) (*snapshot.Capture, error) {
	asking, cancel := context.WithTimeout(ctx, pluginTimeout)
	defer cancel()
	capture, err := v.target.Capture(asking, target.CaptureRequest{TargetID: v.targetID, Locale: v.locale, ReporterID: c.UserID})
	if err != nil && ctx.Err() == nil {
		err = unreachable(err)
	}
	return capture, err
}
