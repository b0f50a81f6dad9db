package permission

import (
	"context"
	"fmt"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
)

// FindResources returns those of the ids that are resources of the family. It may read from
// a plugin, so it is called outside of transactions.
type FindResources func(ctx context.Context, family string, ids []string) ([]string, error)

// Validate checks the requested grants of an entry of the kind and returns all faults at
// once. Faults of shape come first, as CodeValidationFailed with paths such as
// `permissions[2].scope.ids[0]`. If there are none, faults of scopes follow, as
// CodeInvalidPermissions with []GrantIssue. Any other error is one of find.
func (c *Catalog) Validate(ctx context.Context, kind Kind, grants []Grant, find FindResources) error {
	if issues := c.ShapeIssues(kind, grants); len(issues) > 0 {
		return domain.Invalid(issues...)
	}
	issues, err := c.scopeIssues(ctx, kind, grants, find)
	if err != nil {
		return err
	}
	if len(issues) > 0 {
		return &domain.Error{
			Code:        domain.CodeInvalidPermissions,
			Message:     "Some permissions have a scope that cannot be granted; see issues.",
			GrantIssues: issues,
		}
	}
	return nil
}

// ShapeIssues returns only the faults of shape, for callers that report them together with
// other faults of the same request.
func (c *Catalog) ShapeIssues(kind Kind, grants []Grant) []domain.Issue {
	if len(grants) > MaxGrants {
		return []domain.Issue{{
			Path: "permissions", Code: "too_many",
			Message: fmt.Sprintf("At most %d permissions can be granted, not %d.", MaxGrants, len(grants)),
		}}
	}
	asked, seen := make(map[key]bool, len(grants)), make(map[string]bool, len(grants))
	for _, g := range grants {
		asked[g.key()] = true
	}
	var issues []domain.Issue
	for i, g := range grants {
		path := fmt.Sprintf("permissions[%d]", i)
		declared, known := c.Find(kind, g.Plugin, g.Module, g.Permission)
		switch {
		case !known:
			issues = append(issues, domain.Issue{
				Path: path, Code: "unknown_permission",
				Message: fmt.Sprintf("There is no %s permission %q.", kind, g.Key()),
			})
		case declared.DependsOn != "" && !asked[key{g.Plugin, g.Module, declared.DependsOn}]:
			issues = append(issues, domain.Issue{
				Path: path, Code: "missing_dependency",
				Message: fmt.Sprintf("%s needs %s to be granted too.", g.Permission, declared.DependsOn),
			})
		}
		if same := g.fingerprint(); seen[same] {
			issues = append(issues, domain.Issue{
				Path: path, Code: "duplicate", Message: "The same permission with the same scope is listed above.",
			})
		} else {
			seen[same] = true
		}
		issues = append(issues, scopeShapeIssues(path+".scope", g.Scope)...)
	}
	return issues
}

func scopeShapeIssues(path string, s *scope.Scope) []domain.Issue {
	if s == nil {
		return nil
	}
	var issues []domain.Issue
	fault := func(path, code, format string, args ...any) {
		issues = append(issues, domain.Issue{Path: path, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if s.Family == "" {
		fault(path+".family", "required", "Must be given.")
	}
	switch {
	case s.Mode == "":
		fault(path+".mode", "required", "Must be given.")
	case s.Mode != scope.All && s.Mode != scope.Selected:
		fault(path+".mode", "invalid", "Must be %s or %s.", scope.All, scope.Selected)
	case s.Mode == scope.All && len(s.IDs) > 0:
		fault(path+".ids", "unexpected", "Must not be given with mode %s.", scope.All)
	}
	if len(s.IDs) > MaxIDsPerGrant {
		fault(path+".ids", "too_many", "At most %d resources can be selected, not %d.", MaxIDsPerGrant, len(s.IDs))
		return issues
	}
	seen := make(map[string]bool, len(s.IDs))
	for i, id := range s.IDs {
		if seen[id] {
			fault(fmt.Sprintf("%s.ids[%d]", path, i), "duplicate", "This id is listed above.")
		}
		seen[id] = true
	}
	return issues
}

// fingerprint is equal for grants of the same permission with the same scope, in any order
// of its ids.
func (g Grant) fingerprint() string {
	parts := []string{g.Plugin, g.Module, g.Permission}
	if g.Scope != nil {
		parts = append(parts, g.Scope.Family, string(g.Scope.Mode))
		parts = append(parts, slices.Sorted(slices.Values(g.Scope.IDs))...)
	}
	return fmt.Sprintf("%q", parts)
}
