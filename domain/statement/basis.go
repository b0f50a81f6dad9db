package statement

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
)

// Ground is why content violates a rule.
type Ground string

// The grounds.
const (
	Illegal      Ground = "illegal"      // against a law
	Incompatible Ground = "incompatible" // with the terms of the community
)

// The limits of a Basis. MaxLaw is in code points.
const (
	MaxLaw      = 500
	MaxKeywords = 20
)

// Basis is what decisions that cite a version of a policy state as their basis in the transparency database.
type Basis struct {
	Ground   Ground   `json:"ground"`
	Law      string   `json:"law,omitempty"` // required if the ground is a law
	Category string   `json:"category"`      // one of Categories, also with its prefix
	Keywords []string `json:"keywords,omitempty"`
}

// Check returns every fault.
func (b *Basis) Check() (issues []domain.Issue) {
	fault := func(path, code, message string, args ...any) {
		issues = append(issues, domain.Issue{Path: "statement." + path, Code: code, Message: fmt.Sprintf(message, args...)})
	}
	if b.Ground != Illegal && b.Ground != Incompatible {
		fault("ground", "invalid", "Must be illegal or incompatible.")
	}
	switch {
	case b.Ground == Illegal && !domain.Visible(b.Law):
		fault("law", "required", "Must name the law, since the ground is illegal.")
	case utf8.RuneCountInString(b.Law) > MaxLaw:
		fault("law", "too_long", "Must have at most %d characters.", MaxLaw)
	}
	switch {
	case b.Category == "":
		fault("category", "required", "Must be a category of the database.")
	case !slices.Contains(Categories, strings.TrimPrefix(b.Category, categoryPrefix)):
		fault("category", "invalid", "Must be a category of the database, such as SCAMS_AND_FRAUD.")
	}
	if len(b.Keywords) > MaxKeywords {
		fault("keywords", "too_many", "Must be at most %d keywords.", MaxKeywords)
		return issues // a body can hold very many
	}
	for i, k := range b.Keywords {
		if !slices.Contains(Keywords, strings.TrimPrefix(k, keywordPrefix)) {
			fault(fmt.Sprintf("keywords[%d]", i), "invalid", "Must be a keyword of the database, such as PHISHING.")
		}
	}
	return issues
}

// Equal reports whether both have the same content; nil has none.
func (b *Basis) Equal(o *Basis) bool {
	if b == nil || o == nil {
		return b == o
	}
	return b.Ground == o.Ground && b.Law == o.Law && b.Category == o.Category && slices.Equal(b.Keywords, o.Keywords)
}

// ContentType returns a kind of content by its name in the transparency database, or "" if the database does not have
// it. Case and prefix are optional: `image`, `CONTENT_TYPE_IMAGE`.
func ContentType(name string) string {
	short := strings.TrimPrefix(strings.ToUpper(name), contentTypePrefix)
	if !slices.Contains(ContentTypes, short) {
		return ""
	}
	return contentTypePrefix + short
}
