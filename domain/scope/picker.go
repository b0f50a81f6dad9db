package scope

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/call"
)

// The sizes of pages of a picker.
const (
	DefaultLimit = 25
	MaxLimit     = 100
)

// MaxLookup is the largest number of ids that a definition's Find is called with.
const MaxLookup = 2000

// defaultTimeout bounds each read of a family that sets no Timeout.
const defaultTimeout = 5 * time.Second

// ask calls the plugin with the family's timeout. If it fails, the error is unavailable.
func (d *Definition) ask(ctx context.Context, what string, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Timeout, defaultTimeout))
	defer cancel()
	err := call.Safely(what, d.ID, func() error { return f(ctx) })
	if err == nil {
		return nil
	}
	if _, told := errors.AsType[*domain.Error](err); told {
		return err
	}
	message := "The plugin that holds these resources failed; try again shortly."
	if ctx.Err() != nil {
		message = "The plugin that holds these resources takes too long; try again shortly."
	}
	return &domain.Error{Code: domain.CodeUnavailable, Message: message, Cause: fmt.Errorf("%s in scope family %s: %w", what, d.ID, err)}
}

// Page is one page of a picker. Items is never null, NextCursor null on the last page.
type Page struct {
	Items      []Item  `json:"items"`
	NextCursor *string `json:"nextCursor"`
}

// Labelled is a saved selection with labels: the items that exist, in the requested order,
// and the ids of those that do not. Neither is ever null.
type Labelled struct {
	Items   []Item   `json:"items"`
	Missing []string `json:"missing"`
}

// Page reads a page for the picker. A limit below 1 means DefaultLimit; a limit above MaxLimit
// means MaxLimit.
func (d *Definition) Page(ctx context.Context, q Query) (Page, error) {
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	q.Limit = min(q.Limit, MaxLimit)
	var items []Item
	var next string
	err := d.ask(ctx, "list", func(ctx context.Context) (err error) {
		items, next, err = d.List(ctx, q)
		return err
	})
	if err != nil {
		return Page{}, err
	}
	return Page{Items: domain.OrNone(items), NextCursor: domain.OrNull(next)}, nil
}

// Lookup returns resources with labels, without duplicates. Ids of an invalid form count as
// missing, and are not passed to the plugin.
func (d *Definition) Lookup(ctx context.Context, ids []string) (Labelled, error) {
	asked := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !ValidResourceID(id) })
	slices.Sort(asked)
	found := make(map[string]Item)
	for part := range slices.Chunk(slices.Compact(asked), MaxLookup) {
		var items []Item
		err := d.ask(ctx, "find", func(ctx context.Context) (err error) {
			items, err = d.Find(ctx, part)
			return err
		})
		if err != nil {
			return Labelled{}, err
		}
		for _, item := range items {
			found[item.ID] = item
		}
	}
	return label(ids, found), nil
}

func label(ids []string, found map[string]Item) Labelled {
	l := Labelled{Items: []Item{}, Missing: []string{}}
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if item, ok := found[id]; ok && ValidResourceID(id) {
			l.Items = append(l.Items, item)
		} else {
			l.Missing = append(l.Missing, id)
		}
	}
	return l
}
