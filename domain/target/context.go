package target

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/snapshot"
)

// Relation is the relation of a piece of content to a target.
type Relation string

// The relations, in the order in which a context lists them. Itself is the target.
const (
	Parent Relation = "parent"
	Before Relation = "before"
	Itself Relation = "target"
	After  Relation = "after"
)

// ContextItem is a piece of content around a target, as it is now, or the target itself.
type ContextItem struct {
	ID       string
	Type     string // of the content; "" means the target's
	Relation Relation
	Title    string
	Text     string
	Author   *snapshot.Author // nil if it is not known
	At       *time.Time       // when it was published; nil if it is not known
	Hidden   bool
	URL      string
}

// ContextOf calls Context within the ReadTimeout. A panic is an error.
func (d *Definition) ContextOf(ctx context.Context, id, locale string) (items []ContextItem, err error) {
	err = d.read(ctx, "context", func(ctx context.Context) (err error) {
		items, err = d.Context(ctx, id, locale)
		return err
	})
	return items, err
}
