// Package statement makes statements of reasons for the EU's transparency database (article 24(5) of the Digital
// Services Act) from decisions. It is pure. Statements contain no text by a member or a moderator, only texts of
// policies, which are public. Other modules must not import it.
package statement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/richtext"
)

// Decision is the input of a statement.
type Decision struct {
	ID          string // of its event
	DecidedAt   time.Time
	ContentDate time.Time // when the content was published, or else reported
	Language    string    // of the content, a locale
	ContentType string    // of the target's type, see ContentType; "" if it has none
	Source      string    // of the report
	Policy      *Policy   // that it cites, or nil
	// Hidden means that an action hides the content. Others are the labels of other actions that can be
	// undone.
	Hidden   bool
	Others   []string
	Measures []Measure
	ByRule   bool // a rule took one of the actions
}

// Policy is the version of a policy that a decision cites.
type Policy struct {
	Key            string
	Version        int
	Title          string
	Text, Template json.RawMessage // rich-text documents; no Template is nil
	Basis          *Basis          // nil: the policy has none
}

// Measure is what the decision imposed on an author.
type Measure struct {
	Kind  measure.Kind
	Until *time.Time
}

// Restricts reports whether the decision restricts anybody, which requires a statement.
func (d *Decision) Restricts() bool {
	return d.Hidden || len(d.Others) > 0 || slices.ContainsFunc(d.Measures, func(m Measure) bool { return m.Kind != measure.Warn })
}

// Statement is a statement of reasons in the database's format.
type Statement struct {
	DecisionVisibility      []string `json:"decision_visibility,omitempty"`
	DecisionVisibilityOther string   `json:"decision_visibility_other,omitempty"`
	DecisionProvision       string   `json:"decision_provision,omitempty"`
	DecisionAccount         string   `json:"decision_account,omitempty"`
	EndOfService            string   `json:"end_date_service_restriction,omitempty"`
	EndOfAccount            string   `json:"end_date_account_restriction,omitempty"`

	Ground                  string `json:"decision_ground"`
	IllegalGround           string `json:"illegal_content_legal_ground,omitempty"`
	IllegalExplanation      string `json:"illegal_content_explanation,omitempty"`
	IncompatibleGround      string `json:"incompatible_content_ground,omitempty"`
	IncompatibleExplanation string `json:"incompatible_content_explanation,omitempty"`

	ContentType      []string `json:"content_type"`
	ContentTypeOther string   `json:"content_type_other,omitempty"`
	Category         string   `json:"category"`
	Specification    []string `json:"category_specification,omitempty"`
	ContentLanguage  string   `json:"content_language,omitempty"`
	ContentDate      string   `json:"content_date"`
	ApplicationDate  string   `json:"application_date"`
	DecisionFacts    string   `json:"decision_facts"`
	SourceType       string   `json:"source_type"`
	Detection        string   `json:"automated_detection"`
	Automated        string   `json:"automated_decision"`
	PUID             string   `json:"puid"`
}

// Missing is information that a decision lacks for a statement.
type Missing string

// The information that can be missing.
const (
	NoPolicy      Missing = "policy"      // the decision cites none
	NoBasis       Missing = "statement"   // the policy has no basis
	NoContentType Missing = "contentType" // the content's type is not set
)

// The limits of texts, in code points.
const (
	maxGround      = 500
	maxExplanation = 2000
	maxFacts       = 5000
	maxOther       = 500
)

// The first dates of content and of a decision that the database accepts, and the last date.
var (
	firstContent     = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	firstApplication = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	last             = time.Date(2038, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Make returns the statement of a decision that restricts, or the information that is missing for it.
func Make(d Decision) (*Statement, []Missing) {
	var missing []Missing
	switch {
	case d.Policy == nil:
		missing = append(missing, NoPolicy)
	case d.Policy.Basis == nil:
		missing = append(missing, NoBasis)
	}
	if ContentType(d.ContentType) == "" {
		missing = append(missing, NoContentType)
	}
	if missing != nil {
		return nil, missing
	}
	s := &Statement{
		ContentType:     []string{ContentType(d.ContentType)},
		Category:        categoryPrefix + strings.TrimPrefix(d.Policy.Basis.Category, categoryPrefix),
		ContentLanguage: language(d.Language),
		ContentDate:     date(d.ContentDate, firstContent),
		ApplicationDate: date(d.DecidedAt, firstApplication),
		DecisionFacts:   facts(d.Policy),
		SourceType:      source(d.Source),
		Detection:       "No",
		Automated:       "AUTOMATED_DECISION_NOT_AUTOMATED",
		PUID:            d.ID,
	}
	if d.ByRule {
		s.Detection, s.Automated = "Yes", "AUTOMATED_DECISION_PARTIALLY"
	}
	if s.ContentType[0] == contentTypePrefix+"OTHER" {
		s.ContentTypeOther = "Other content"
	}
	for _, k := range d.Policy.Basis.Keywords {
		s.Specification = append(s.Specification, keywordPrefix+strings.TrimPrefix(k, keywordPrefix))
	}
	s.cite(d)
	s.restrict(d)
	return s, nil
}

// cite sets the law or term that the content violates.
func (s *Statement) cite(d Decision) {
	title := fmt.Sprintf("%s (%s, version %d)", d.Policy.Title, d.Policy.Key, d.Policy.Version)
	explanation := cmp.Or(plain(d.Policy.Text, maxExplanation), title)
	if d.Policy.Basis.Ground == Illegal {
		s.Ground, s.IllegalGround, s.IllegalExplanation = "DECISION_GROUND_ILLEGAL_CONTENT", cut(d.Policy.Basis.Law, maxGround), explanation
		return
	}
	s.Ground, s.IncompatibleGround, s.IncompatibleExplanation = "DECISION_GROUND_INCOMPATIBLE_CONTENT", cut(title, maxGround), explanation
}

// restrict sets the restrictions.
func (s *Statement) restrict(d Decision) {
	if d.Hidden {
		s.DecisionVisibility = append(s.DecisionVisibility, "DECISION_VISIBILITY_CONTENT_DISABLED")
	}
	if len(d.Others) > 0 {
		s.DecisionVisibility = append(s.DecisionVisibility, "DECISION_VISIBILITY_OTHER")
		s.DecisionVisibilityOther = cut(strings.Join(d.Others, ", "), maxOther)
	}
	suspended, terminated := of(d.Measures, measure.Suspend), of(d.Measures, measure.Terminate)
	switch {
	case terminated != nil:
		s.DecisionAccount = "DECISION_ACCOUNT_TERMINATED"
	case suspended != nil:
		s.DecisionAccount, s.EndOfAccount = "DECISION_ACCOUNT_SUSPENDED", end(suspended)
	}
	if restricted := of(d.Measures, measure.Restrict); restricted != nil {
		s.DecisionProvision, s.EndOfService = "DECISION_PROVISION_PARTIAL_SUSPENSION", end(restricted)
	}
}

// of returns the measures of a kind.
func of(all []Measure, kind measure.Kind) []Measure {
	return domain.Filter(all, func(m Measure) bool { return m.Kind == kind })
}

// end returns the date of the last end, or "" if one of the measures has none.
func end(measures []Measure) string {
	var latest time.Time
	for _, m := range measures {
		if m.Until == nil {
			return ""
		}
		if m.Until.After(latest) {
			latest = *m.Until
		}
	}
	return date(latest, firstApplication)
}

// facts returns the facts of the decision: the policy's template for reasons, else its title.
func facts(p *Policy) string {
	return cmp.Or(plain(p.Template, maxFacts), cut(fmt.Sprintf("The content was found to be against the rule “%s”.", p.Title), maxFacts))
}

func plain(document []byte, limit int) string {
	if len(document) == 0 {
		return ""
	}
	doc, issues := richtext.Parse("", document)
	if issues != nil {
		return ""
	}
	return cut(strings.TrimSpace(doc.PlainText()), limit)
}

func cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}

func date(t, first time.Time) string {
	t = t.UTC()
	if t.Before(first) {
		t = first
	}
	if t.After(last) {
		t = last
	}
	return t.Format(time.DateOnly)
}

// language returns the two-letter language of a locale such as de, de-AT or de_AT, in upper case, or "" if its language
// has no two letters.
func language(locale string) string {
	l := domain.Language(locale)
	if len(l) != 2 || strings.Trim(strings.ToLower(l), "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return strings.ToUpper(l)
}

// source maps the source of the report to the database's terms.
func source(of string) string {
	switch of {
	case "notice":
		return "SOURCE_ARTICLE_16"
	case "trusted_flagger":
		return "SOURCE_TRUSTED_FLAGGER"
	}
	return "SOURCE_TYPE_OTHER_NOTIFICATION"
}
