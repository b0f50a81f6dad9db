package cmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/http"
)

// photos is a source: cmd.Main(photos) is a server with this plugin.
func photos(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
	p := &cmd.Plugin{Routes: []cmd.Route{photoRoute}}
	p.ID = "photos"
	p.Targets = []target.Definition{photoTarget}
	p.Listeners = []event.Listener{photoListener}
	p.Tasks = []plugin.Task{photoTask}
	p.Jobs = []plugin.Job{photoJob(host)}
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

func ExampleRoute() {
	handler := http.New(http.Config{}, &http.PluginRoutes{PluginID: "photos", Routes: []cmd.Route{photoRoute}})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(nethttp.MethodGet, "/api/photos/7/license", nil))
	fmt.Println(answer.Code, answer.Body)
	// Output: 200 photo 7: CC BY 4.0, asked by a guest: true
}
