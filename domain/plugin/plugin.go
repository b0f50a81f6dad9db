// Package plugin holds what a plugin in Go declares.
//
// A plugin is a value: a Plugin whose fields list its report targets, listeners, tasks, jobs,
// scope families and migrations. A source returns it, and cmd.Main is a server with it:
//
//	func main() { cmd.Main(newPlugin) }
//
//	func newPlugin(ctx context.Context, host cmd.Host) (*cmd.Plugin, error) {
//		p := &cmd.Plugin{}
//		p.ID = "shop"
//		p.Targets = []target.Definition{reviews(host)}
//		p.Tasks = []plugin.Task{{Name: "tell-author", Run: tellAuthor}}
//		p.Jobs = []plugin.Job{{Name: "sweep", Schedule: "@hourly", Run: sweep}}
//		return p, nil
//	}
//
// The server checks declarations at its start; in tests, cmd.Check finds their faults and
// cmd.NewServer is a whole server. A plugin should import only cmd and the packages plugin, event,
// target, content, scope and snapshot of domain: they follow Semantic Versioning, the others may
// change with any release. A route also needs the errors of package domain, such as
// domain.NotFound, and a test needs the types that Accounts and Staff of its server use; pgtest
// of eventstore/postgres makes it a database.
package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"time"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Plugin is what a plugin declares. A manifest makes the same value as a declaration in Go,
// except for functions, which only Go can declare.
type Plugin struct {
	ID string // lowercase, the first segment of its public API: `forum`

	ContentTypes []content.Type
	Targets      []target.Definition // PluginID may be empty
	Scopes       []scope.Definition  // by functions
	Families     []content.Family    // by a table
	Permissions  []Permission
	Messages     map[string]map[string]string // locale to key to text

	Webhooks  []Webhook        // addresses that its public events are sent to
	Listeners []event.Listener // of public events, each a consumer group
	Tasks     []Task           // for the effects of its actions, and for what else it enqueues
	Jobs      []Job            // its scheduled functions

	// Migrations has the plugin's tables as goose SQL files, at its root. `migrate up` applies them
	// after Docket's own and records them in a separate table of the plugin. Nil means none.
	Migrations fs.FS

	// Remote is the platform that holds RemoteTypes and RemoteFamilies; nil if there is none.
	Remote         *Remote
	RemoteTypes    []RemoteType
	RemoteFamilies []RemoteFamily
	// Providers are called for signals about reported content.
	Providers []Provider
	// Issuer signs the JWTs of the platform's members; nil if there is none.
	Issuer *Issuer
}

// People carries out measures on the authors of a target. See target.Definition.People.
type People = target.People

// Task handles the tasks of one name that the plugin enqueues, such as an effect of a content action.
// Run is called at least once after the commit that enqueued the task, on any server, and again after
// an error, with exponential backoff. It must be idempotent, safe for concurrent use, and stop when
// its context ends, after a minute.
//
// Unless it was enqueued with another number of attempts, a task is tried twelve times in three to
// four hours. Administration → Task queue shows the last error, which is not logged since it may
// quote people. Tasks run in no order: a retry of an older one may come after a newer one. A task
// whose name no running server handles waits for one that does.
type Task struct {
	Name string
	Run  func(ctx context.Context, a Attempt) error
}

// Attempt is one delivery of a task to its handler.
type Attempt struct {
	TaskID  string          // a UUID, the same on every delivery: the key for idempotency
	Number  int             // from 1
	Last    bool            // an error now fails the task for good
	Payload json.RawMessage // the enqueued payload as JSON
}

// Job is a scheduled function. A run that was not recorded happens again, so Run must be
// idempotent. It never runs twice at once, on any number of servers. A new job is due at once; it
// runs with the next call of a scheduler or tick of CRON_ADAPTER=inprocess.
type Job struct {
	Module      string // groups jobs in the admin area; empty: "jobs"
	Name        string // unique within the module
	Description string
	Schedule    string        // five fields, six with seconds first, or a name such as @hourly; UTC
	Limit       time.Duration // of one run; 0 means five minutes
	Run         func(ctx context.Context) error
}

// ModuleName returns the module, or its default.
func (j Job) ModuleName() string { return cmp.Or(j.Module, "jobs") }

// Permission is a staff permission that the plugin declares itself, for its routes. A declared moderator module replaces
// the one that is generated for a target, with all of its permissions: declare others in a Module that is no target's
// PermissionModule.
type Permission struct {
	Kind       permission.Kind // "moderator" or "admin"
	Module     string
	Permission string
	DependsOn  string
	Scope      string // a scope family; admin permissions have none
}

// Webhook is a subscription of the plugin. It receives only events about the plugin's own reports
// and content.
type Webhook struct {
	Name string // identifies it across restarts; unique within the plugin
	// SecretEnv names the environment variable with the signing secret, so that secrets
	// are never part of a manifest or of code.
	SecretEnv string
	event.Subscription
}
