// Package publicnotice holds the rules of notices: anybody, with or without an account, can notify that content is
// illegal or breaks a rule (article 16 of Regulation (EU) 2022/2065). A notice becomes a report once the link that is
// mailed to its sender is confirmed. Other modules must not import it.
package publicnotice

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
)

// The limits of notices, of texts in code points after trimming. PerEmail and PerAddress count within Window, and
// senders cannot see that they reached them.
const (
	MinExplanation = 50
	MaxExplanation = 5000
	MaxURL         = 2000
	MaxLaw         = 500
	MaxName        = 200
	MaxEmail       = 254 // bytes

	PerEmail   = 5
	PerAddress = 20
	Window     = time.Hour
	// Lifetime is how long a notice can be confirmed.
	Lifetime = 24 * time.Hour
)

// ChildSafety is the category in which senders may stay anonymous.
const ChildSafety = "child_safety"

// Notice is a validated notice about content.
type Notice struct {
	URL         string  `json:"url"` // where the content is, http or https
	Explanation string  `json:"explanation"`
	Law         *string `json:"law"` // that was violated, in the sender's words
	Name        *string `json:"name"`
	Email       *string `json:"email"`    // nil if the sender is anonymous
	Policy      *string `json:"policy"`   // the key of a policy that was violated
	Language    string  `json:"language"` // to write to the sender in
}

// Request is a notice as it was sent. Empty texts count as absent.
type Request struct {
	URL, Explanation, Law, Name, Email, Category string

	GoodFaith bool // the sender believes in good faith that what they say is accurate and complete
	Policy    *string
	Language  string
}

// Parse validates a notice and returns every fault.
func Parse(r Request) (n Notice, issues []domain.Issue) {
	fault := func(path, code, message string) {
		if !domain.HasIssue(issues, path) {
			issues = append(issues, domain.Issue{Path: path, Code: code, Message: message})
		}
	}
	line := func(path, value string, atMost int) *string {
		value = strings.TrimSpace(value)
		switch {
		case value == "":
			return nil
		case utf8.RuneCountInString(value) > atMost:
			fault(path, "too_long", fmt.Sprintf("Must have at most %d characters.", atMost))
		case !domain.Visible(value) || strings.ContainsFunc(value, isControl) || domain.Unstorable(path, value) != nil:
			fault(path, "invalid_text", "Must be text on one line.")
		}
		return &value
	}
	n = Notice{Explanation: strings.TrimSpace(r.Explanation), Policy: r.Policy, Language: r.Language}
	n.URL = domain.OrEmpty(line("url", r.URL, MaxURL))
	if u, err := url.Parse(n.URL); n.URL == "" {
		fault("url", "required", "Must be given.")
	} else if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		fault("url", "invalid", "Must be the address of the content, such as https://forum.example/posts/7.")
	}
	switch length := utf8.RuneCountInString(n.Explanation); {
	case domain.Unstorable("explanation", n.Explanation) != nil:
		fault("explanation", "invalid_text", "Must be text.")
	case length < MinExplanation:
		fault("explanation", "too_short", fmt.Sprintf("Must have at least %d characters.", MinExplanation))
	case length > MaxExplanation:
		fault("explanation", "too_long", fmt.Sprintf("Must have at most %d characters.", MaxExplanation))
	}
	n.Law, n.Name, n.Email = line("law", r.Law, MaxLaw), line("name", r.Name, MaxName), line("email", r.Email, MaxEmail)
	if n.Email != nil && (len(*n.Email) > MaxEmail || !domain.ValidEmail(*n.Email)) {
		fault("email", "invalid_email", "This is not an email address.")
	}
	switch r.Category {
	case "", ChildSafety:
	default:
		fault("category", "unknown_value", "Must be "+ChildSafety+" or absent.")
	}
	// A sender who gives one of the two wants a reply.
	if anonymous := r.Category == ChildSafety && n.Name == nil && n.Email == nil; !anonymous {
		for path, value := range map[string]*string{"name": n.Name, "email": n.Email} {
			if value == nil {
				fault(path, "required", "Must be given.")
			}
		}
	}
	if !r.GoodFaith {
		fault("goodFaith", "required", "Must be true: only somebody who believes that what they say is accurate and complete may send a notice.")
	}
	return n, issues
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }

// Candidates returns the forms in which types may declare the notice's address: absolute, and without scheme and host
// if these are those of base, which may be nil.
func Candidates(address string, base *url.URL) []string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	u.Fragment, u.RawFragment, u.Host = "", "", strings.ToLower(u.Host)
	all := []string{u.String()}
	if base != nil && u.Scheme == base.Scheme && u.Host == strings.ToLower(base.Host) {
		all = append(all, strings.TrimPrefix(u.String(), u.Scheme+"://"+u.Host))
	}
	return all
}
