package permission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
)

func testCatalog() *Catalog {
	return NewCatalog(
		[]Declared{
			{Moderator, "forum", "tools", "can_audit", "", "forum.category"},
			{Moderator, "forum", "tools", "can_export", "can_audit", ""},
		},
		append(Generated("forum", "posts", "forum.category", true), Generated("forum", "profiles", "", false)...))
}

// inCategories finds the categories that the tests know.
func inCategories(_ context.Context, family string, ids []string) ([]string, error) {
	if family != "forum.category" {
		return nil, fmt.Errorf("asked for family %q", family)
	}
	known := []string{"general", "support", "offtopic"}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(known, id) }), nil
}

func selected(ids ...string) *scope.Scope {
	return &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: ids}
}

func all() *scope.Scope { return &scope.Scope{Family: "forum.category", Mode: scope.All} }

func posts(permission string, s *scope.Scope) Grant { return Grant{"forum", "posts", permission, s} }

func codes(err error) []string {
	var e *domain.Error
	if !errors.As(err, &e) {
		return nil
	}
	var out []string
	for _, issue := range e.Issues {
		out = append(out, issue.Path+" "+issue.Code)
	}
	if issues, ok := e.GrantIssues.([]GrantIssue); ok {
		for _, issue := range issues {
			out = append(out, issue.Key+" "+issue.Type)
		}
	}
	return out
}

func TestValidateGrants(t *testing.T) {
	t.Parallel()
	const view, manage = "forum:posts:can_view_reports", "forum:posts:can_manage_reports"
	cases := map[string]struct {
		kind   Kind // Moderator when ""
		grants []Grant
		code   domain.Code
		issues []string
	}{
		"nothing at all": {},
		"a selection within the dependency's": {
			grants: []Grant{posts(ManageReports, selected("general")), posts(ViewReports, selected("support", "general"))},
		},
		"selections that add up": {
			grants: []Grant{
				posts(ViewReports, selected("general")), posts(ViewReports, selected("support")),
				posts(ManageReports, selected("support", "general")),
			},
		},
		"a permission without scope":      {grants: []Grant{{"forum", "profiles", ViewReports, nil}}},
		"an admin permission":             {kind: Admin, grants: []Grant{{CorePlugin, "audit", "can_view", nil}}},
		"a whole one over a scoped whole": {grants: []Grant{{"forum", "tools", "can_audit", all()}, {"forum", "tools", "can_export", nil}}},

		"unknown permission": {
			grants: []Grant{posts("can_fly", nil), {"blog", "posts", ViewReports, nil}},
			code:   domain.CodeValidationFailed,
			issues: []string{"permissions[0] unknown_permission", "permissions[1] unknown_permission"},
		},
		"a permission of the other kind": {
			kind: Admin, grants: []Grant{posts(ViewReports, nil)},
			code: domain.CodeValidationFailed, issues: []string{"permissions[0] unknown_permission"},
		},
		"missing dependency": {
			grants: []Grant{posts(ManageReports, all())},
			code:   domain.CodeValidationFailed, issues: []string{"permissions[0] missing_dependency"},
		},
		"the same grant twice": {
			grants: []Grant{posts(ViewReports, selected("general", "support")), posts(ViewReports, selected("support", "general"))},
			code:   domain.CodeValidationFailed, issues: []string{"permissions[1] duplicate"},
		},
		"the same id twice": {
			grants: []Grant{posts(ViewReports, selected("general", "general"))},
			code:   domain.CodeValidationFailed, issues: []string{"permissions[0].scope.ids[1] duplicate"},
		},
		"a scope of no known shape": {
			grants: []Grant{
				posts(ViewReports, &scope.Scope{}),
				posts(ViewHidden, &scope.Scope{Family: "forum.category", Mode: "some"}),
				posts(Hide, &scope.Scope{Family: "forum.category", Mode: scope.All, IDs: []string{"general"}}),
			},
			code: domain.CodeValidationFailed,
			issues: []string{
				"permissions[0].scope.family required", "permissions[0].scope.mode required",
				"permissions[1].scope.mode invalid", "permissions[2].scope.ids unexpected",
			},
		},
		"more grants than fit": {
			grants: make([]Grant, MaxGrants+1),
			code:   domain.CodeValidationFailed, issues: []string{"permissions too_many"},
		},
		"more resources than fit": {
			grants: []Grant{posts(ViewReports, selected(make([]string, MaxIDsPerGrant+1)...))},
			code:   domain.CodeValidationFailed, issues: []string{"permissions[0].scope.ids too_many"},
		},
		"faults of shape come before faults of scope": {
			grants: []Grant{posts(ViewReports, nil), posts("can_fly", nil)},
			code:   domain.CodeValidationFailed, issues: []string{"permissions[1] unknown_permission"},
		},

		"missing scope": {
			grants: []Grant{posts(ViewReports, nil)},
			code:   domain.CodeInvalidPermissions, issues: []string{view + " missing_scope"},
		},
		"empty selection": {
			grants: []Grant{posts(ViewReports, selected())},
			code:   domain.CodeInvalidPermissions, issues: []string{view + " empty_selection"},
		},
		"resource ids that are none, and one that is not there": {
			grants: []Grant{posts(ViewReports, selected("", "-x", "a b", "general", "nowhere"))},
			code:   domain.CodeInvalidPermissions, issues: []string{view + " invalid_resource", view + " unknown_resource"},
		},
		"unknown resource": {
			grants: []Grant{posts(ViewReports, selected("general", "nowhere", "nobody"))},
			code:   domain.CodeInvalidPermissions, issues: []string{view + " unknown_resource"},
		},
		"unexpected scope": {
			grants: []Grant{{"forum", "profiles", ViewReports, all()}},
			code:   domain.CodeInvalidPermissions, issues: []string{"forum:profiles:can_view_reports unexpected_scope"},
		},
		"unexpected scope of an admin grant": {
			kind: Admin, grants: []Grant{{CorePlugin, "audit", "can_view", all()}},
			code: domain.CodeInvalidPermissions, issues: []string{CorePlugin + ":audit:can_view unexpected_scope"},
		},
		"wrong family, whose resources nobody is asked for": {
			grants: []Grant{posts(ViewReports, &scope.Scope{Family: "blog.section", Mode: scope.Selected, IDs: []string{"general"}})},
			code:   domain.CodeInvalidPermissions, issues: []string{view + " wrong_family"},
		},
		"wider than the selection it depends on": {
			grants: []Grant{posts(ViewReports, selected("general")), posts(ManageReports, selected("general", "support"))},
			code:   domain.CodeInvalidPermissions, issues: []string{manage + " dependency_scope"},
		},
		"all over a selection": {
			grants: []Grant{posts(ViewReports, selected("general")), posts(ManageReports, all())},
			code:   domain.CodeInvalidPermissions, issues: []string{manage + " dependency_scope"},
		},
		"a whole one over a selection": {
			grants: []Grant{{"forum", "tools", "can_audit", selected("general")}, {"forum", "tools", "can_export", nil}},
			code:   domain.CodeInvalidPermissions, issues: []string{"forum:tools:can_export dependency_scope"},
		},
		"every fault at once, each pair once": {
			grants: []Grant{
				posts(ViewReports, selected("nowhere")), posts(ViewReports, selected("elsewhere")),
				posts(ManageReports, selected("general")), {"forum", "profiles", ViewReports, all()},
			},
			code: domain.CodeInvalidPermissions,
			issues: []string{
				view + " unknown_resource", manage + " dependency_scope", "forum:profiles:can_view_reports unexpected_scope",
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind := c.kind
			if kind == "" {
				kind = Moderator
			}
			err := testCatalog().Validate(t.Context(), kind, c.grants, inCategories)
			require.Equal(t, c.code, domain.ErrorCode(err), "%v", err)
			require.Equal(t, c.issues, codes(err))
		})
	}
}

func TestValidateGivesOnTheErrorOfFind(t *testing.T) {
	t.Parallel()
	broken := errors.New("the plugin is down")
	err := testCatalog().Validate(t.Context(), Moderator, []Grant{posts(ViewReports, selected("general"))},
		func(context.Context, string, []string) ([]string, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
	require.Empty(t, domain.ErrorCode(err))
}
