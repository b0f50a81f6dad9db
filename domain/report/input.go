package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/richtext"
)

// The limits of spec section 8, in Unicode code points after trimming.
const (
	MaxDescription      = 2000
	MinDescriptionOther = 10
	MinText             = 3 // plain notes and reopen reasons
	MaxText             = 2000
	MaxExplanation      = 2000

	MaxExcerpt = 200 // of a list item (contract 3.1)

	FilingsPerHour  = 20  // reports that were filed, per reporter
	AttemptsPerHour = 120 // filings of every outcome, per reporter
)

// NoteBody is the validated text of a note.
type NoteBody struct {
	Kind NoteKind
	JSON json.RawMessage // a JSON string, or a rich-text document in compact form
}

// ParseReason reads one of the enumerated reasons.
func ParseReason(value string) (Reason, []domain.Issue) {
	return enumerated("reason", value, Reasons)
}

// ParseResolution reads one of the enumerated resolutions.
func ParseResolution(value string) (Resolution, []domain.Issue) {
	return enumerated("resolution", value, Resolutions)
}

func enumerated[T ~string](path, value string, allowed []T) (T, []domain.Issue) {
	names := make([]string, len(allowed))
	for i, a := range allowed {
		if string(a) == value {
			return a, nil
		}
		names[i] = string(a)
	}
	return "", []domain.Issue{{Path: path, Code: "unknown_value", Message: "Must be one of " + strings.Join(names, ", ") + "."}}
}

// ParseDescription trims the details of a report and holds them to spec
// section 8; empty details are none.
func ParseDescription(value *string, reason Reason) (*string, []domain.Issue) {
	text, issues := optional("description", value, MaxDescription)
	if issues != nil || reason != Other {
		return text, issues
	}
	if text == nil {
		return nil, []domain.Issue{{Path: "description", Code: "required",
			Message: fmt.Sprintf("Say what is wrong, in at least %d characters, when the reason is other.", MinDescriptionOther)}}
	}
	if utf8.RuneCountInString(*text) < MinDescriptionOther {
		return nil, []domain.Issue{tooShort("description", MinDescriptionOther)}
	}
	return text, nil
}

// ParseExplanation trims the explanation of a resolution; an empty one is none.
func ParseExplanation(value *string) (*string, []domain.Issue) {
	return optional("explanation", value, MaxExplanation)
}

// ParseReopenReason trims the reason for reopening.
func ParseReopenReason(value string) (string, []domain.Issue) {
	return bounded("reason", value)
}

// ParseNote reads a note's body: a JSON string, or a rich-text document.
func ParseNote(body json.RawMessage) (NoteBody, []domain.Issue) {
	var text string
	if len(body) == 0 || body[0] != '"' {
		doc, issues := richtext.ParseNote(body)
		if issues != nil {
			return NoteBody{}, issues
		}
		return NoteBody{Kind: RichTextNote, JSON: doc.JSON()}, nil
	}
	if err := json.Unmarshal(body, &text); err != nil {
		return NoteBody{}, []domain.Issue{{Path: "body", Code: "invalid_text", Message: "Must be text or a rich-text document."}}
	}
	text, issues := bounded("body", text)
	if issues != nil {
		return NoteBody{}, issues
	}
	encoded, err := json.Marshal(text)
	if err != nil {
		return NoteBody{}, []domain.Issue{{Path: "body", Code: "invalid_text", Message: "Must be text."}}
	}
	return NoteBody{Kind: TextNote, JSON: encoded}, nil
}

func bounded(path, value string) (string, []domain.Issue) {
	value = strings.TrimSpace(value)
	if issue := unstorable(path, value); issue != nil {
		return "", issue
	}
	switch n := utf8.RuneCountInString(value); {
	case n < MinText:
		return "", []domain.Issue{tooShort(path, MinText)}
	case n > MaxText:
		return "", []domain.Issue{tooLong(path, MaxText)}
	}
	return value, nil
}

func optional(path string, value *string, limit int) (*string, []domain.Issue) {
	if value == nil {
		return nil, nil
	}
	text := strings.TrimSpace(*value)
	if issue := unstorable(path, text); issue != nil {
		return nil, issue
	}
	if utf8.RuneCountInString(text) > limit {
		return nil, []domain.Issue{tooLong(path, limit)}
	}
	if text == "" {
		return nil, nil
	}
	return &text, nil
}

// unstorable refuses what a text column cannot hold.
func unstorable(path, text string) []domain.Issue {
	if !domain.Storable(text) {
		return []domain.Issue{{Path: path, Code: "invalid_text", Message: "Must be valid UTF-8 without the character U+0000."}}
	}
	return nil
}

func tooShort(path string, limit int) domain.Issue {
	return domain.Issue{Path: path, Code: "too_short", Message: fmt.Sprintf("Must have at least %d characters.", limit)}
}

func tooLong(path string, limit int) domain.Issue {
	return domain.Issue{Path: path, Code: "too_long", Message: fmt.Sprintf("Must have at most %d characters.", limit)}
}
