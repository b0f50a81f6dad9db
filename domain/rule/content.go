package rule

import (
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
)

// Content is the checked content of a version that is not published yet.
type Content struct {
	Key, Title, When string
	Then             Then
}

// ValidKey reports whether s has the form of a rule's key, which is that of a policy's.
func ValidKey(s string) bool { return policy.ValidKey(s) }

// ParseContent checks a version to be published and returns every fault. A nil then could not be parsed, and the caller
// reports that fault.
func ParseContent(key, title, when string, then *Then) (Content, []domain.Issue) {
	c := Content{Key: key, Title: strings.TrimSpace(title), When: when}
	_, whens := Parse(when)
	var thens []domain.Issue
	if then != nil {
		c.Then, thens = then.Check()
	}
	return c, slices.Concat(policy.CheckName(c.Key, c.Title), whens, thens)
}

// Next returns the version that results from publishing c. r is the newest version of the key, or the zero Rule. The
// new version has the mode of the version in force, else it is a draft. If r is in force and has the same content, Next
// returns r, and published is false.
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

// InMode returns the rule in mode m from the time at, or unchanged if it is already in m. A retired rule cannot change:
// invalid_state.
func (r Rule) InMode(m Mode, at time.Time) (Rule, error) {
	if r.RetiredAt != nil {
		return Rule{}, domain.Errorf(domain.CodeInvalidState, "The rule is retired. Publish it again first.")
	}
	if r.Mode != m {
		r.Mode, r.ModeAt = m, at
	}
	return r, nil
}
