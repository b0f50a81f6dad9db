package permission

import (
	"context"
	"fmt"
	"maps"
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
	var issues domain.Issues
	for i, g := range grants {
		path := fmt.Sprintf("permissions[%d]", i)
		declared, known := c.Find(kind, g.Plugin, g.Module, g.Permission)
		switch {
		case !known:
			issues.Add(path, "unknown_permission", "There is no %s permission %q.", kind, g.Key())
		case declared.DependsOn != "" && !asked[key{g.Plugin, g.Module, declared.DependsOn}]:
			issues.Add(path, "missing_dependency", "%s needs %s to be granted too.", g.Permission, declared.DependsOn)
		}
		if same := g.fingerprint(); seen[same] {
			issues.Add(path, "duplicate", "The same permission with the same scope is listed above.")
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
	var issues domain.Issues
	if s.Family == "" {
		issues.Add(path+".family", "required", "Must be given.")
	}
	switch {
	case s.Mode == "":
		issues.Add(path+".mode", "required", "Must be given.")
	case s.Mode != scope.All && s.Mode != scope.Selected:
		issues.Add(path+".mode", "invalid", "Must be %s or %s.", scope.All, scope.Selected)
	case s.Mode == scope.All && len(s.IDs) > 0:
		issues.Add(path+".ids", "unexpected", "Must not be given with mode %s.", scope.All)
	}
	if len(s.IDs) > MaxIDsPerGrant {
		issues.Add(path+".ids", "too_many", "At most %d resources can be selected, not %d.", MaxIDsPerGrant, len(s.IDs))
		return issues
	}
	seen := make(map[string]bool, len(s.IDs))
	for i, id := range s.IDs {
		if seen[id] {
			issues.Add(fmt.Sprintf("%s.ids[%d]", path, i), "duplicate", "This id is listed above.")
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

// GrantIssue is a fault of a grant's scope.
type GrantIssue struct {
	Key  string `json:"key"`  // plugin:module:permission
	Type string `json:"type"` // one of the types below
}

// The types of faults.
const (
	MissingScope    = "missing_scope"
	EmptySelection  = "empty_selection"
	InvalidResource = "invalid_resource"
	UnknownResource = "unknown_resource"
	UnexpectedScope = "unexpected_scope"
	WrongFamily     = "wrong_family"
	DependencyScope = "dependency_scope"
)

// scopeIssues checks the scopes of grants that have no fault of shape. It compares a grant with the
// one it depends on only if both scopes are valid.
func (c *Catalog) scopeIssues(ctx context.Context, kind Kind, grants []Grant, find FindResources) ([]GrantIssue, error) {
	missing, err := c.missingResources(ctx, kind, grants, find)
	if err != nil {
		return nil, err
	}
	found := make([][]string, len(grants))
	unsound := make(map[key]bool)
	for i, g := range grants {
		declared, _ := c.Find(kind, g.Plugin, g.Module, g.Permission)
		found[i] = scopeTypes(declared, g.Scope)
		if len(found[i]) > 0 {
			unsound[g.key()] = true
		}
		if g.Scope != nil && g.Scope.Family == declared.Scope && slices.ContainsFunc(g.Scope.IDs, missing[declared.Scope].has) {
			found[i] = append(found[i], UnknownResource)
		}
	}
	held := reachOf(grants)
	var issues issueList
	for i, g := range grants {
		for _, t := range found[i] {
			issues.add(g, t)
		}
		declared, _ := c.Find(kind, g.Plugin, g.Module, g.Permission)
		dependency, ok := c.Find(kind, g.Plugin, g.Module, declared.DependsOn)
		if !ok || unsound[g.key()] || unsound[dependency.key()] {
			continue
		}
		if !held[dependency.key()].contains(requiredScope(g.Scope, dependency)) {
			issues.add(g, DependencyScope)
		}
	}
	return issues.all, nil
}

func (d Declared) key() key { return key{d.Plugin, d.Module, d.Permission} }

// requiredScope returns the scope that the dependency must cover. If a permission without scope
// depends on a scoped one, that is the whole family.
func requiredScope(s *scope.Scope, dependency Declared) *scope.Scope {
	if s == nil && dependency.Scope != "" {
		return &scope.Scope{Family: dependency.Scope, Mode: scope.All}
	}
	return s
}

// scopeTypes returns the faults of a scope that can be found without looking up its resources.
func scopeTypes(d Declared, s *scope.Scope) []string {
	switch {
	case d.Scope == "" && s != nil:
		return []string{UnexpectedScope}
	case d.Scope != "" && s == nil:
		return []string{MissingScope}
	case s == nil:
		return nil
	}
	var types []string
	if s.Family != d.Scope {
		types = append(types, WrongFamily)
	}
	if s.Mode == scope.Selected && len(s.IDs) == 0 {
		types = append(types, EmptySelection)
	}
	if slices.ContainsFunc(s.IDs, func(id string) bool { return !scope.ValidResourceID(id) }) {
		types = append(types, InvalidResource)
	}
	return types
}

type idSet map[string]struct{}

func (s idSet) has(id string) bool { _, ok := s[id]; return ok }

// missingResources returns, by family, the selected ids of a valid form that do not exist.
// It calls find once per family.
func (c *Catalog) missingResources(ctx context.Context, kind Kind, grants []Grant, find FindResources) (map[string]idSet, error) {
	missing := make(map[string]idSet)
	for _, g := range grants {
		declared, _ := c.Find(kind, g.Plugin, g.Module, g.Permission)
		if g.Scope == nil || g.Scope.Family != declared.Scope {
			continue
		}
		for _, id := range g.Scope.IDs {
			if !scope.ValidResourceID(id) {
				continue
			}
			if missing[g.Scope.Family] == nil {
				missing[g.Scope.Family] = idSet{}
			}
			missing[g.Scope.Family][id] = struct{}{}
		}
	}
	for family, ids := range missing {
		existing, err := find(ctx, family, slices.Sorted(maps.Keys(ids)))
		if err != nil {
			return nil, fmt.Errorf("find resources of scope family %s: %w", family, err)
		}
		for _, id := range existing {
			delete(ids, id)
		}
	}
	return missing, nil
}

// issueList collects issues without duplicates.
type issueList struct{ all []GrantIssue }

func (l *issueList) add(g Grant, issueType string) {
	issue := GrantIssue{Key: g.Key(), Type: issueType}
	if !slices.Contains(l.all, issue) {
		l.all = append(l.all, issue)
	}
}
