package content

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
)

// neighbours is how many records before and after a target its context has.
const neighbours = 3

// words finds records of a type in any state and locale, with their readable fields.
func (s *Store) words(b *bound) *wordFinder {
	captured := b.snapshot
	if b.Scope != nil { // its id is not text that people wrote
		captured = slices.DeleteFunc(slices.Clone(captured), func(f boundField) bool { return f.ColumnName() == b.Scope.Column })
	}
	if b.title != nil {
		captured = union(captured, []boundField{*b.title})
	}
	fields := union(captured, b.urlFrom)
	return &wordFinder{b, s.finder(b.one(fields, false), fields)}
}

type wordFinder struct {
	b       *bound
	records *finder
}

// item returns a record as it is now, and its scope, or nil if it does not exist.
func (w *wordFinder) item(ctx context.Context, id, locale string, relation target.Relation) (*target.ContextItem, string, error) {
	locale = w.b.asked(locale)
	found, err := w.records.find(ctx, id, locale)
	if err != nil || found == nil {
		return nil, "", err
	}
	capture := w.b.captureOf(found, locale)
	read := snapshot.ContentOf(snapshot.Build(*capture, snapshot.BuildInput{}).JSON)
	var words []string
	for _, field := range read.Fields {
		if field.Text != read.Title { // the title is returned separately
			words = append(words, field.Text)
		}
	}
	item := &target.ContextItem{ID: found.id, Type: w.b.ID, Relation: relation, Title: read.Title, Text: strings.Join(words, "\n"),
		At: found.publishedAt, Hidden: found.hidden, URL: capture.URL}
	if item.At == nil {
		item.At = found.updatedAt
	}
	if len(found.authors) > 0 {
		item.Author = &found.authors[0]
	}
	return item, domain.OrEmpty(found.scope), nil
}

// context returns the Context of a type. It reads the thread of a record: its parent, and what was published before and
// after it in the record's own scope, since the caller's grants are known only for that one.
func (s *Store) context(b *bound) func(context.Context, string, string) ([]target.ContextItem, error) {
	st := b.threadQuery()
	self := s.words(b)
	return func(ctx context.Context, id, locale string) ([]target.ContextItem, error) {
		task := fmt.Sprintf("read the context of %s %s", b.ID, id)
		type place struct {
			Relation target.Relation
			ID       string
		}
		places, err := postgres.Collect(ctx, s.pool, task, pgx.RowToStructByPos[place], st.sql, st.values(id, locale)...)
		if err != nil {
			return nil, err
		}
		var items []target.ContextItem
		var scope string
		for i, p := range append([]place{{target.Itself, id}}, places...) {
			of := self
			if p.Relation == target.Parent && b.Thread.ParentType() != "" {
				found, ok := s.finders.Load(b.Thread.ParentType())
				if !ok {
					continue
				}
				of = found.(*wordFinder)
			}
			item, at, err := of.item(ctx, p.ID, locale, p.Relation)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %w", task, err)
			case i == 0:
				scope = at
			case item != nil && b.Scope != nil && (of.b.Scope == nil || of.b.Scope.Family != b.Scope.Family || at != scope):
				continue
			}
			if item != nil && !slices.ContainsFunc(items, func(o target.ContextItem) bool { return o.ID == item.ID && o.Type == item.Type }) {
				items = append(items, *item)
			}
		}
		return items, nil
	}
}

// threadQuery selects the relations and ids of the records around one. It uses an index on the thread's column and
// order.
func (b *bound) threadQuery() statement {
	var a args
	t := b.Thread
	thread, order := "b."+quote(t.Column), "b."+quote(t.Order)
	parent := "NULL::text"
	switch {
	case t.ParentType() != "":
		parent = thread + "::text"
	case t.Parent != "":
		parent = "b." + quote(t.Parent) + "::text"
	}
	this := fmt.Sprintf("SELECT %s AS thread, %s AS place, %s AS key, %s AS parent FROM %s WHERE %s = %s LIMIT 1",
		thread, order, b.key(), parent, b.from, b.key(), a.id(b.keyType()))
	conditions := []string{b.hasID(), thread + " = this.thread"}
	if b.Published != nil {
		conditions = append(conditions, fmt.Sprintf("b.%s::text = %s", quote(b.Published.Column), a.add(b.Published.Value, "text")))
	}
	part := func(relation target.Relation, sign, direction string) string {
		beyond, sorted := order+" "+sign+" this.place", order+direction
		if t.Order != b.Key.Column {
			beyond = fmt.Sprintf("(%s, %s) %s (this.place, this.key)", order, b.key(), sign)
			sorted += ", " + b.key() + direction
		}
		rows := fmt.Sprintf("SELECT %s::text AS id FROM %s, this%s ORDER BY %s LIMIT %d", b.key(), b.from, where(append(slices.Clone(conditions), beyond)), sorted, neighbours)
		if relation == target.Before { // the nearest ones, in the order of the thread
			rows = "SELECT id FROM (SELECT *, row_number() OVER () AS n FROM (" + rows + ") r) r ORDER BY n DESC"
		}
		return fmt.Sprintf("(SELECT '%s' AS relation, id FROM (%s) r)", relation, rows)
	}
	sql := "WITH this AS (" + this + ") " + strings.Join([]string{
		fmt.Sprintf("(SELECT '%s' AS relation, parent AS id FROM this WHERE parent IS NOT NULL)", target.Parent),
		part(target.Before, "<", " DESC"), part(target.After, ">", ""),
	}, " UNION ALL ")
	return statement{sql, a}
}

// checkThread returns the fits of a thread's columns.
func checkThread(t *content.Type) (fits []fit) {
	if t.Thread == nil {
		return nil
	}
	fits = []fit{
		{"thread.column", t.Thread.Column, scalar, "hold one value"},
		{"thread.order", t.Thread.Order, scalar, "hold one value"},
	}
	if t.Thread.Parent != "" && t.Thread.ParentType() == "" {
		fits = append(fits, fit{"thread.parent", t.Thread.Parent, scalar, "hold one value"})
	}
	return fits
}
