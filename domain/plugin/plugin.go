// Package plugin holds what a plugin declares and the one registration that
// all plugins pass, whether declared in Go or in a YAML manifest (contract
// section 11).
package plugin

import (
	"context"
	"encoding/json"
	"regexp"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Plugin is what one plugin brings. Both ways of declaring one make the same
// value; functions can only be given in Go.
type Plugin struct {
	ID string // lowercase, the first segment of its public API: `forum`

	ContentTypes  []content.Type
	ReportTargets []target.Definition // spec 2.5; PluginID may be left empty
	Scopes        []scope.Definition  // spec 2.4, by functions
	Families      []content.Family    // spec 2.4, by a table
	Permissions   []Permission
	Messages      map[string]map[string]string // locale to key to text

	Webhooks  []Webhook        // addresses that its public events are sent to
	Listeners []event.Listener // of public events, each a consumer group
	Tasks     []Task           // the effects of its actions, and what else it enqueues

	origin *origin // nil for a plugin declared in Go
	faults Faults  // of the manifest's form; Register and Check report them
}

// Task handles the tasks of one name that the plugin enqueues, such as an effect
// of a content action (spec 2.5). It runs at least once, after the commit.
type Task struct {
	Name string
	Run  func(ctx context.Context, payload json.RawMessage) error
}

// Permission is one staff permission that the plugin declares itself. A
// moderator module that is declared wins over the generated one (spec 2.2).
type Permission struct {
	Kind       permission.Kind
	Module     string
	Permission string
	DependsOn  string
	Scope      string // a scope family; admin permissions have none
}

// origin is where the parts of a manifest stand.
type origin struct {
	file   string
	lines  map[string]int  // path to line, from 1
	unread map[string]bool // paths whose value could not be read; "" is the whole
}

func newOrigin(file string) *origin {
	return &origin{file: file, lines: map[string]int{}, unread: map[string]bool{}}
}

var pluginID = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)
