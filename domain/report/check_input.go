package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/richtext"
)

// NoteBody is the validated text of a note.
type NoteBody struct {
	Kind NoteKind
	JSON json.RawMessage // a JSON string, or a rich-text document in compact form
}

// ParseReason parses a reason.
func ParseReason(value string) (Reason, []domain.Issue) {
	return enumerated("reason", value, Reasons)
}

// ParseResolution parses a resolution.
func ParseResolution(value string) (Resolution, []domain.Issue) {
	return enumerated("resolution", value, Resolutions)
}

func enumerated[T ~string](path, value string, allowed []T) (T, []domain.Issue) {
	if slices.Contains(allowed, T(value)) {
		return T(value), nil
	}
	return "", []domain.Issue{{Path: path, Code: "unknown_value", Message: "Must be one of " + domain.Joined(allowed) + "."}}
}

// ParseDescription trims and checks the description of a report. An empty one counts as none.
func ParseDescription(value *string, reason Reason) (*string, []domain.Issue) {
	text, issues := optional("description", value, MaxDescription)
	if issues != nil || reason != Other {
		return text, issues
	}
	if text == nil {
		return nil, []domain.Issue{{Path: "description", Code: "required",
			Message: fmt.Sprintf("Describe what is wrong in at least %d characters if the reason is other.", MinDescriptionOther)}}
	}
	if utf8.RuneCountInString(*text) < MinDescriptionOther {
		return nil, []domain.Issue{tooShort("description", MinDescriptionOther)}
	}
	return text, nil
}

// ParseExplanation trims and checks the explanation of a resolution. An empty one counts as none.
func ParseExplanation(value *string) (*string, []domain.Issue) {
	return optional("explanation", value, MaxExplanation)
}

// ParseReasons parses and checks a statement of reasons to an author, which is a JSON string or a rich-text document.
// Null and empty text count as none.
func ParseReasons(raw json.RawMessage) (json.RawMessage, []domain.Issue) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '"' {
		doc, issues := richtext.Parse("reasons", raw)
		if issues != nil {
			return nil, issues
		}
		if doc.Characters() > MaxReasons {
			return nil, []domain.Issue{tooLong("reasons", MaxReasons)}
		}
		return doc.JSON(), nil
	}
	var value string
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, []domain.Issue{{Path: "reasons", Code: "invalid_text", Message: "Must be text or a rich-text document."}}
	}
	text, issues := optional("reasons", &value, MaxReasons)
	if issues != nil || text == nil {
		return nil, issues
	}
	return quoted(*text), nil
}

func quoted(text string) json.RawMessage {
	encoded, _ := json.Marshal(text) // which no text fails
	return encoded
}

// ParseAppealText trims and checks the text of an appeal or of the reply to one.
func ParseAppealText(path, value string) (string, []domain.Issue) {
	text, issues := optional(path, &value, MaxAppeal)
	if issues == nil && text == nil {
		issues = []domain.Issue{{Path: path, Code: "required", Message: "Must not be empty."}}
	}
	if issues != nil {
		return "", issues
	}
	return *text, nil
}

// ParseReopenReason trims and checks the reason for reopening.
func ParseReopenReason(value string) (string, []domain.Issue) {
	return bounded("reason", value)
}

// ParseReleaseReason trims and checks the reason for approving or rejecting a held decision. An empty one counts as
// none.
func ParseReleaseReason(value *string) (*string, []domain.Issue) {
	return optional("reason", value, MaxText)
}

// ParseEscalationNote trims and checks the note to the person to whom a report is escalated.
func ParseEscalationNote(value string) (string, []domain.Issue) {
	return bounded("note", value)
}

// ParseReturnNote trims and checks the note to the person to whom a report is returned. An empty note counts as none.
func ParseReturnNote(value *string) (*string, []domain.Issue) {
	if value == nil || strings.TrimSpace(*value) == "" {
		return nil, nil
	}
	text, issues := bounded("note", *value)
	return &text, issues
}

// ParseMuteReason trims and checks the reason for which a reporter is muted.
func ParseMuteReason(value string) (string, []domain.Issue) {
	return bounded("reason", value)
}

// ParseNote parses and checks a note's body, which is a JSON string or a rich-text document.
func ParseNote(body json.RawMessage) (NoteBody, []domain.Issue) {
	var text string
	if len(body) == 0 || body[0] != '"' {
		doc, issues := richtext.Parse("body", body)
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
	return NoteBody{Kind: TextNote, JSON: quoted(text)}, nil
}

func bounded(path, value string) (string, []domain.Issue) {
	value = strings.TrimSpace(value)
	if issue := domain.Unstorable(path, value); issue != nil {
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
	if issue := domain.Unstorable(path, text); issue != nil {
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

func tooShort(path string, limit int) domain.Issue {
	return domain.Issue{Path: path, Code: "too_short", Message: fmt.Sprintf("Must have at least %d characters.", limit)}
}

func tooLong(path string, limit int) domain.Issue {
	return domain.Issue{Path: path, Code: "too_long", Message: fmt.Sprintf("Must have at most %d characters.", limit)}
}
