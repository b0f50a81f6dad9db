package moderation

import (
	"context"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/snapshot"
)

// maxTranslated is how many code points of a report's content are translated.
const maxTranslated = 10_000

// Translator translates texts with the service that the operator has configured.
type Translator interface {
	// Translate returns the texts in the language to, in order, and their original language, or ""
	// if the service does not return it.
	Translate(ctx context.Context, texts []string, to string) (translated []string, from string, err error)
}

// Translation is the reported content in another language. It is never stored.
type Translation struct {
	From   *string           `json:"from"` // null if the service does not return it
	To     string            `json:"to"`
	Title  string            `json:"title"`
	Fields []TranslatedField `json:"fields"` // those with text
	// Cut is set if the content has more than 10,000 characters, of which the rest is left out.
	Cut bool `json:"cut"`
}

// TranslatedField is a translated field of the snapshot.
type TranslatedField struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Translate translates the content in the snapshot. It returns NotFound if no service is
// configured, and Unavailable if it does not answer.
func (s *Service) Translate(ctx context.Context, a *Authorized, to string) (*Translation, error) {
	if s.Translator == nil {
		return nil, domain.NotFound()
	}
	stored, _, err := s.reports.FindWhole(ctx, a.Report.ID)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, domain.NotFound()
	}
	content := snapshot.ContentOf(stored.Snapshot)
	out := &Translation{To: to, Fields: []TranslatedField{}}
	left := maxTranslated
	texts := []string{cutTo(content.Title, &left)}
	for _, f := range content.Fields {
		text := cutTo(f.Text, &left)
		out.Cut = out.Cut || len(text) < len(f.Text)
		if text != "" {
			texts = append(texts, text)
			out.Fields = append(out.Fields, TranslatedField{Name: f.Name})
		}
	}
	if stored.Snapshot == nil || texts[0] == "" && len(texts) == 1 {
		return nil, domain.Errorf(domain.CodeInvalidState, "This report holds no words that could be translated.")
	}
	translated, from, err := s.Translator.Translate(ctx, texts, to)
	if err != nil {
		return nil, &domain.Error{Code: domain.CodeUnavailable, Message: "The translation service gave no answer; try again shortly.", Cause: err}
	}
	if from != "" {
		out.From = &from
	}
	out.Title = translated[0]
	for i := range out.Fields {
		out.Fields[i].Text = translated[i+1]
	}
	return out, nil
}

// cutTo returns at most left code points of the text, and subtracts them from left.
func cutTo(text string, left *int) string {
	runes := []rune(text)
	if len(runes) > *left {
		text = string(runes[:*left])
	}
	*left -= utf8.RuneCountInString(text)
	return text
}
