package http_test

import (
	"encoding/json"
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// The bundle holds each request and answer to the OpenAPI document.
func TestStaffIsDescribed(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	id := b.user("Root")
	for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
		require.NoError(t, b.staff.Ensure(t.Context(), kind, id, permission.Entry{Unrestricted: true}))
	}
	root, scoped := b.session(id), b.moderator("Sam", []string{"general"}, permission.ViewReports)
	patch := func(path string, body any) *answer {
		encoded, err := json.Marshal(body)
		require.NoError(t, err)
		return root.do(nethttp.MethodPatch, path, "application/json", encoded)
	}
	grant := map[string]any{"plugin": "forum", "module": "posts", "permission": permission.ViewReports}
	general := map[string]any{"family": "forum.category", "mode": scope.Selected, "ids": []string{"general"}}

	for _, c := range []*client{root, scoped} {
		c.get("/users/permissions").status(nethttp.StatusOK)
		c.get("/users/permissions/admin").status(nethttp.StatusOK)
		c.get("/moderation/scopes?limit=2").status(nethttp.StatusOK)
	}
	b.guest().get("/users/permissions").fault(nethttp.StatusUnauthorized, "unauthorized")
	scoped.get("/admin/staff/permissions").fault(nethttp.StatusForbidden, "forbidden")
	root.get("/admin/staff/permissions").status(nethttp.StatusOK)
	root.get("/admin/staff/scope-resources/forum.category?limit=1").status(nethttp.StatusOK)
	root.get("/admin/staff/scope-resources/forum.category?ids=general,gone").status(nethttp.StatusOK)

	for _, kind := range []string{"moderator", "admin"} {
		path := "/admin/staff/entry/" + kind
		made := root.post(path, map[string]any{"userId": b.members[0]}).status(nethttp.StatusCreated)
		root.post(path, map[string]any{"userId": b.members[0]}).fault(nethttp.StatusConflict, "already_exists")
		entry := path + "/" + made.body["id"].(string)
		root.get(entry).status(nethttp.StatusOK)
		root.get("/admin/staff/" + kind + "s?first=1").status(nethttp.StatusOK)
		patch(entry, map[string]any{"unrestricted": true, "permissions": []any{}}).status(nethttp.StatusOK)
		patch(entry, map[string]any{"permissions": []any{}, "expectedUpdatedAt": "2026-01-01T00:00:00Z"}).fault(nethttp.StatusConflict, "conflict")
		patch(entry, map[string]any{"permissions": []any{map[string]any{"plugin": "x"}}}).fault(nethttp.StatusBadRequest, "validation_failed")
		if kind == "moderator" {
			patch(entry, map[string]any{"permissions": []any{grant}}).fault(nethttp.StatusBadRequest, "invalid_permissions")
			grant["scope"] = general
			patch(entry, map[string]any{"unrestricted": false, "permissions": []any{grant}}).status(nethttp.StatusOK)
		}
		root.do(nethttp.MethodDelete, entry, "", nil).status(nethttp.StatusNoContent)
		root.get(entry + "/history?first=2").status(nethttp.StatusOK)
	}
}
