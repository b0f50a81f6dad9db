package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
)

// maxContext bounds the context of a resource, in items.
const maxContext = 20

type listQuestion struct {
	Family string `json:"family"`
	Search string `json:"search"`
	Limit  int    `json:"limit"`
}

type findQuestion struct {
	Family string   `json:"family"`
	IDs    []string `json:"ids"`
}

// Family implements registry.Platform. Failures are `unavailable`.
func (p *Platform) Family(f *plugin.RemoteFamily) scope.Definition {
	return scope.Definition{
		ID: f.ID, Label: f.Label, Description: f.Description, Timeout: p.timeout,
		List: func(ctx context.Context, q scope.Query) ([]scope.Item, string, error) {
			if q.Cursor != "" {
				return nil, "", paging.InvalidCursor() // there is only one page
			}
			items, err := p.items(ctx, "scopes/list", listQuestion{f.ID, q.Search, q.Limit})
			return items[:min(len(items), q.Limit)], "", err
		},
		Find: func(ctx context.Context, ids []string) ([]scope.Item, error) {
			items, err := p.items(ctx, "scopes/find", findQuestion{f.ID, ids})
			return slices.DeleteFunc(items, func(i scope.Item) bool { return !slices.Contains(ids, i.ID) }), err
		},
	}
}

func (p *Platform) items(ctx context.Context, path string, question any) ([]scope.Item, error) {
	items, err := askFor(ctx, p, path, question, ReadScopes)
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		err = &domain.Error{Code: domain.CodeUnavailable, Message: "The platform that holds these resources cannot be reached at the moment.", Cause: err}
	}
	return items, err
}

// ReadScopes parses the response to a request about scopes and returns every fault.
func ReadScopes(raw []byte) ([]scope.Item, []domain.Issue) {
	f := &faults{}
	items := []scope.Item{}
	for i, raw := range f.readObject("", raw).list("items", scope.MaxLookup, true) {
		path := fmt.Sprintf("items[%d]", i)
		o := f.readObject(path, raw)
		id, label := o.resource("id", true), o.text("label", 200, true)
		item := scope.Item{ID: id, Label: domain.OrEmpty(label)}
		for j, part := range o.list("context", maxContext, false) {
			var text string
			if part.Kind() == 'n' || json.Unmarshal(part, &text) != nil {
				f.add(fmt.Sprintf("%s.context[%d]", path, j), codeWrongType, "Must be a string.")
			}
			item.Context = append(item.Context, text)
		}
		items = append(items, item)
	}
	return items, f.issues
}
