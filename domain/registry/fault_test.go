package registry_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Given a plugin in Go with every kind of fault, then each fault names a field of its declaration.
func TestFaultsOfAPluginInGoNameItsFields(t *testing.T) {
	t.Parallel()
	broken := content.Type{
		Fields: []content.Field{{Name: "body", Kind: "novel"}}, AuthorColumn: "a\x00", AdminTitle: "title", Scope: &content.Scope{Family: "shop.aisle"},
		Hidden: &content.Hidden{}, Published: &content.Published{}, Locale: &content.Locale{Key: "k"}, People: &content.People{}, Thread: &content.Thread{},
		PublicAPI: &content.PublicAPI{Path: "A", Fields: []string{"title"}}, Reports: &content.Reports{TitleField: "title", SnapshotFields: []string{"title"}},
	}
	remote := broken
	remote.ID, remote.PublicAPI = "shop.review", nil
	err := registry.Check(&registry.Declaration{Plugin: plugin.Plugin{
		ContentTypes:   []content.Type{broken},
		Targets:        []target.Definition{{PluginID: "other", ScopeFamily: "shop.aisle", Actions: []target.Action{{}}, People: &target.People{}}, {}},
		Scopes:         []scope.Definition{{}},
		Families:       []content.Family{{ContextColumns: []string{""}}},
		Permissions:    []plugin.Permission{{Scope: "shop.aisle", Kind: permission.Moderator, DependsOn: "x"}},
		Messages:       map[string]map[string]string{"?": {"shop.review": ""}},
		Webhooks:       []plugin.Webhook{{Subscription: event.Subscription{Events: []string{"x"}, Scope: &scope.Scope{Family: "shop.aisle"}}}},
		Listeners:      []event.Listener{{Events: []string{"x"}}},
		Tasks:          []plugin.Task{{}},
		Jobs:           []plugin.Job{{Module: " ", Limit: -time.Second}},
		Remote:         &plugin.Remote{},
		RemoteTypes:    []plugin.RemoteType{{Type: remote, Actions: []plugin.RemoteAction{{}}}},
		RemoteFamilies: []plugin.RemoteFamily{{}},
		Providers:      []plugin.Provider{{}},
		Issuer:         &plugin.Issuer{},
	}})
	var faults registry.Faults
	require.ErrorAs(t, err, &faults)
	named := map[string]bool{}
	for _, f := range faults {
		requireField(t, f.Path)
		named[strings.Split(strings.Split(f.Path, ".")[0], "[")[0]] = true
	}
	for field := range reflect.TypeFor[plugin.Plugin]().Fields() {
		require.True(t, named[field.Name] || field.Name == "Migrations", "no fault is in %s", field.Name)
	}
}

// requireField fails unless the path leads to a field of a plugin.
func requireField(t *testing.T, path string) {
	t.Helper()
	at := reflect.TypeFor[plugin.Plugin]()
	parts := strings.Split(path, ".")
	for i, part := range parts {
		if at.Kind() == reflect.Map { // the rest are keys
			return
		}
		if at.Kind() == reflect.Slice { // of fields by name
			at = at.Elem()
			continue
		}
		name, _, listed := strings.Cut(part, "[")
		field, found := at.FieldByName(name)
		require.True(t, found, "%s: %s has no field %s", path, at, strings.Join(parts[:i+1], "."))
		at = field.Type
		if listed {
			at = at.Elem()
		}
		for at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
	}
}
