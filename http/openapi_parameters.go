package http

import (
	"regexp"
	"slices"
	"strings"
)

// queryParameters are the query parameters that a route accepts.
type queryParameters struct {
	names []string
	any   bool // others are accepted and ignored
}

var pathPattern = regexp.MustCompile(`:[^{}]*\}`)

// documentedParameters returns a function that finds the query parameters of a route in the OpenAPI
// document, so that a route refuses what the document does not list. A plugin's routes are not in
// the document, and accept any.
func documentedParameters() func(route) queryParameters {
	document, _ := openAPIDocument() // the route /openapi.json returns its error
	return func(rt route) queryParameters {
		path := object(document, "paths", pathPattern.ReplaceAllString(rt.path, "}"))
		operation := object(path, strings.ToLower(rt.method))
		if operation == nil {
			return queryParameters{any: true}
		}
		var all queryParameters
		shared, _ := path["parameters"].([]any)
		own, _ := operation["parameters"].([]any)
		for _, p := range slices.Concat(shared, own) {
			parameter := asObject(p)
			if ref, ok := parameter["$ref"].(string); ok {
				parameter = object(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
			name, _ := parameter["name"].(string)
			switch {
			case parameter["in"] != "query":
			case object(parameter, "schema")["additionalProperties"] != nil:
				all.any = true
			default:
				all.names = append(all.names, name)
			}
		}
		return all
	}
}
