package registry_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/registry"
)

// manifestKey is a row of docs/manifest.md: a path such as contentTypes[].key.kind, and its kind.
type manifestKey struct{ path, kind string }

func manifestPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/manifest.md")
	require.NoError(t, err)
	return string(page)
}

func keysOfThePage(t *testing.T) (keys []manifestKey) {
	t.Helper()
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([a-z, ]+) \\| .*\\|$").FindAllStringSubmatch(before(manifestPage(t), "\n## Kinds"), -1) {
		keys = append(keys, manifestKey{row[1], row[2]})
	}
	require.NotEmpty(t, keys)
	return keys
}

func before(text, words string) string { text, _, _ = strings.Cut(text, words); return text }

// manifestWith is a manifest that holds only the value at the path.
func manifestWith(path, value string) string {
	steps := strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
	for _, step := range slices.Backward(steps) {
		if step == "[]" {
			value = "[" + value + "]"
		} else {
			value = fmt.Sprintf("{%q: %s}", step, value)
		}
	}
	return value
}

// faultsAt are the messages that the checker has about the path of a manifest.
func faultsAt(t *testing.T, manifest, path string) (messages []string) {
	t.Helper()
	path = strings.ReplaceAll(path, "[]", "[0]")
	faults, ok := errors.AsType[registry.Faults](registry.Check(registry.ParseManifest("m.yaml", []byte(manifest))))
	require.True(t, ok)
	for _, f := range faults {
		if f.Path == path {
			messages = append(messages, f.Message)
		}
	}
	return messages
}

// The page names the keys that the checker knows, and no other: the checker lists them where it
// meets one that it does not know.
func TestThePageOfManifestsNamesEveryKey(t *testing.T) {
	t.Parallel()
	keys := keysOfThePage(t)
	children := map[string][]string{}
	for _, k := range keys {
		at := strings.LastIndex(k.path, ".")
		parent, name := k.path[:max(at, 0)], strings.TrimSuffix(k.path[at+1:], "[]")
		if !slices.Contains(children[parent], name) {
			children[parent] = append(children[parent], name)
		}
	}
	options := regexp.MustCompile(`; the options here are (.*)$`)
	objects := 0
	for parent, names := range children {
		if slices.Equal(names, []string{"NAME"}) { // their names are the author's own
			require.Contains(t, keys, manifestKey{parent, "names"})
			continue
		}
		const unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"
		path := strings.TrimPrefix(parent+"."+unknown, ".")
		said := options.FindStringSubmatch(strings.Join(faultsAt(t, manifestWith(path, "x"), path), "\n"))
		require.NotNil(t, said, path)
		require.ElementsMatch(t, strings.Split(said[1], ", "), names, "the keys of %q", parent)
		objects++
	}
	for _, k := range keys {
		if strings.HasSuffix(k.kind, "object") || k.kind == "names" && !strings.HasPrefix(k.path, "permissions.admin") && k.path != "messages.NAME" {
			require.NotNil(t, children[k.path], "the keys of %s", k.path)
		}
	}
	require.Greater(t, objects, 20)
}

// The page says of each key what the checker wants there.
func TestThePageOfManifestsTellsEveryKind(t *testing.T) {
	t.Parallel()
	wrong := map[string]struct{ value, message string }{
		"text":                    {"[]", "this must be text, not a list"},
		"list":                    {"x", "this must be a list, not text"},
		"list of text":            {"x", "this must be a list, not text"},
		"object":                  {"[]", "this must be an object, not a list"},
		"names":                   {"[]", "this must be an object, not a list"},
		"boolean":                 {"[]", "this must be true or false, not a list"},
		"boolean or object":       {"x", "this must be true, false, or an object of titleField and snapshotFields, not text"},
		"text or object":          {"[]", "this must be an object, not a list"},
		"text, number or boolean": {"[]", "this must be text, a number or a boolean, not a list"},
		"duration":                {"x", `"x" is not a duration, such as 3s`},
	}
	for _, k := range keysOfThePage(t) {
		w, known := wrong[k.kind]
		require.True(t, known, k.kind)
		require.Contains(t, faultsAt(t, manifestWith(k.path, w.value), k.path), w.message, k.path)
		if k.kind == "list of text" {
			require.Contains(t, faultsAt(t, manifestWith(k.path, "[[]]"), k.path+"[]"), "this must be text, not a list", k.path)
		}
	}
}

// The page names the kinds of fields, and which of them reports can keep.
func TestThePageOfManifestsNamesTheKindsOfFields(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(manifestPage(t), "## Kinds of fields")
	var named []content.FieldKind
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (.*?) \\|").FindAllStringSubmatch(table, -1) {
		kind := content.FieldKind(row[1])
		_, kept := kind.SnapshotKind()
		require.Equal(t, kept, row[2] != "no", kind)
		named = append(named, kind)
	}
	require.Equal(t, content.FieldKinds(), named)
	require.Contains(t, manifestPage(t), fmt.Sprintf("| `remote.timeout` | duration | `%s` |", registry.DefaultRemoteTimeout))
}
