package registry_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
)

const sqlUp = "-- +goose Up\nSELECT 1;\n"

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// soundHandlers is a plugin in Go with one of everything that a manifest cannot declare.
func soundHandlers() *registry.Declaration {
	return &registry.Declaration{Plugin: plugin.Plugin{
		ID:         "acme",
		Listeners:  []event.Listener{{Group: "acme.mail", Handle: func(context.Context, pgx.Tx, event.Event) error { return nil }}},
		Tasks:      []plugin.Task{{Name: "mail", Run: func(context.Context, plugin.Attempt) error { return nil }}},
		Jobs:       []plugin.Job{{Name: "sweep", Schedule: "@hourly", Run: func(context.Context) error { return nil }}},
		Migrations: fstest.MapFS{"20260102000000_things.sql": file(sqlUp), "README.md": file("no migration")},
	}}
}

func TestHandlersOfAPlugin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*plugin.Plugin)
		faults string
	}{
		{"sound", func(*plugin.Plugin) {}, ""},
		{"empty", func(p *plugin.Plugin) {
			p.Listeners, p.Tasks, p.Jobs, p.Migrations = []event.Listener{{}}, []plugin.Task{{}}, []plugin.Job{{}}, fstest.MapFS{}
		}, `Listeners[0].Group: a group is named by 1 to 100 lowercase letters, digits, dots, dashes and underscores; "" is not
Listeners[0].Handle: a listener needs a handler
Tasks[0].Name: a task is named by 1 to 200 letters, digits, dots, dashes and underscores; "" is not
Tasks[0].Run: a task needs its run function
Jobs[0].Name: a job is named by 1 to 200 letters, digits, dots, dashes and underscores; "" is not
Jobs[0].Schedule: *
Jobs[0].Run: a job needs its run function
Migrations: there is no .sql file at the root; use fs.Sub for those in a folder`},
		{"twice", func(p *plugin.Plugin) {
			p.Listeners, p.Tasks, p.Jobs = append(p.Listeners, p.Listeners[0]), append(p.Tasks, p.Tasks[0]), append(p.Jobs, p.Jobs[0])
			p.Jobs[1].Module = "jobs" // the default
			p.Migrations = fstest.MapFS{"1_a.sql": file(sqlUp), "01_b.sql": file(sqlUp)}
		}, `Listeners[1].Group: the listener group "acme.mail" is used twice; first in plugin acme
Tasks[1].Name: the task "mail" is used twice; first in Tasks[0]
Jobs[1].Name: the job "jobs:sweep" is used twice; first in Jobs[0]
Migrations: 1_a.sql: has the version of 01_b.sql`},
		{"names", func(p *plugin.Plugin) {
			p.Listeners[0].Group, p.Listeners[0].Events = "NOT valid", []string{"moderation.*", "", "content.acme.*", "moderation.report.resolve"}
			p.Tasks[0].Name = "a b"
			p.Jobs[0].Module, p.Jobs[0].Limit = "a:b", -1
			p.Permissions = []plugin.Permission{{Kind: "owner", Module: "a:b", Permission: "can_own"}}
			p.Migrations = fstest.MapFS{"things.sql": file(sqlUp), "0_a.sql": file(sqlUp), "3_b.sql": file("SELECT 1;")}
		}, `Permissions[0]: the kind of a permission must be admin or moderator, not "owner"
Permissions[0]: "a:b" is not a valid module name
Listeners[0].Group: a group is named by 1 to 100 lowercase letters, digits, dots, dashes and underscores; "NOT valid" is not
Listeners[0].Events[1]: there is no event ""
Listeners[0].Events[3]: there is no event "moderation.report.resolve"; did you mean "moderation.report.resolved"?
Tasks[0].Name: a task is named by 1 to 200 letters, digits, dots, dashes and underscores; "a b" is not
Jobs[0].Module: a module is named by 1 to 200 letters, digits, dots, dashes and underscores; "a:b" is not
Jobs[0].Limit: the limit is negative
Migrations: 0_a.sql: a migration is named by a version and a title, such as 20261002120000_add_reviews.sql
Migrations: 3_b.sql: has no line -- +goose Up
Migrations: things.sql: a migration is named by a version and a title, such as 20261002120000_add_reviews.sql`},
		{"Docket's own group", func(p *plugin.Plugin) { p.Listeners[0].Group = "docket.webhooks" },
			`Listeners[0].Group: groups that begin with docket. are Docket's own; "docket.webhooks" is not free`},
		{"an id too long for a table", func(p *plugin.Plugin) { p.ID = strings.Repeat("a", 47) },
			"Migrations: a plugin with migrations needs an id of at most 46 characters, not 47, because a table is named after it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := soundHandlers()
			test.change(&p.Plugin)
			err := registry.Check(p)
			if test.faults == "" {
				require.NoError(t, err)
				return
			}
			var want []string
			for line := range strings.SplitSeq(test.faults, "\n") {
				want = append(want, "plugin "+p.ID+": "+line)
			}
			got := strings.Split(err.Error(), "\n")
			require.Len(t, got, len(want), err)
			for i := range want {
				if prefix, open := strings.CutSuffix(want[i], "*"); open {
					require.True(t, strings.HasPrefix(got[i], prefix), got[i])
					continue
				}
				require.Equal(t, want[i], got[i])
			}
		})
	}
}

func TestPluginsShareNoGroupAndNoTableOfMigrations(t *testing.T) {
	t.Parallel()
	a, b := soundHandlers(), soundHandlers()
	a.ID, b.ID = "acme-x", "acme_x"
	require.EqualError(t, registry.Check(a, b), `plugin acme_x: Listeners[0].Group: the listener group "acme.mail" is used twice; first in plugin acme-x
plugin acme_x: Migrations: the table of applied migrations "acme_x_goose_db_version" is used twice; first in plugin acme-x`)
}
