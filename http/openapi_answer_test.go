package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// described is the OpenAPI document, ready to hold requests and answers to it. TestOperationsHaveExamples holds
// the document itself to the standard.
type described struct {
	routers.Router
	document   *openapi3.T // which nobody changes
	components any
	examples   map[string]exampleBody // by route

	mu     sync.Mutex
	bodies map[*openapi3.MediaType]*jsonschema.Schema
}

var theDocument = sync.OnceValues(func() (*described, error) {
	raw, err := http.OpenAPI()
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, err
	}
	d := &described{document: document, bodies: map[*openapi3.MediaType]*jsonschema.Schema{}}
	var whole struct{ Components any }
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	d.components = whole.Components
	if d.examples, err = exampleBodies(document); err != nil {
		return nil, err
	}
	d.Router, err = gorillamux.NewRouter(document)
	return d, err
})

// exampleBody is the document's example of a body, and the fields that the schema has: whether each may be a text.
type exampleBody struct {
	json   string
	fields map[string]bool
}

// bodies has an example for each route that takes a body.
func bodies(t testing.TB) map[string]exampleBody {
	t.Helper()
	d, err := theDocument()
	require.NoError(t, err)
	return d.examples
}

func exampleBodies(document *openapi3.T) (map[string]exampleBody, error) {
	found := map[string]exampleBody{}
	for path, item := range document.Paths.Map() {
		if !strings.HasPrefix(path, "/api/") {
			path = http.Base + path
		}
		for method, o := range item.Operations() {
			if o.RequestBody == nil {
				continue
			}
			media := o.RequestBody.Value.Content.Get("application/json")
			fields, example := map[string]bool{}, map[string]any{}
			maps.Copy(example, media.Example.(map[string]any))
			for name, field := range media.Schema.Value.Properties {
				fields[name] = mayBe(field, "string")
				if _, shown := example[name]; !shown && mayBe(field, "integer") {
					example[name] = 1
				}
			}
			encoded, err := json.Marshal(example)
			if err != nil {
				return nil, err
			}
			found[method+" "+path] = exampleBody{string(encoded), fields}
		}
	}
	return found, nil
}

func mayBe(s *openapi3.SchemaRef, kind string) bool {
	return s.Value.Type.Includes(kind) || slices.ContainsFunc(slices.Concat(s.Value.OneOf, s.Value.AnyOf), func(s *openapi3.SchemaRef) bool { return mayBe(s, kind) })
}

// checkAnswer holds an answer to the OpenAPI document, and the request too when
// it was not refused as invalid.
func checkAnswer(t testing.TB, r *nethttp.Request, body []byte, resp *nethttp.Response, raw []byte) {
	t.Helper()
	if resp.StatusCode == nethttp.StatusNotFound || resp.StatusCode == nethttp.StatusMethodNotAllowed {
		return
	}
	d, err := theDocument()
	require.NoError(t, err)
	probe := r.Clone(context.Background())
	probe.URL.Host, probe.URL.Scheme, probe.Host = "", "", ""
	probe.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := d.FindRoute(probe)
	require.NoError(t, err, "%s %s is not in the OpenAPI document", r.Method, r.URL.Path)
	input := &openapi3filter.RequestValidationInput{Request: probe, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	if resp.StatusCode < 300 {
		if sent := route.Operation.RequestBody; sent != nil {
			input.Options.ExcludeRequestBody = d.checkBody(t, "request", sent.Value.Content, r.Header, body)
		}
		require.NoError(t, openapi3filter.ValidateRequest(context.Background(), input), "request %s %s", r.Method, r.URL.Path)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: resp.StatusCode, Header: resp.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	answer := route.Operation.Responses.Status(resp.StatusCode)
	if answer == nil {
		answer = route.Operation.Responses.Default()
	}
	if answer != nil {
		out.Options.ExcludeResponseBody = d.checkBody(t, "answer", answer.Value.Content, resp.Header, raw)
	}
	out.SetBodyBytes(raw)
	require.NoError(t, openapi3filter.ValidateResponse(context.Background(), out), "answer of %s %s: %s", r.Method, r.URL.Path, raw)
}

// checkBody holds a body to its schema if it is JSON of a type that the document knows; it reports whether it is.
// The library, which compiles the schema anew for each body, judges the others.
func (d *described) checkBody(t testing.TB, what string, content openapi3.Content, header nethttp.Header, body []byte) bool {
	t.Helper()
	contentType := header.Get("Content-Type")
	known := content.Get(contentType)
	if known == nil || known.Schema == nil || !strings.HasPrefix(contentType, "application/json") || len(body) == 0 {
		return false
	}
	schema, err := d.schema(known)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	require.NoError(t, err, "%s: %s", what, body)
	require.NoError(t, schema.Validate(value), "%s: %s", what, body)
	return true
}

func (d *described) schema(of *openapi3.MediaType) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if have := d.bodies[of]; have != nil {
		return have, nil
	}
	raw, err := json.Marshal(of.Schema)
	if err != nil {
		return nil, err
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	// The body's schema refers to the components, so it stands beside them.
	if err := compiler.AddResource("openapi.json", map[string]any{"body": body, "components": d.components}); err != nil {
		return nil, err
	}
	d.bodies[of], err = compiler.Compile("openapi.json#/body")
	return d.bodies[of], err
}
