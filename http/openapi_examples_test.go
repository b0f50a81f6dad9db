package http_test

import (
	"context"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// Every operation shows by example what it is sent and what it answers, and each example is
// as its schema says.
func TestOperationsHaveExamples(t *testing.T) {
	t.Parallel()
	document := apiDocument(t)
	require.NoError(t, document.Validate(context.Background(), openapi3.EnableExamplesValidation()))
	shows := func(what string, content openapi3.Content) {
		t.Helper()
		if media := content["application/json"]; media != nil {
			require.True(t, media.Example != nil || len(media.Examples) > 0, "%s needs an example", what)
		}
	}
	for path, item := range document.Paths.Map() {
		for method, o := range item.Operations() {
			if o.RequestBody != nil {
				shows("the body of "+method+" "+path, o.RequestBody.Value.Content)
			}
			for status, answer := range o.Responses.Map() {
				if status[0] == '2' {
					shows("the answer "+status+" of "+method+" "+path, answer.Value.Content)
				}
			}
		}
	}
}
