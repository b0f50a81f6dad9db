package event

import (
	"fmt"
	"net/url"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
)

// Subscription says which events are sent to an address.
type Subscription struct {
	URL    string
	Events []string     // names, or prefixes ending in `*`; empty means every event
	Scope  *scope.Scope // nil means everywhere
}

// Wants reports whether the subscription includes an event about the resource that where returns.
// It calls where only if the subscription has a scope.
func (s Subscription) Wants(name string, where func() (scope.Resource, error)) (bool, error) {
	if matches := Matches(s.Events, name); !matches || s.Scope == nil {
		return matches, nil
	}
	resource, err := where()
	return err == nil && s.Scope.Covers(resource), err
}

// The bounds of a subscription.
const (
	maxURL    = 2000
	maxEvents = 50
	maxName   = 200
)

// Check returns every fault of the subscription. If requireHTTPS is set, an address that begins
// with http: is a fault.
func (s Subscription) Check(requireHTTPS bool) (issues domain.Issues) {
	u, err := url.Parse(s.URL)
	switch {
	case s.URL == "":
		issues.Add("url", "required", "Must be given.")
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || len(s.URL) > maxURL || !domain.Storable(s.URL):
		issues.Add("url", "invalid", "Must be an http or https address of at most 2000 characters.")
	case u.User != nil:
		issues.Add("url", "invalid", "Must not hold a name or password.")
	case requireHTTPS && u.Scheme != "https":
		issues.Add("url", "insecure", "Must begin with https.")
	}
	if len(s.Events) > maxEvents {
		issues.Add("events", "too_many", "At most 50 events may be listed.")
		s.Events = nil // otherwise each could have a fault
	}
	for i, pattern := range s.Events {
		if !ValidPattern(pattern) {
			issues.Add(fmt.Sprintf("events[%d]", i), UnknownEvent, "%.100q is not a known event.", pattern)
		}
	}
	return append(issues, checkScope(s.Scope)...)
}

func checkScope(s *scope.Scope) (issues domain.Issues) {
	switch {
	case s == nil:
	case s.Family == "" || !domain.Storable(s.Family):
		issues.Add("scope.family", "required", "Must be a scope family.")
	case s.Mode == scope.All && len(s.IDs) == 0:
	case s.Mode == scope.Selected && len(s.IDs) > 0:
		for i, id := range s.IDs {
			if !scope.ValidResourceID(id) {
				issues.Add(fmt.Sprintf("scope.ids[%d]", i), "invalid", "Must be a resource id.")
			}
		}
	default:
		issues.Add("scope.mode", "invalid", "Must be all without ids, or selected with some.")
	}
	return issues
}
