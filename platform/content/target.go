package content

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
)

// target returns the report target of a content type.
func (s *Store) target(pluginID string, b *bound) *target.Definition {
	d := &target.Definition{
		PluginID:         pluginID,
		Type:             b.ID,
		Label:            b.Label,
		PermissionModule: b.PermissionModule,
		ContentType:      b.ContentType,
		ParseID:          b.Key.Kind.Parse,
		Current:          s.current(b),
	}
	d.Capture, d.CaptureQuery = s.capture(b)
	if len(b.url.Names()) > 0 {
		d.IDAt = b.url.Match
	}
	if b.Thread != nil {
		d.Context = s.context(b)
	}
	if b.Locale != nil {
		d.DefaultLocale = b.Locale.Default
	}
	if b.Scope != nil {
		d.ScopeFamily, d.ResolveScope = b.Scope.Family, s.resolveScope(b)
	}
	if b.Hidden != nil {
		d.Actions = []target.Action{
			{Name: target.Hide, Permission: permission.Hide, SecondKey: b.Hidden.SecondKey, Available: shown, Run: hide(b)},
			{Name: target.Unhide, Permission: permission.Hide, Available: hidden, Run: unhide(b)},
		}
	}
	d.People = people(b)
	return d
}

func shown(s target.State) bool  { return !s.Hidden }
func hidden(s target.State) bool { return s.Hidden }

type captureFunc = func(context.Context, target.CaptureRequest) (*snapshot.Capture, error)

// capture returns a function whose capture is nil for what the public cannot read: unpublished,
// hidden or deleted content, or content without that locale. The second result is the same as a
// query.
func (s *Store) capture(b *bound) (captureFunc, func(target.CaptureRequest) *target.Query) {
	captured := b.snapshot
	if b.title != nil {
		captured = union(captured, []boundField{*b.title})
	}
	fields := union(captured, b.urlFrom)
	st := b.one(fields, true)
	records := s.finder(st, fields)

	capture := func(ctx context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
		asked := b.asked(r.Locale)
		found, err := records.find(ctx, r.TargetID, asked)
		if err != nil {
			return nil, fmt.Errorf("capture %s %s: %w", b.ID, r.TargetID, err)
		}
		if found == nil {
			return nil, nil
		}
		return b.captureOf(found, asked), nil
	}
	return capture, func(r target.CaptureRequest) *target.Query {
		asked := b.asked(r.Locale)
		return &target.Query{SQL: st.sql, Args: st.values(r.TargetID, asked), Read: func(row target.Row) (*snapshot.Capture, error) {
			found, err := scanRecord(row, fields)
			if err != nil {
				return nil, err
			}
			return b.captureOf(found, asked), nil
		}}
	}
}

// asked returns the locale to read in: the requested one, or a default for "".
func (b *bound) asked(locale string) string {
	if locale == "" && b.Locale != nil {
		return b.Locale.Default
	}
	return locale
}

func (b *bound) captureOf(r *record, asked string) *snapshot.Capture {
	c := &snapshot.Capture{
		Served:  b.served(r, asked),
		Source:  snapshot.Source{Version: r.version, UpdatedAt: r.updatedAt, PublishedAt: r.publishedAt},
		Authors: r.authors,
		Scope:   b.resource(r),
		URL:     b.address(r, asked),
		Fields:  make([]snapshot.Field, 0, len(b.snapshot)),
	}
	if b.title != nil {
		c.Title = r.text(b.title.Name)
	}
	for i, f := range r.fields[:len(b.snapshot)] { // union keeps the order of the first set
		kind, _ := f.Kind.SnapshotKind()
		c.Fields = append(c.Fields, snapshot.Field{Name: f.Name, Label: content.Label(f.Name), Kind: kind, Value: f.captured(r.values[i])})
	}
	return c
}

// current returns the Current of a type. It finds a record in any state and locale, or nil if the
// record is deleted.
func (s *Store) current(b *bound) func(context.Context, string, string) (*target.State, error) {
	records := s.finder(b.one(b.urlFrom, false), b.urlFrom)
	return func(ctx context.Context, id, locale string) (*target.State, error) {
		locale = b.asked(locale)
		found, err := records.find(ctx, id, locale)
		if err != nil {
			return nil, fmt.Errorf("find %s %s: %w", b.ID, id, err)
		}
		if found == nil {
			return nil, nil
		}
		return &target.State{Hidden: found.hidden, URL: b.address(found, locale)}, nil
	}
}

func (s *Store) resolveScope(b *bound) func(context.Context, string) (string, bool, error) {
	var a args
	sql := fmt.Sprintf("SELECT coalesce(%s, '') FROM %s WHERE %s = %s LIMIT 1", b.scopeColumn(&a), b.from, b.key(), a.id(b.keyType()))
	st := statement{sql, a}
	return func(ctx context.Context, id string) (string, bool, error) {
		task := fmt.Sprintf("resolve the scope of %s %s", b.ID, id)
		found, err := postgres.CollectFirst(ctx, s.pool, task, pgx.RowTo[string], st.sql, st.values(id, "")...)
		return domain.OrEmpty(found), found != nil, err
	}
}
