package http_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// recorded is what a database holds of the content actions on reports.
type recorded struct{ events, messages, contentMessages, tasks int }

func (b *bundle) recorded() recorded {
	b.t.Helper()
	var r recorded
	require.NoError(b.t, b.pool.QueryRow(context.Background(), `SELECT
		(SELECT count(*) FROM core_moderation_report_events WHERE type = 'action'),
		(SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.action'),
		(SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' LIKE 'content.%'),
		(SELECT count(*) FROM core_queue)`).Scan(&r.events, &r.messages, &r.contentMessages, &r.tasks))
	return r
}

// runs are ways that the run of an action ends; a lamp's id names its own.
var runs = map[string]func(context.Context, target.ActionRequest) (target.ActionResult, error){
	"changes": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true, Effects: []target.Effect{{Task: "dim", Payload: map[string]int{"lamp": 1}}}}, nil
	},
	"changes-nothing": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{}, nil
	},
	"rolls-a-savepoint-back": func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		err := pgx.BeginFunc(ctx, r.Tx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "SELECT 1 / 0")
			return err
		})
		return target.ActionResult{Changed: err != nil}, nil
	},
	"fails": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{}, errors.New("the lamp is broken")
	},
	"panics": func(context.Context, target.ActionRequest) (target.ActionResult, error) { panic("the lamp exploded") },
	"commits": func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true}, r.Tx.Commit(ctx)
	},
	"commits-by-hand": func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		_, err := r.Tx.Exec(ctx, "COMMIT")
		return target.ActionResult{Changed: true}, err
	},
	"rolls-back-by-hand": func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		_, err := r.Tx.Exec(ctx, "ROLLBACK")
		return target.ActionResult{Changed: true}, err
	},
	"has-no-json": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true, Effects: []target.Effect{{Task: "dim", Payload: func() {}}}}, nil
	},
	"asks-nobody": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true, Effects: []target.Effect{{Task: "dimm"}}}, nil
	},
	"takes-a-name": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true, Events: []target.Event{{Name: event.ReportResolved, Payload: event.Resolved{}}}}, nil
	},
	"publishes-too-much": func(context.Context, target.ActionRequest) (target.ActionResult, error) {
		return target.ActionResult{Changed: true, Events: []target.Event{{Name: "content.lamps.lamp.seen", Payload: strings.Repeat("x", 256<<10)}}}, nil
	},
	"hides-an-error": func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		_, _ = r.Tx.Exec(ctx, "SELECT 1 / 0")
		return target.ActionResult{Changed: true}, nil
	},
}

// lamps is a plugin whose one kind of thing is hidden in all of these ways.
func lamps(*pgxpool.Pool) *plugin.Plugin {
	return &plugin.Plugin{
		ID: "lamps",
		Targets: []target.Definition{{
			Type: "lamps.lamp", Label: "lamps.lamp", PermissionModule: "lamps",
			ParseID: func(v string) (string, bool) { return v, runs[v] != nil },
			Capture: func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) {
				return &snapshot.Capture{Title: "A lamp", Served: "en"}, nil
			},
			Current: func(context.Context, string, string) (*target.State, error) { return &target.State{}, nil },
			Actions: []target.Action{{
				Name: target.Hide, Permission: permission.Hide, Available: func(target.State) bool { return true },
				Run: func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
					return runs[r.TargetID](ctx, r)
				},
			}},
		}},
		Tasks:    []plugin.Task{{Name: "dim", Run: func(context.Context, plugin.Attempt) error { return nil }}},
		Messages: map[string]map[string]string{"en": {"lamps.lamp": "lamp"}},
	}
}

// The evidence is here, so moderators work on when the content cannot be asked for. A
// command that was stored must not look as if it were not.
func TestReportsAreWorkedWhileTheirContentCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	fault := errors.New("no such table")
	t.Run("its state fails", func(t *testing.T) {
		worksWithoutContent(t, fault, func(d *target.Definition) {
			d.Current = func(context.Context, string, string) (*target.State, error) { return nil, fault }
		})
	})
	t.Run("whether its action is available panics", func(t *testing.T) {
		worksWithoutContent(t, fault, func(d *target.Definition) {
			d.Actions[0].Available = func(target.State) bool { panic(fault) }
		})
	})
}

func worksWithoutContent(t *testing.T, fault error, broken func(*target.Definition)) {
	t.Parallel()
	b := newBundle(t, source(func(pool *pgxpool.Pool) *plugin.Plugin {
		p := lamps(pool)
		d := &p.Targets[0]
		broken(d)
		d.ScopeFamily, d.ResolveScope = "forum.category", func(context.Context, string) (string, bool, error) { return "", false, fault }
		capture := d.Capture
		d.Capture = func(ctx context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
			c, err := capture(ctx, r)
			c.Scope = &scope.Resource{Family: "forum.category", ID: "general"}
			return c, err
		}
		return p
	}))
	mo := b.unlimited("Mo")
	filed := b.member(0).post("/moderation/reports", map[string]string{"pluginId": "lamps", "targetType": "lamps.lamp", "targetId": "changes", "reason": "spam"}).status(201)
	path := "/moderation/reports/" + filed.body["id"].(string)
	mo.get(path).status(200)
	mo.post(path+"/notes", map[string]any{"body": "a note"}).status(201)
	claimed := mo.post(path+"/claim", at(1)).status(200)
	require.Nil(t, claimed.body["target"].(map[string]any)["current"])
	mo.post(path+"/actions/hide", at(2)).fault(503, "unavailable")
	mo.post(path+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "duplicate"}).status(200)

	pgtest.Exec(t, b.pool, `ALTER TABLE forum_posts RENAME TO elsewhere`)
	refused := b.member(1).post("/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam"})
	require.Contains(t, refused.fault(503, "unavailable").body["message"], "content cannot be reached")
}

// What a deferred trigger would raise at the commit is a failure of the action.
func TestADeferredTriggerFailsTheAction(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	pgtest.Exec(t, b.pool, `CREATE FUNCTION object() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not so'; END $$;
		CREATE CONSTRAINT TRIGGER object AFTER UPDATE ON forum_posts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION object()`)
	id := b.file(0, "1")
	mo := b.moderator("Mo", nil, everyPermission...)
	mo.post("/moderation/reports/"+id+"/actions/hide", at(1)).fault(422, "action_failed")
	require.Equal(t, recorded{}, b.recorded())
}

func TestRunsOfAnAction(t *testing.T) {
	t.Parallel()
	b := newBundle(t, source(lamps))
	mo, member := b.unlimited("Mo"), b.member(0)
	hide := func(lamp string) (*answer, string) {
		filed := member.post("/moderation/reports", map[string]string{"pluginId": "lamps", "targetType": "lamps.lamp", "targetId": lamp, "reason": "spam"}).status(201)
		path := "/moderation/reports/" + filed.body["id"].(string)
		return mo.post(path+"/actions/hide", at(1)), path
	}
	for _, lamp := range []string{"fails", "panics", "commits", "commits-by-hand", "rolls-back-by-hand", "has-no-json", "asks-nobody", "takes-a-name", "publishes-too-much", "hides-an-error"} {
		got, path := hide(lamp)
		got.fault(422, "action_failed")
		require.EqualValues(t, 1, mo.get(path).body["version"], lamp)
		require.Equal(t, recorded{}, b.recorded(), lamp)
	}
	got, _ := hide("changes-nothing")
	require.EqualValues(t, 1, got.status(200).body["version"])
	require.Equal(t, recorded{}, b.recorded())

	got, _ = hide("changes")
	require.EqualValues(t, 2, got.status(200).body["version"])
	require.Equal(t, recorded{events: 1, messages: 1, tasks: 1}, b.recorded(), "the effect is a task of the same transaction")
	got, _ = hide("rolls-a-savepoint-back")
	got.status(200)
}
