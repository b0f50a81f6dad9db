package cmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// photos is a source: cmd.Main(photos) is a server with this plugin.
func photos(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	p := &cmd.Plugin{Routes: []cmd.Route{photoRoute}}
	p.ID = "photos"
	p.Targets = []target.Definition{photoTarget}
	p.Listeners = []event.Listener{photoListener}
	p.Tasks = []plugin.Task{photoTask}
	p.Jobs = []plugin.Job{photoJob(host)}
	p.Scopes = []scope.Definition{photoAlbums}
	p.Migrations = photoMigrations
	return p, nil
}

func Example() {
	p, err := photos(context.Background(), cmd.Host{Env: func(string) string { return "" }})
	if err != nil {
		panic(err)
	}
	fmt.Println(cmd.Check(p)) // what a server does with it first
	// Output: <nil>
}

// A target can be reported. Its functions ask wherever the content lives.
var photoTarget = target.Definition{
	Type: "photos.photo", Label: "photos.photo", PermissionModule: "photos",
	ParseID: content.KeyUUID.Parse,
	Capture: func(_ context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
		return &snapshot.Capture{
			Title:  "Sunset",
			Fields: []snapshot.Field{{Name: "caption", Label: "Caption", Kind: snapshot.KindText, Value: json.RawMessage(`"By the sea"`)}},
			Served: r.Locale,
			URL:    "/photos/" + r.TargetID,
		}, nil
	},
	Current: func(_ context.Context, id, _ string) (*target.State, error) {
		return &target.State{URL: "/photos/" + id}, nil
	},
	ScopeFamily: "photos.album",
	ResolveScope: func(context.Context, string) (album string, exists bool, err error) {
		return "holidays", true, nil
	},
}

func ExampleSource_target() {
	id, ok := photoTarget.ParseID("0199A2B4-0000-7000-8000-000000000001")
	fmt.Println(id, ok)
	captured, err := photoTarget.Capture(context.Background(), target.CaptureRequest{TargetID: id, Locale: "en"})
	fmt.Println(captured.Title, string(captured.Fields[0].Value), err)
	// Output:
	// 0199a2b4-0000-7000-8000-000000000001 true
	// Sunset "By the sea" <nil>
}

// With a scope family, moderators can be limited to some of its resources.
var photoAlbums = scope.Definition{
	ID: "photos.album", Label: "photos.album",
	List: func(_ context.Context, q scope.Query) (items []scope.Item, nextCursor string, err error) {
		for _, album := range albums {
			if strings.Contains(album.Label, q.Search) {
				items = append(items, album)
			}
		}
		return items, "", nil
	},
	Find: func(_ context.Context, ids []string) (items []scope.Item, err error) {
		for _, album := range albums {
			if slices.Contains(ids, album.ID) {
				items = append(items, album)
			}
		}
		return items, nil
	},
}

var albums = []scope.Item{{ID: "holidays", Label: "Holidays"}, {ID: "work", Label: "Work"}}

func ExampleSource_scope() {
	page, err := photoAlbums.Page(context.Background(), scope.Query{Search: "Wo"})
	fmt.Println(page.Items[0].ID, err)
	found, err := photoAlbums.Lookup(context.Background(), []string{"holidays", "deleted"})
	fmt.Println(found.Items[0].Label, found.Missing, err)
	// Output:
	// work <nil>
	// Holidays [deleted] <nil>
}

// Migrations are SQL files of goose. A plugin usually embeds a folder of them.
var photoMigrations = fstest.MapFS{"00001_add_photos.sql": {Data: []byte(`
-- +goose Up
CREATE TABLE photos (id uuid PRIMARY KEY, caption text NOT NULL);
-- +goose Down
DROP TABLE photos;
`)}}

// A test of a plugin sends requests to a whole server. With DATABASE_URL it works on that database,
// else on a private PostgreSQL in the folder.
func ExampleNewServer() {
	folder, err := os.MkdirTemp("", "docket")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	environment := map[string]string{"DOCKET_DATA_DIR": folder, "DOCKET_BASE_URL": "http://example.com"} // httptest's own address
	docket, err := cmd.NewServer(context.Background(), environment, io.Discard, photos)
	if err != nil {
		panic(err)
	}
	defer func() { _ = docket.Close() }()

	answer := httptest.NewRecorder()
	docket.Handler().ServeHTTP(answer, httptest.NewRequest(nethttp.MethodGet, "/api/photos/7/license", nil))
	fmt.Println(answer.Code, answer.Body)
	var photos int // what the migration made
	err = docket.Pool().QueryRow(context.Background(), `SELECT count(*) FROM photos`).Scan(&photos)
	fmt.Println(photos, err)
	// Output:
	// 200 photo 7: CC BY 4.0, asked by a guest: true
	// 0 <nil>
}

// A listener hears of events in the transaction that marks them as read: what it writes
// through tx happens exactly once.
var photoListener = event.Listener{
	Group:  "photos.resolved", // remembers how far it has read: it never changes
	Events: []string{event.ReportResolved},
	Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error {
		resolved, err := event.Decode[event.Resolved](e)
		if err != nil {
			return err
		}
		fmt.Println(e.ReportID, resolved.Resolution)
		return nil
	},
}

func ExampleSource_listener() {
	err := photoListener.Handle(context.Background(), nil, event.Event{
		Name: event.ReportResolved, ReportID: "report-1", Payload: json.RawMessage(`{"reportId":"report-1","resolution":"no_violation"}`),
	})
	fmt.Println(err, photoListener.Receives(event.ReportCreated))
	// Output:
	// report-1 no_violation
	// <nil> false
}

// A task does what Host.Enqueue or the effect of an action asked for, at least once.
var photoTask = plugin.Task{
	Name: "thumbnail",
	Run: func(_ context.Context, a plugin.Attempt) error {
		var work struct{ Photo string }
		if err := json.Unmarshal(a.Payload, &work); err != nil {
			return err
		}
		fmt.Printf("task %s, attempt %d: %s\n", a.TaskID, a.Number, work.Photo)
		return nil
	},
}

func ExampleSource_task() {
	err := photoTask.Run(context.Background(), plugin.Attempt{TaskID: "t1", Number: 1, Payload: json.RawMessage(`{"Photo":"sunset"}`)})
	fmt.Println(err)
	// Output:
	// task t1, attempt 1: sunset
	// <nil>
}

// A job runs on a schedule, on one server at a time.
func photoJob(host cmd.Host) plugin.Job {
	return plugin.Job{
		Name: "sweep", Description: "Deletes uploads that nobody finished.", Schedule: "17 * * * *",
		Run: func(context.Context) error {
			fmt.Println("sweeping", host.Env("PHOTOS_DIR"))
			return nil
		},
	}
}

func ExampleSource_job() {
	job := photoJob(cmd.Host{Env: func(string) string { return "/var/photos" }})
	fmt.Println(job.Run(context.Background()))
	// Output:
	// sweeping /var/photos
	// <nil>
}

// photoRoute answers GET /api/photos/{id}/license.
var photoRoute = cmd.Route{
	Method: nethttp.MethodGet, Path: "{id}/license", Access: cmd.Guests,
	Serve: func(w nethttp.ResponseWriter, r *nethttp.Request) error {
		_, err := fmt.Fprintf(w, "photo %s: CC BY 4.0, asked by a guest: %t", r.PathValue("id"), cmd.Caller(r) == nil)
		return err
	},
}
