package http_test

import (
	nethttp "net/http"
	"testing"
)

// The bundle holds each answer to the OpenAPI document.
func TestContentIsDescribed(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.guest().get("/api/forum/posts?first=2&locale=de").status(nethttp.StatusOK)
	b.guest().get("/api/forum/topics/1").status(nethttp.StatusOK)
	b.guest().get("/api/forum/topics?first=x").fault(nethttp.StatusBadRequest, "validation_failed")
}
