package target

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/snapshot"
)

// maxID is the longest id, in bytes, so that it fits into an index.
const maxID = 1024

// ParsedID calls ParseID, and panics if that panics. An id that is too long for an index or not storable is invalid.
func (d *Definition) ParsedID(value string) (id string, ok bool) {
	err := call.Safely("parseId", d.Type, func() error {
		id, ok = d.ParseID(value)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return id, ok && domain.Storable(id) && len(id) <= maxID
}

// Captured calls Capture within the ReadTimeout. A panic is an error.
func (d *Definition) Captured(ctx context.Context, r CaptureRequest) (capture *snapshot.Capture, err error) {
	err = d.read(ctx, "capture", func(ctx context.Context) (err error) {
		capture, err = d.Capture(ctx, r)
		return err
	})
	return capture, err
}

// PresentState calls Current within the ReadTimeout, and Available of each action. A panic is an error.
func (d *Definition) PresentState(ctx context.Context, id, locale string) (state *State, err error) {
	err = d.read(ctx, "current", func(ctx context.Context) (err error) {
		found, err := d.Current(ctx, id, locale)
		if err != nil || found == nil {
			return err
		}
		now := *found // since the plugin may retain it
		now.Actions = make(map[string]bool, len(d.Actions))
		for _, a := range d.Actions {
			now.Actions[a.Name] = a.Available(*found)
		}
		state = &now
		return nil
	})
	return state, err
}

// PresentScope calls ResolveScope within the ReadTimeout. A panic is an error.
func (d *Definition) PresentScope(ctx context.Context, id string) (resource string, exists bool, err error) {
	err = d.read(ctx, "resolveScope", func(ctx context.Context) (err error) {
		resource, exists, err = d.ResolveScope(ctx, id)
		return err
	})
	return resource, exists, err
}

func (d *Definition) read(ctx context.Context, kind string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.ReadTimeout())
	defer cancel()
	return call.Safely(kind, d.Type, func() error { return do(ctx) })
}

// Query is a capture by one SQL statement, which can share a round trip to the database with other statements.
type Query struct {
	SQL  string
	Args []any
	// Read returns the capture in the statement's row.
	Read func(Row) (*snapshot.Capture, error)

	// Ran reports whether the statement was run. Capture is then its result, or nil without a row.
	// Docket sets both.
	Ran     bool
	Capture *snapshot.Capture
}

// Row is a row of a Query's result.
type Row interface{ Scan(into ...any) error }
