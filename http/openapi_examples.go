package http

import "fmt"

// addExamples adds the examples to the document. Their keys are an operation's id, or a component
// that operations share, and then what they show: `request`, the status of a response, or
// `response` for a component.
func addExamples(document, examples map[string]any) error {
	bodies := map[string]any{} // by the two names, as in "fileReport request"
	for _, item := range object(document, "paths") {
		for _, operation := range asObject(item) {
			id, _ := asObject(operation)["operationId"].(string)
			bodies[id+" request"] = object(operation, "requestBody")
			for status, answer := range object(operation, "responses") {
				bodies[id+" "+status] = answer
			}
		}
	}
	for name, body := range object(document, "components", "requestBodies") {
		bodies[name+" request"] = body
	}
	for name, answer := range object(document, "components", "responses") {
		bodies[name+" response"] = answer
	}
	for name, parts := range examples {
		for part, example := range asObject(parts) {
			content := object(bodies[name+" "+part], "content", "application/json")
			if content == nil {
				return fmt.Errorf("the example %s %s is of nothing in the document", name, part)
			}
			content["example"] = example
		}
	}
	return nil
}

func asObject(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

// object returns the object at the path of names, or nil if there is none.
func object(v any, names ...string) map[string]any {
	for _, name := range names {
		v = asObject(v)[name]
	}
	return asObject(v)
}
