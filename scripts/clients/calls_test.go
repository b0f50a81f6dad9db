//go:build clients

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// call is an operation with the example of its body.
type call struct {
	id, method, path string
	variables        []string // of the path, in the order of the document
	parameters       bool     // other parameters than those of the path
	required         map[string]string
	body             string // JSON, or "" for none
}

// What a test cannot call as a client does: a stream that does not end, the trigger with a secret
// of its own, pages for browsers and content at another base.
var left = []string{"watchReports", "runDueJobs", "startOIDC", "finishOIDC", "getReportElement", "listContent", "getContent"}

// What ends the token comes last.
var last = []string{"signOut", "endOwnSessions", "revokeOwnTokens"}

// described returns the operations of the document: what reads first, what deletes last.
func described(t *testing.T) []call {
	t.Helper()
	raw, err := http.OpenAPI()
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(raw)
	require.NoError(t, err)
	var calls []call
	for path, item := range document.Paths.Map() {
		for method, o := range item.Operations() {
			if slices.Contains(left, o.OperationID) {
				continue
			}
			c := call{id: o.OperationID, method: method, path: path, required: map[string]string{}}
			for _, p := range slices.Concat(item.Parameters, o.Parameters) {
				if p.Value.In == "path" {
					c.variables = append(c.variables, p.Value.Name)
					continue
				}
				c.parameters = true
				if p.Value.Required {
					c.required[p.Value.Name] = "forum"
				}
			}
			slices.SortFunc(c.variables, func(a, b string) int {
				return strings.Index(path, "{"+a+"}") - strings.Index(path, "{"+b+"}")
			})
			if o.RequestBody != nil {
				example, err := json.Marshal(o.RequestBody.Value.Content["application/json"].Example)
				require.NoError(t, err)
				c.body = string(example)
			}
			calls = append(calls, c)
		}
	}
	methods := []string{"GET", "PUT", "POST", "PATCH", "DELETE"}
	rank := func(c call) string {
		return fmt.Sprint(1+slices.Index(last, c.id), slices.Index(methods, c.method), c.path)
	}
	slices.SortFunc(calls, func(a, b call) int { return strings.Compare(rank(a), rank(b)) })
	return calls
}

// variable is what stands in a path: the report, or the name of something that the demo has, or
// the id of nothing.
func (c call) variable(name, report string) string {
	names := map[string]string{"action": "hide", "family": "forum.category", "key": "be-kind", "name": "reports"}
	if value, ok := names[name]; ok {
		return value
	}
	if name == "id" && strings.HasPrefix(c.path, "/moderation/reports/") {
		return report
	}
	return "0197a0b0-0000-7000-8000-000000000001"
}

func goCalls(calls []call, report string) string {
	var b strings.Builder
	b.WriteString(`package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/docketmod/docket/scripts/clients/go"
)

type answer interface{ StatusCode() int }

func body[T any](example string) (v T) {
	if err := json.Unmarshal([]byte(example), &v); err != nil {
		log.Fatal(err)
	}
	return v
}

func show(id string, a answer, err error) {
	if err != nil {
		log.Fatal(id, ": ", err)
	}
	fmt.Println(id, a.StatusCode())
}

func main() {
	ctx := context.Background()
	c, err := docket.NewClientWithResponses(os.Args[1], docket.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
`)
	for _, c := range calls {
		name := strings.ToUpper(c.id[:1]) + c.id[1:]
		arguments := []string{"ctx"}
		for _, v := range c.variables {
			arguments = append(arguments, fmt.Sprintf("%q", c.variable(v, report)))
		}
		if c.parameters {
			var set strings.Builder
			for parameter, value := range c.required {
				fmt.Fprintf(&set, "%s: %q, ", strings.ToUpper(parameter[:1])+parameter[1:], value)
			}
			arguments = append(arguments, fmt.Sprintf("&docket.%sParams{%s}", name, set.String()))
		}
		if c.body != "" {
			arguments = append(arguments, fmt.Sprintf("body[docket.%sJSONRequestBody](%q)", name, c.body))
		}
		fmt.Fprintf(&b, "\t{\n\t\ta, err := c.%sWithResponse(%s)\n\t\tshow(%q, a, err)\n\t}\n", name, strings.Join(arguments, ", "), c.id)
	}
	return b.String() + "}\n"
}

func tsCalls(calls []call, report string) string {
	var b strings.Builder
	b.WriteString(`import { createClient } from './index.js'

declare const process: { argv: string[] }
const c = createClient('', process.argv[3], { baseUrl: process.argv[2] })
const show = (id: string, a: { response: Response }) => console.log(id, a.response.status)
`)
	for _, c := range calls {
		given, path := map[string]map[string]string{}, map[string]string{}
		for _, v := range c.variables {
			path[v] = c.variable(v, report)
		}
		for in, values := range map[string]map[string]string{"path": path, "query": c.required} {
			if len(values) > 0 {
				given[in] = values
			}
		}
		parameters, _ := json.Marshal(given)
		body := ""
		if c.body != "" {
			body = ", body: " + c.body
		}
		fmt.Fprintf(&b, "show('%s', await c.%s('%s', { params: %s%s }))\n", c.id, c.method, c.path, parameters, body)
	}
	return b.String()
}
