// Package statementtest checks statements of reasons as the EU's transparency database does. Other modules must not
// import it.
package statementtest

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain/statement"
)

var (
	visibility = prefixed("DECISION_VISIBILITY_", "CONTENT_REMOVED", "CONTENT_DISABLED", "CONTENT_DEMOTED", "CONTENT_AGE_RESTRICTED",
		"CONTENT_INTERACTION_RESTRICTED", "CONTENT_LABELLED", "OTHER")
	provision = prefixed("DECISION_PROVISION_", "PARTIAL_SUSPENSION", "TOTAL_SUSPENSION", "PARTIAL_TERMINATION", "TOTAL_TERMINATION")
	account   = []string{"DECISION_ACCOUNT_SUSPENDED", "DECISION_ACCOUNT_TERMINATED"}
	grounds   = []string{"DECISION_GROUND_ILLEGAL_CONTENT", "DECISION_GROUND_INCOMPATIBLE_CONTENT"}
	sources   = []string{"SOURCE_ARTICLE_16", "SOURCE_TRUSTED_FLAGGER", "SOURCE_TYPE_OTHER_NOTIFICATION", "SOURCE_VOLUNTARY"}
	automated = prefixed("AUTOMATED_DECISION_", "FULLY", "PARTIALLY", "NOT_AUTOMATED")
	puid      = regexp.MustCompile(`^[a-zA-Z0-9-_]{1,500}$`)
	language  = regexp.MustCompile(`^[A-Z]{2}$`)
)

func prefixed(prefix string, names ...string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = prefix + n
	}
	return all
}

// checker collects the faults of a statement. It removes each field that it has checked.
type checker struct {
	s      map[string]any
	faults map[string][]string
}

// Check returns the faults of a statement by field.
func Check(s map[string]any) map[string][]string {
	left := map[string]any{}
	for k, v := range s {
		left[k] = v
	}
	c := checker{left, map[string][]string{}}
	v, p, a := c.list("decision_visibility", visibility, false), c.one("decision_provision", provision, false), c.one("decision_account", account, false)
	if len(v) == 0 && p == "" && a == "" {
		c.fault("decision_visibility", "one of the decisions is required")
	}
	c.text("decision_visibility_other", 500, slices.Contains(v, "DECISION_VISIBILITY_OTHER"))
	switch c.one("decision_ground", grounds, true) {
	case grounds[0]:
		c.text("illegal_content_legal_ground", 500, true)
		c.text("illegal_content_explanation", 2000, true)
	case grounds[1]:
		c.text("incompatible_content_ground", 500, true)
		c.text("incompatible_content_explanation", 2000, true)
	}
	kinds := c.list("content_type", prefixed("CONTENT_TYPE_", statement.ContentTypes...), true)
	c.text("content_type_other", 500, slices.Contains(kinds, "CONTENT_TYPE_OTHER"))
	c.one("category", prefixed("STATEMENT_CATEGORY_", statement.Categories...), true)
	c.list("category_specification", prefixed("KEYWORD_", statement.Keywords...), false)
	if l := c.string("content_language"); l != "" && !language.MatchString(l) {
		c.fault("content_language", "two capital letters")
	}
	c.date("content_date", "2000-01-01", true)
	c.date("application_date", "2020-01-01", true)
	for _, end := range []string{"end_date_account_restriction", "end_date_visibility_restriction", "end_date_service_restriction"} {
		c.date(end, "2020-01-01", false)
	}
	c.text("decision_facts", 5000, true)
	c.one("source_type", sources, true)
	c.one("automated_detection", []string{"Yes", "No"}, true)
	c.one("automated_decision", automated, true)
	if id := c.string("puid"); !puid.MatchString(id) {
		c.fault("puid", "letters, digits, dashes")
	}
	for field := range c.s {
		c.fault(field, "is not known, or not for this ground")
	}
	return c.faults
}

func (c *checker) fault(field, message string) {
	c.faults[field] = append(c.faults[field], message)
}

func (c *checker) take(field string) any {
	v := c.s[field]
	delete(c.s, field)
	return v
}

func (c *checker) string(field string) string {
	v := c.take(field)
	s, ok := v.(string)
	if v != nil && !ok {
		c.fault(field, "a string")
	}
	return s
}

func (c *checker) text(field string, limit int, required bool) {
	s := c.string(field)
	switch {
	case required && strings.TrimSpace(s) == "":
		c.fault(field, "required")
	case !required && s != "":
		c.fault(field, "not without its choice")
	case utf8.RuneCountInString(s) > limit:
		c.fault(field, "too long")
	}
}

func (c *checker) one(field string, of []string, required bool) string {
	s := c.string(field)
	if s == "" && required || s != "" && !slices.Contains(of, s) {
		c.fault(field, "one of the list")
	}
	return s
}

func (c *checker) list(field string, of []string, required bool) (all []string) {
	v := c.take(field)
	items, ok := v.([]any)
	if required && len(items) == 0 || v != nil && !ok {
		c.fault(field, "a list")
	}
	for _, item := range items {
		s, _ := item.(string)
		if !slices.Contains(of, s) {
			c.fault(field, "one of the list")
		}
		all = append(all, s)
	}
	return all
}

func (c *checker) date(field, first string, required bool) {
	s := c.string(field)
	if s == "" && !required {
		return
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil || s < first || s > "2038-01-01" {
		c.fault(field, "a date from "+first)
	}
}
