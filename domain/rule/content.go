package rule

import (
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
)

// Content is what a version says, checked and not published yet.
type Content struct {
	Key, Title, When string
	Then             Then
}

// ValidKey reports whether s has the form of a rule's key, which is that of a policy's.
func ValidKey(s string) bool { return policy.ValidKey(s) }

// ParseContent checks a version that somebody wants to publish and returns every fault. A nil then could
// not be read: the caller reports that fault.
func ParseContent(key, title, when string, then *Then) (Content, []domain.Issue) {
	c := Content{Key: key, Title: strings.TrimSpace(title), When: when}
	_, whens := Parse(when)
	var thens []domain.Issue
	if then != nil {
		c.Then, thens = then.Check()
	}
	return c, slices.Concat(policy.CheckName(c.Key, c.Title), whens, thens)
}

// Next returns the version that publishing the content makes after r, the newest of its key, which is the
// zero Rule if there is none. It keeps the mode of the version in force; without one it is a draft.
// If r is in force and says the same, Next returns r, and published is false.
func (r Rule) Next(c Content, id string, at time.Time) (next Rule, published bool) {
	inForce := r.Version > 0 && r.RetiredAt == nil
	if inForce && r.Title == c.Title && r.When == c.When && r.Then.Equal(c.Then) {
		return r, false
	}
	next = Rule{Ref: Ref{c.Key, r.Version + 1}, ID: id, Title: c.Title, When: c.When, Then: c.Then, Mode: Draft, ModeAt: at, PublishedAt: at}
	if inForce {
		next.Mode = r.Mode
	}
	return next, true
}

// InMode returns the rule in the mode m since at, or as it is if it is in m already. A retired one has no
// other mode: invalid_state.
func (r Rule) InMode(m Mode, at time.Time) (Rule, error) {
	if r.RetiredAt != nil {
		return Rule{}, domain.Errorf(domain.CodeInvalidState, "The rule is retired. Publish it again first.")
	}
	if r.Mode != m {
		r.Mode, r.ModeAt = m, at
	}
	return r, nil
}
