package moderation

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/target"
)

// The bounds of a context: items, and code points of an item's title and text.
const (
	maxContext      = 8
	maxContextTitle = 300
	maxContextText  = 2000
)

// ContextView is a piece of content beside the reported one.
type ContextView struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Relation target.Relation `json:"relation"`
	Title    string          `json:"title"`
	Text     string          `json:"text"`
	Author   *AuthorView     `json:"author"`
	At       *domain.Time    `json:"at"`
	Hidden   bool            `json:"hidden"`
	URL      string          `json:"url"`
}

// Context returns the content around the reported one now. It is read from where the content is, and never stored. It
// is empty for a type without context, and Unavailable if it cannot be read. The text of hidden content beside the
// target is left out unless the caller may manage its reports or view hidden content. Content on which the caller gives
// a second opinion never looks hidden.
func (s *Service) Context(ctx context.Context, a *Authorized) ([]ContextView, error) {
	t := a.Report.Target
	def := s.targets.Find(t.PluginID, t.Type)
	if def == nil || def.Context == nil {
		return []ContextView{}, nil
	}
	if a.targetErr != nil {
		return nil, unreachable(a.targetErr)
	}
	items, err := def.ContextOf(ctx, t.ID, a.Report.Locale)
	if err != nil {
		if err := s.tolerate(ctx, t, err); err != nil {
			return nil, err
		}
		return nil, unreachable(err)
	}
	seesHidden := allows(a.Caller, a.Report, permission.ManageReports) || allows(a.Caller, a.Report, permission.ViewHidden)
	views := []ContextView{}
	for _, relation := range []target.Relation{target.Parent, target.Before, target.Itself, target.After} {
		for _, item := range items {
			if item.Relation != relation || len(views) == maxContext {
				continue
			}
			if a.Caller.Blind.Hides(t.PluginID, cmp.Or(item.Type, t.Type), item.ID) {
				item.Hidden = false
			}
			if item.Hidden && !seesHidden && relation != target.Itself {
				item.Title, item.Text = "", ""
			}
			views = append(views, viewContext(item, t.Type))
		}
	}
	return views, nil
}

func viewContext(item target.ContextItem, targetType string) ContextView {
	v := ContextView{ID: item.ID, Type: cmp.Or(item.Type, targetType), Relation: item.Relation, Title: cleanCut(item.Title, maxContextTitle),
		Text: cleanCut(item.Text, maxContextText), Hidden: item.Hidden, URL: item.URL}
	if item.At != nil {
		v.At = domain.TimeOf(new(item.At.UTC().Truncate(time.Microsecond)))
	}
	if item.Author != nil {
		v.Author = &AuthorView{ID: item.Author.ID, Name: domain.OrNull(item.Author.Name)}
	}
	return v
}

// cleanCut cleans a platform's text and cuts it to at most limit characters.
func cleanCut(text string, limit int) string {
	short, _ := richtext.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), limit)
	return short
}
