// Package docket is a typed client of Docket's API, generated from its OpenAPI document. Its
// versions are those of Docket.
package docket

import (
	"context"
	"net/http"
	"strings"
)

// New returns a client of the API at a server, such as https://docket.example, with an API
// token or a JWT of the platform.
func New(server, token string, options ...ClientOption) (*ClientWithResponses, error) {
	bearer := WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	})
	return NewClientWithResponses(strings.TrimRight(server, "/")+"/api/@platform/core", append([]ClientOption{bearer}, options...)...)
}
