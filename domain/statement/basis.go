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
func (b *Basis) Check() (issues domain.Issues) {
	if b.Ground != Illegal && b.Ground != Incompatible {
		issues.Add("statement.ground", "invalid", "Must be illegal or incompatible.")
	}
	switch {
	case b.Ground == Illegal && !domain.Visible(b.Law):
		issues.Add("statement.law", "required", "Must name the law, since the ground is illegal.")
	case utf8.RuneCountInString(b.Law) > MaxLaw:
		issues.Add("statement.law", "too_long", "Must have at most %d characters.", MaxLaw)
	}
	switch {
	case b.Category == "":
		issues.Add("statement.category", "required", "Must be a category of the database.")
	case !slices.Contains(Categories, strings.TrimPrefix(b.Category, categoryPrefix)):
		issues.Add("statement.category", "invalid", "Must be a category of the database, such as SCAMS_AND_FRAUD.")
	}
	if len(b.Keywords) > MaxKeywords {
		issues.Add("statement.keywords", "too_many", "Must be at most %d keywords.", MaxKeywords)
		return issues // a body can hold very many
	}
	for i, k := range b.Keywords {
		if !slices.Contains(Keywords, strings.TrimPrefix(k, keywordPrefix)) {
			issues.Add(fmt.Sprintf("statement.keywords[%d]", i), "invalid", "Must be a keyword of the database, such as PHISHING.")
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
