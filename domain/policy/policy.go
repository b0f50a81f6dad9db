// Package policy holds the rules of a community, which decisions cite. A policy is published in versions that never
// change, so the text of a cited version stays the same. Other modules must not import it.
package policy

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/statement"
)

// MaxTitle is the longest title, in code points.
const MaxTitle = 200

// Policy is one published version of a policy.
type Policy struct {
	ID          string           `json:"-"`
	Key         string           `json:"key"`
	Version     int              `json:"version"` // from 1 in each key
	Title       string           `json:"title"`
	Text        json.RawMessage  `json:"text"`     // a rich-text document
	Template    json.RawMessage  `json:"template"` // for statements of reasons to authors, as a document; nil if there is none
	Strikes     int              `json:"strikes"`  // that a decision to take action gives the author, for StrikeDays
	StrikeDays  int              `json:"strikeDays"`
	Reportable  bool             `json:"reportable"` // members may name it when they report something
	SecondKey   bool             `json:"secondKey"`  // decisions that cite it need a second person
	Statement   *statement.Basis `json:"statement"`  // its basis for the transparency database; nil means none
	PublishedAt domain.Time      `json:"publishedAt"`
	RetiredAt   *domain.Time     `json:"retiredAt"` // since when the key is not in force
}

// Ref cites a version.
type Ref struct {
	Key     string `json:"key"`
	Version int    `json:"version"`
}

// Draft is a validated version that is not published yet.
type Draft struct {
	Key      string
	Title    string
	Text     json.RawMessage
	Template json.RawMessage // nil if there is none

	Strikes    int
	StrikeDays int
	Reportable bool
	SecondKey  bool
	Statement  *statement.Basis // nil: none
}

var key = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// ValidKey reports whether s has the form of a policy's key.
func ValidKey(s string) bool { return key.MatchString(s) }

// CheckName checks the key and the trimmed title of a version, and returns every fault.
func CheckName(key, title string) (issues domain.Issues) {
	if !ValidKey(key) {
		issues.Add("key", "invalid", "Must be 1 to 64 lowercase letters, digits and dashes, and not begin with a dash.")
	}
	switch n := utf8.RuneCountInString(title); {
	case !domain.Visible(title):
		issues.Add("title", "required", "Must not be empty.")
	case n > MaxTitle:
		issues.Add("title", "too_long", "Must have at most %d characters.", MaxTitle)
	}
	return issues
}

// ParseDraft checks a version to be published and returns every fault. The texts are rich-text
// documents; a JSON string stands for its lines as paragraphs. An absent or null template means
// none.
func ParseDraft(key, title string, text, template json.RawMessage) (Draft, []domain.Issue) {
	d := Draft{Key: key, Title: strings.TrimSpace(title)}
	issues := CheckName(d.Key, d.Title)
	var found []domain.Issue
	d.Text, found = parseText("text", text)
	issues = append(issues, found...)
	if len(template) > 0 && string(template) != "null" {
		d.Template, found = parseText("template", template)
		issues = append(issues, found...)
	}
	return d, issues
}

func parseText(path string, raw json.RawMessage) (json.RawMessage, []domain.Issue) {
	var plain string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &plain) == nil && domain.Storable(plain) {
		raw = richtext.FromText(plain).JSON()
	}
	doc, issues := richtext.Parse(path, raw)
	if issues != nil {
		return nil, issues
	}
	return doc.JSON(), nil
}

// The limits of strikes, and how many days they count by default.
const (
	MaxStrikes        = 10
	MaxStrikeDays     = 3650
	DefaultStrikeDays = 365
)

// SetStrikes checks the strikes that the version gives and returns every fault. By default there
// are none, and strikes count for a year.
func (d *Draft) SetStrikes(strikes, days *int) (issues domain.Issues) {
	d.Strikes, d.StrikeDays = 0, DefaultStrikeDays
	if strikes != nil {
		d.Strikes = *strikes
	}
	if days != nil {
		d.StrikeDays = *days
	}
	if d.Strikes < 0 || d.Strikes > MaxStrikes {
		issues.Add("strikes", "out_of_range", "Must be from 0 to %d.", MaxStrikes)
	}
	if d.StrikeDays < 1 || d.StrikeDays > MaxStrikeDays {
		issues.Add("strikeDays", "out_of_range", "Must be from 1 to %d.", MaxStrikeDays)
	}
	return issues
}

// Changes reports whether publishing the draft creates a new version. p is the newest version of
// the key, or the zero Policy. A draft that equals the version in force creates none; a retired key
// always gets a new version.
func (p *Policy) Changes(d Draft) bool {
	return p.Version == 0 || p.RetiredAt != nil || p.Title != d.Title || string(p.Text) != string(d.Text) || string(p.Template) != string(d.Template) ||
		p.Reportable != d.Reportable || p.SecondKey != d.SecondKey || !p.Statement.Equal(d.Statement) || p.Strikes != d.Strikes || cmp.Or(p.StrikeDays, DefaultStrikeDays) != cmp.Or(d.StrikeDays, DefaultStrikeDays)
}
