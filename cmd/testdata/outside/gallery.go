package main

import (
	"context"
	"errors"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

const migration = `-- +goose Up
CREATE TABLE gallery_photos (id bigint PRIMARY KEY, hidden boolean NOT NULL DEFAULT false);
INSERT INTO gallery_photos SELECT generate_series(1, 30);
CREATE TABLE gallery_heard (event_id uuid NOT NULL);
CREATE TABLE gallery_thumbnails (task_id uuid PRIMARY KEY);
CREATE TABLE gallery_runs (at timestamptz NOT NULL);
-- +goose Down
DROP TABLE gallery_photos, gallery_heard, gallery_thumbnails, gallery_runs;
`

// gallery declares one thing of each kind, and records what its listener, its task and its job did.
func gallery(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	hidden := func(ctx context.Context, id string) (hidden, found bool, err error) {
		err = host.Pool.QueryRow(ctx, `SELECT hidden FROM gallery_photos WHERE id = $1::bigint`, id).Scan(&hidden)
		if errors.Is(err, pgx.ErrNoRows) {
			return false, false, nil
		}
		return hidden, err == nil, err
	}
	action := func(name string, hide bool) target.Action {
		return target.Action{
			Name: name, Permission: permission.Hide, Available: func(s target.State) bool { return s.Hidden != hide },
			Run: func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
				changed, err := r.Tx.Exec(ctx, `UPDATE gallery_photos SET hidden = $2 WHERE id = $1::bigint AND hidden <> $2`, r.TargetID, hide)
				if err != nil || changed.RowsAffected() == 0 {
					return target.ActionResult{}, err
				}
				return target.ActionResult{Changed: true, Effects: []target.Effect{{Task: "thumbnail", Payload: r.TargetID}}}, nil
			},
		}
	}
	p := &cmd.Plugin{}
	p.ID = "gallery"
	p.Migrations = fstest.MapFS{"1_photos.sql": {Data: []byte(migration)}}
	p.Messages = map[string]map[string]string{"en": {"gallery.photo": "{count, plural, one {photo} other {photos}}"}}
	p.Targets = []target.Definition{{
		Type: "gallery.photo", Label: "gallery.photo", PermissionModule: "photos", ParseID: content.KeyBigint.Parse,
		Capture: func(ctx context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
			is, found, err := hidden(ctx, r.TargetID)
			if err != nil || is || !found {
				return nil, err
			}
			return &snapshot.Capture{Title: "Photo " + r.TargetID, Served: r.Locale, URL: "/photos/" + r.TargetID}, nil
		},
		Current: func(ctx context.Context, id, _ string) (*target.State, error) {
			is, found, err := hidden(ctx, id)
			if err != nil || !found {
				return nil, err
			}
			return &target.State{Hidden: is, URL: "/photos/" + id}, nil
		},
		Actions: []target.Action{action(target.Hide, true), action(target.Unhide, false)},
	}}
	p.Listeners = []event.Listener{{Group: "gallery.decisions", Events: []string{event.ReportResolved},
		Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
			_, err := tx.Exec(ctx, `INSERT INTO gallery_heard (event_id) VALUES ($1)`, e.ID)
			return err
		}}}
	p.Tasks = []plugin.Task{{Name: "thumbnail", Run: func(ctx context.Context, a plugin.Attempt) error {
		_, err := host.Pool.Exec(ctx, `INSERT INTO gallery_thumbnails (task_id) VALUES ($1) ON CONFLICT DO NOTHING`, a.TaskID)
		return err
	}}}
	p.Jobs = []plugin.Job{{Name: "count", Description: "For the test.", Schedule: "*/5 * * * * *", Run: func(ctx context.Context) error {
		_, err := host.Pool.Exec(ctx, `INSERT INTO gallery_runs VALUES (now())`)
		return err
	}}}
	return p, nil
}
