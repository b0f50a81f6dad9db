package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
)

// stats counts reports by a listener, enqueues a task from a route, and records the runs of a job.
func stats(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	if host.Env("STATS") != "on" {
		return nil, errors.New("STATS is not on")
	}
	note := func(ctx context.Context, what string) error {
		_, err := host.Pool.Exec(ctx, "INSERT INTO stats_notes (what) VALUES ($1)", what)
		return err
	}
	enqueue := func(w http.ResponseWriter, r *http.Request) error {
		var body struct{ Word string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return err
		}
		return pgx.BeginFunc(r.Context(), host.Pool, func(tx pgx.Tx) error {
			w.WriteHeader(http.StatusAccepted)
			return host.Enqueue(r.Context(), tx, cmd.Task{Name: "note", Payload: map[string]string{"word": body.Word, "by": cmd.Caller(r).Name}})
		})
	}
	p := &cmd.Plugin{Routes: []cmd.Route{{Method: http.MethodPost, Path: "notes", Serve: enqueue}}}
	p.ID = "stats"
	p.Migrations = fstest.MapFS{"1_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE stats_notes (what text NOT NULL);\n-- +goose Down\nDROP TABLE stats_notes;\n")}}
	p.Listeners = []event.Listener{{Group: "stats.reports", Events: []string{event.ReportCreated},
		Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
			created, err := event.Decode[event.Created](e)
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO stats_notes (what) VALUES ($1)", "heard "+created.TargetID)
			return err
		}}}
	p.Tasks = []plugin.Task{{Name: "note", Run: func(ctx context.Context, a plugin.Attempt) error {
		if a.Number == 1 {
			return errors.New("not at the first attempt")
		}
		return note(ctx, "task "+string(a.Payload))
	}}}
	p.Jobs = []plugin.Job{{Name: "sweep", Description: "For the test.", Schedule: "* * * * *",
		Run: func(ctx context.Context) error { return note(ctx, "job") }}}
	return p, nil
}
