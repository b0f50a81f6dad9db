// Command shop is Docket with a plugin that makes reviews reportable.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

//go:embed migrations/*.sql
var files embed.FS

func main() { cmd.Main(newPlugin) }

// newPlugin makes reviews reportable.
func newPlugin(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	tables, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	r := &reviews{host}
	p := &cmd.Plugin{Routes: []cmd.Route{
		{Method: http.MethodGet, Path: "reviews/{id}", Access: cmd.Guests, Serve: r.show}, // /api/shop/reviews/1
	}}
	p.ID = "shop"
	p.Migrations = tables
	p.Messages = map[string]map[string]string{"en": {"shop.review": "{count, plural, one {review} other {reviews}}"}}
	p.Targets = []target.Definition{{
		Type: "shop.review", Label: "shop.review", PermissionModule: "reviews",
		ParseID: content.KeyBigint.Parse, Capture: r.capture, Current: r.current,
		Actions: []target.Action{r.action(target.Hide, true), r.action(target.Unhide, false)},
	}}
	p.Tasks = []plugin.Task{{Name: "tell-author", Run: r.tellAuthor}}
	return p, nil
}

type reviews struct{ host cmd.Host }

// read returns the text of a review and whether it is hidden; found is false if there is none.
func (r *reviews) read(ctx context.Context, id string) (text string, hidden, found bool, err error) {
	err = r.host.Pool.QueryRow(ctx, "SELECT body, hidden FROM shop_reviews WHERE id = $1::bigint", id).Scan(&text, &hidden)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, false, nil
	}
	return text, hidden, err == nil, err
}

// capture returns what a reporter sees of a review, for the snapshot.
func (r *reviews) capture(ctx context.Context, q target.CaptureRequest) (*snapshot.Capture, error) {
	text, hidden, found, err := r.read(ctx, q.TargetID)
	if err != nil || !found || hidden {
		return nil, err
	}
	value, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	return &snapshot.Capture{
		Title:  "Review " + q.TargetID,
		Fields: []snapshot.Field{{Name: "body", Label: "Review", Kind: snapshot.KindText, Value: value}},
		Served: q.Locale,
		URL:    "/reviews/" + q.TargetID,
	}, nil
}

// current returns the state that moderators see and that decides which actions are available.
func (r *reviews) current(ctx context.Context, id, _ string) (*target.State, error) {
	_, hidden, found, err := r.read(ctx, id)
	if err != nil || !found {
		return nil, err
	}
	return &target.State{Hidden: hidden, URL: "/reviews/" + id}, nil
}

// action hides or restores a review in the report's transaction. Its effect runs after the commit.
func (r *reviews) action(name string, hide bool) target.Action {
	return target.Action{
		Name: name, Permission: "can_hide",
		Available: func(s target.State) bool { return s.Hidden != hide },
		Run: func(ctx context.Context, q target.ActionRequest) (target.ActionResult, error) {
			changed, err := q.Tx.Exec(ctx, "UPDATE shop_reviews SET hidden = $2 WHERE id = $1::bigint AND hidden <> $2", q.TargetID, hide)
			if err != nil || changed.RowsAffected() == 0 {
				return target.ActionResult{}, err
			}
			return target.ActionResult{Changed: true, Effects: []target.Effect{
				{Task: "tell-author", Payload: letter{Review: q.TargetID, Hidden: hide}},
			}}, nil
		},
	}
}

type letter struct {
	Review string `json:"review"`
	Hidden bool   `json:"hidden"`
}

// tellAuthor may run more than once for a task, with the same TaskID.
func (r *reviews) tellAuthor(ctx context.Context, a plugin.Attempt) error {
	var l letter
	if err := json.Unmarshal(a.Payload, &l); err != nil {
		return err
	}
	_, err := r.host.Pool.Exec(ctx, `INSERT INTO shop_letters (task_id, review, hidden) VALUES ($1, $2::bigint, $3)
		ON CONFLICT DO NOTHING`, a.TaskID, l.Review, l.Hidden)
	return err
}

// show serves GET /api/shop/reviews/{id}, for everybody.
func (r *reviews) show(w http.ResponseWriter, q *http.Request) error {
	id, ok := content.KeyBigint.Parse(q.PathValue("id"))
	if !ok {
		return domain.Errorf(domain.CodeNotFound, "There is no such review.")
	}
	text, hidden, found, err := r.read(q.Context(), id)
	if err != nil {
		return err
	}
	if !found || hidden {
		return domain.Errorf(domain.CodeNotFound, "There is no such review.")
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]string{"id": id, "body": text})
}
