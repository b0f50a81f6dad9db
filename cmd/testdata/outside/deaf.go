package main

import (
	"context"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// deaf records the start of each of its functions; none of them returns.
func deaf(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	begin := func(what string) error {
		if _, err := host.Pool.Exec(context.Background(), "INSERT INTO deaf_notes (what) VALUES ($1)", what); err != nil {
			return err
		}
		select {}
	}
	half := func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO deaf_notes (what) VALUES ('half')")
		return err
	}
	p := &cmd.Plugin{}
	p.ID = "deaf"
	p.Migrations = fstest.MapFS{"1_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE deaf_notes (what text NOT NULL);\n-- +goose Down\nDROP TABLE deaf_notes;\n")}}
	p.Messages = map[string]map[string]string{"en": {"deaf.thing": "{count, plural, one {thing} other {things}}"}}
	p.Targets = []target.Definition{{
		Type: "deaf.thing", Label: "deaf.thing", PermissionModule: "things",
		ParseID: func(id string) (string, bool) { return id, true },
		Capture: func(_ context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
			if r.TargetID == "endless" {
				return nil, begin("capture")
			}
			return &snapshot.Capture{Title: "A thing", Served: r.Locale, URL: "/things"}, nil
		},
		Current: func(context.Context, string, string) (*target.State, error) {
			return &target.State{URL: "/things"}, nil
		},
		Actions: []target.Action{{
			Name: target.Hide, Permission: permission.Hide, Available: func(target.State) bool { return true },
			Run: func(ctx context.Context, r target.ActionRequest) (result target.ActionResult, err error) {
				if err = half(ctx, r.Tx); err == nil {
					err = begin("action")
				}
				return result, err
			},
		}},
	}}
	p.Listeners = []event.Listener{{Group: "deaf.reports", Events: []string{event.ReportCreated},
		Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
			if err := half(ctx, tx); err != nil {
				return err
			}
			return begin("listener")
		}}}
	p.Tasks = []plugin.Task{{Name: "sleep", Run: func(context.Context, plugin.Attempt) error { return begin("task") }}}
	p.Jobs = []plugin.Job{{Name: "sleep", Description: "For the test.", Schedule: "* * * * *",
		Run: func(ctx context.Context) error {
			err := pgx.BeginFunc(ctx, host.Pool, func(tx pgx.Tx) error { return host.Enqueue(ctx, tx, cmd.Task{Name: "sleep"}) })
			if err != nil {
				return err
			}
			return begin("job")
		}}}
	return p, nil
}
