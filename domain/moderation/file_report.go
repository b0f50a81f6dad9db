package moderation

import (
	"context"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// FileRequest is a member's request to report something.
type FileRequest struct {
	PluginID        string
	TargetType      string
	TargetID        string
	Locale          *string
	RequestedLocale *string
	Reason          string
	Description     *string
	// Policy is the key of the policy that was violated, as the reporter says, or nil.
	Policy *string
	Source report.Source
	// Capture is sent by the content's platform with the request, or nil.
	Capture []byte
}

// validFiling is a validated FileRequest.
type validFiling struct {
	target      *target.Definition
	targetID    string
	locale      string // to capture in
	requested   string
	reason      report.Reason
	source      report.Source
	flagger     string // the name of a trusted flagger's organisation
	description *string
	policy      *policy.Ref
	captured    *snapshot.Capture // nil if the plugin must be called
}

// File opens a report with a capture of what the reporter sees. It refuses attempts beyond the limits of
// report.Attempts.Check before it calls a plugin or a platform. check combines the faults that File finds with those of
// the request's form, and returns an error for them or nil. File returns CodeUnavailable if only another server has the
// content's plugin.
func (s *Service) File(ctx context.Context, filer Filer, r FileRequest, check func(faults []domain.Issue) error) (report.State, error) {
	v, issues := s.validateFiling(r)
	var found []domain.Issue
	var err error
	if v.policy, found, err = s.alleged(ctx, r.Policy); err != nil {
		return report.State{}, err
	}
	issues = append(issues, found...)
	invalid := check(issues)
	var query *target.Query
	if invalid == nil && v.captured == nil && v.target.CaptureQuery != nil {
		query = v.target.CaptureQuery(target.CaptureRequest{TargetID: v.targetID, Locale: v.locale})
	}
	caller, attempts, err := filer(ctx, query, invalid)
	if err == nil {
		err = attempts.CheckSuspension(r.PluginID)
	}
	if err == nil && v.target == nil {
		err = s.checkPlugin(ctx, nil, report.Target{PluginID: r.PluginID, Type: r.TargetType})
	}
	if err == nil {
		err = invalid
	}
	if err == nil {
		err = attempts.Check(s.now())
	}
	if err != nil {
		return report.State{}, err
	}
	if attempts.Flagger != "" {
		v.source, v.flagger = report.FromTrustedFlagger, attempts.Flagger
	}
	capture, err := s.capture(ctx, caller, v, query)
	if err != nil {
		return report.State{}, err
	}
	if capture == nil {
		return report.State{}, domain.NotFound()
	}
	return s.open(ctx, v, capture, s.filing(caller, v, capture))
}

// open opens the report and stores the signals of its capture.
func (s *Service) open(ctx context.Context, v validFiling, capture *snapshot.Capture, f Filing) (report.State, error) {
	if len(capture.Signals) > 0 {
		if err := s.keepCaptured(ctx, v, capture); err != nil {
			return report.State{}, err
		}
	}
	return s.log.File(ctx, f)
}

// validateFiling validates the request and returns all of its faults.
func (s *Service) validateFiling(r FileRequest) (validFiling, []domain.Issue) {
	v := validFiling{source: r.Source}
	var issues, found domain.Issues
	v.target, v.targetID, issues = s.findTarget(r.PluginID, r.TargetType, r.TargetID)
	v.locale = s.localeOf(v.target)
	v.requested = v.locale
	for _, l := range []struct {
		path  string
		value *string
	}{{"requestedLocale", r.RequestedLocale}, {"locale", r.Locale}} {
		if l.value == nil {
			continue
		}
		if !domain.ValidLocale(*l.value) {
			issues.Add(l.path, "invalid", "Must be a locale such as en or pt-BR.")
		}
		v.locale = *l.value
	}
	switch {
	case r.RequestedLocale != nil:
		v.requested = *r.RequestedLocale
	case r.Locale != nil:
		v.requested = *r.Locale
	}
	if r.Capture != nil && v.target != nil {
		v.captured, found = readCapture(v.target, r.Capture, v.locale)
		issues = append(issues, found...)
	}
	v.reason, found = report.ParseReason(r.Reason)
	issues = append(issues, found...)
	v.description, found = report.ParseDescription(r.Description, v.reason)
	return v, append(issues, found...)
}

// alleged returns the version in force of the policy that a reporter names. It must be one that reporters may name.
func (s *Service) alleged(ctx context.Context, key *string) (*policy.Ref, []domain.Issue, error) {
	if key == nil {
		return nil, nil, nil
	}
	named, err := s.citable(ctx, *key)
	switch {
	case err != nil:
		return nil, nil, err
	case named == nil || !named.Reportable:
		return nil, []domain.Issue{{Path: "policy", Code: "unknown_policy", Message: "Must be a rule in force that can be named in a report."}}, nil
	}
	return &policy.Ref{Key: named.Key, Version: named.Version}, nil, nil
}

// localeOf returns the locale in which content is captured if the reporter requests none. def may be nil.
func (s *Service) localeOf(def *target.Definition) string {
	if def != nil && def.DefaultLocale != "" {
		return def.DefaultLocale
	}
	return s.locale
}

// readCapture parses a capture that was sent with the request.
func readCapture(def *target.Definition, raw []byte, locale string) (*snapshot.Capture, []domain.Issue) {
	if def.ReadCapture == nil {
		return nil, []domain.Issue{{Path: "capture", Code: "not_remote", Message: "The content of this type is read by the service itself."}}
	}
	captured, issues := def.ReadCapture(raw, locale)
	for i := range issues {
		issues[i].Path = strings.TrimSuffix("capture."+issues[i].Path, ".")
	}
	return captured, issues
}

// capture returns what the reporter sees of the target, or nil if they cannot read it.
func (s *Service) capture(ctx context.Context, c *permission.Caller, v validFiling, query *target.Query) (*snapshot.Capture, error) {
	switch {
	case v.captured != nil:
		return v.captured, nil
	case query != nil && query.Ran:
		return query.Capture, nil
	}
	capture, err := v.target.Captured(ctx, target.CaptureRequest{TargetID: v.targetID, Locale: v.locale, ReporterID: c.UserID})
	if err != nil && ctx.Err() == nil {
		err = unreachable(err)
	}
	return capture, err
}

func (s *Service) filing(c *permission.Caller, v validFiling, capture *snapshot.Capture) Filing {
	var within scope.Resource
	if s := capture.Scope; s != nil {
		*s = scope.ResourceOf(s.Family, s.ID)
		within = *s
	}
	taken := snapshot.Build(*capture, snapshot.BuildInput{
		Target:          snapshot.Target{PluginID: v.target.PluginID, Type: v.target.Type, ID: v.targetID},
		RequestedLocale: v.requested,
		CapturedAt:      s.now(),
		MaxExcerpt:      snapshot.MaxExcerpt,
	})
	created := report.Created{
		Target: report.Target{PluginID: v.target.PluginID, Type: v.target.Type, ID: v.targetID,
			PermissionModule: v.target.PermissionModule, Scope: capture.Scope},
		Locale: taken.Snapshot.Locale.Served, RequestedLocale: v.requested, Reason: v.reason, Policy: v.policy, Source: v.source, ReporterID: c.UserID,
		Muted: c.Muted(s.now(), v.target.PluginID, v.target.PermissionModule, within),
		Words: report.CreatedWords{Description: v.description, ReporterName: c.Name, Flagger: v.flagger,
			Title: taken.Snapshot.Title, Excerpt: taken.Excerpt, Snapshot: taken.JSON},
	}
	return Filing{Created: created, Deadlines: s.Deadlines}
}

// keepCaptured stores the signals of a capture. The filing then reads the stored ones, and a task adds them to the
// target's other open reports, so that the reporter does not wait for these.
func (s *Service) keepCaptured(ctx context.Context, v validFiling, capture *snapshot.Capture) error {
	t := CaseTarget{v.target.PluginID, v.target.Type, v.targetID}
	_, err := s.reports.KeepSignals(ctx, t, t.PluginID, signal.Valid(capture.Signals), s.now(), true)
	return err
}

// clip truncates a client's input for use in a message.
func clip(s string) string {
	short, _ := richtext.Cut(richtext.Clean(s), 64)
	return short
}
