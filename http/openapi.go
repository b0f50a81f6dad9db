package http

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

// Each file of the OpenAPI document is named as a Go file with its routes, by the first words of their paths
// (below Base). It has `paths` and `components`; base.yaml has what all share. Its examples are in the file of
// the same name in the folder `examples`. A test compares the document with the route table, another its
// examples with its schemas, and every HTTP test checks requests and answers against it.
//
//go:embed openapi/*.yaml openapi/examples/*.yaml
var openAPIFiles embed.FS

// OpenAPI returns the document as JSON.
var OpenAPI = sync.OnceValues(func() ([]byte, error) {
	document, err := openAPIDocument()
	if err != nil {
		return nil, err
	}
	return json.Marshal(document)
})

// openAPIDocument returns the document, which must not be modified.
var openAPIDocument = sync.OnceValues(func() (map[string]any, error) {
	document, err := readOpenAPI("openapi/*.yaml")
	if err != nil {
		return nil, err
	}
	examples, err := readOpenAPI("openapi/examples/*.yaml")
	if err != nil {
		return nil, err
	}
	return document, addExamples(document, examples)
})

// readOpenAPI merges files into one.
func readOpenAPI(pattern string) (map[string]any, error) {
	names, err := fs.Glob(openAPIFiles, pattern)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := map[string]any{}
	for _, name := range names {
		raw, err := openAPIFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var part map[string]any
		if err := yaml.Unmarshal(raw, &part); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := merge(all, part); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// merge adds part to the document. A key that both define must be an object.
func merge(document, part map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(part)) {
		have, both := document[key]
		if !both {
			document[key] = part[key]
			continue
		}
		into, ok := have.(map[string]any)
		from, ok2 := part[key].(map[string]any)
		if !ok || !ok2 {
			return fmt.Errorf("%s is defined twice", key)
		}
		if err := merge(into, from); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// Description has the route of the OpenAPI document.
type Description struct{}

func (Description) routes() []route {
	return []route{{http.MethodGet, "/openapi.json", open, serveOpenAPI}}
}

func serveOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	document, err := OpenAPI()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(document)
	return nil
}
