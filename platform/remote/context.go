package remote

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// maxAround is how many items a response to `context` may have.
const maxAround = 8

type contextQuestion struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// context returns the Context of a type: it requests the content around a target from the platform.
func (p *Platform) context(t *plugin.RemoteType) func(context.Context, string, string) ([]target.ContextItem, error) {
	return func(ctx context.Context, id, _ string) ([]target.ContextItem, error) {
		return askFor(ctx, p, "context", contextQuestion{t.ID, id}, ReadContext, http.StatusNotFound)
	}
}

// ReadContext parses the response to `context` and returns every fault.
func ReadContext(raw []byte) ([]target.ContextItem, []domain.Issue) {
	f := &faults{}
	var items []target.ContextItem
	for i, raw := range f.readObject("", raw).list("items", maxAround, true) {
		o := f.readObject(fmt.Sprintf("items[%d]", i), raw)
		item := target.ContextItem{
			ID: domain.OrEmpty(o.text("id", maxLine, true)), Type: domain.OrEmpty(o.text("type", maxLine, false)),
			Relation: target.Relation(domain.OrEmpty(o.text("relation", maxLine, true))),
			Title:    domain.OrEmpty(o.text("title", maxLong, false)), Text: domain.OrEmpty(o.text("text", maxLong, false)),
			At: o.moment("at"), Hidden: o.boolean("hidden", false), URL: publicURL(o.text("url", maxURL, false)),
		}
		if !slices.Contains([]target.Relation{target.Parent, target.Before, target.Itself, target.After}, item.Relation) {
			f.add(o.path+"relation", codeInvalid, "Must be parent, before, target or after.")
		}
		if author, ok := o.object("author", false); ok {
			// It is as in a capture, or as Docket itself names authors.
			subject := author.text("subject", maxLine, author.members["id"] == nil)
			if subject == nil {
				subject = author.text("id", maxLine, false)
			}
			item.Author = &snapshot.Author{ID: domain.OrEmpty(subject), Name: domain.OrEmpty(author.text("name", maxLine, false))}
		}
		items = append(items, item)
	}
	return items, f.issues
}
