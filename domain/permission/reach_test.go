package permission

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/scope"
)

// The naive model: a permission is the set of things it reaches in a universe
// small enough to enumerate. `other` is a resource and `otherFamily` a family
// that no generated grant names; they stand for all the rest of the world.
const (
	other       = "other"
	otherFamily = "family.other"
)

var (
	plugins     = []string{"forum", "blog"}
	modules     = []string{"topics", "posts"}
	permissions = []string{ViewReports, Hide}
	families    = []string{"forum.category", "forum.section"}
	ids         = []string{"a", "b", "c"}
)

// universe is every resource a thing may be in; the zero one is "no scope".
func universe() []scope.Resource {
	all := []scope.Resource{{}}
	for _, family := range append([]string{otherFamily}, families...) {
		for _, id := range append([]string{"", other}, ids...) {
			all = append(all, scope.Resource{Family: family, ID: id})
		}
	}
	return all
}

// eachThing calls f with every plugin, module, permission and resource there is.
func eachThing(f func(plugin, module, permission string, r scope.Resource)) {
	for _, plugin := range plugins {
		for _, module := range modules {
			for _, permission := range permissions {
				for _, r := range universe() {
					f(plugin, module, permission, r)
				}
			}
		}
	}
}

func genScope(t *rapid.T) *scope.Scope {
	switch rapid.IntRange(0, 9).Draw(t, "scope") {
	case 0, 1:
		return nil
	case 2, 3:
		return &scope.Scope{Family: rapid.SampledFrom(families).Draw(t, "family"), Mode: scope.All}
	case 4: // what no validation lets in, and a hand in the database might
		return &scope.Scope{
			Family: rapid.SampledFrom([]string{"", families[0]}).Draw(t, "family"),
			Mode:   rapid.SampledFrom([]scope.Mode{"", "none", scope.All, scope.Selected}).Draw(t, "mode"),
			IDs:    rapid.SliceOfN(rapid.SampledFrom([]string{"", "a"}), 0, 2).Draw(t, "ids"),
		}
	}
	return &scope.Scope{
		Family: rapid.SampledFrom(families).Draw(t, "family"),
		Mode:   scope.Selected,
		IDs:    rapid.SliceOfN(rapid.SampledFrom(ids), 0, 3).Draw(t, "ids"),
	}
}

func genEntry(t *rapid.T, name string) *Entry {
	switch rapid.IntRange(0, 19).Draw(t, name) {
	case 0:
		return nil
	case 1:
		return &Entry{Unrestricted: true}
	}
	n := rapid.IntRange(0, 6).Draw(t, "grants")
	e := &Entry{}
	for range n {
		e.Grants = append(e.Grants, Grant{
			Plugin:     rapid.SampledFrom(plugins).Draw(t, "plugin"),
			Module:     rapid.SampledFrom(modules).Draw(t, "module"),
			Permission: rapid.SampledFrom(permissions).Draw(t, "permission"),
			Scope:      genScope(t),
		})
	}
	return e
}

func TestCoverageAgreesWithCovers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := genEntry(t, "entry")
		eachThing(func(plugin, module, permission string, r scope.Resource) {
			require.Equal(t, e.Covers(plugin, module, permission, r), e.Coverage(permission).Covers(plugin, module, r),
				"%s:%s:%s in %+v", plugin, module, permission, r)
		})
	})
}

func TestCoverageIsCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := genEntry(t, "entry")
		c := e.Coverage(ViewReports)
		require.Equal(t, c.Empty(), !c.All && len(c.Modules) == 0)
		seen := map[[3]string]bool{}
		for _, m := range c.Modules {
			k := [3]string{m.Plugin, m.Module, m.Family}
			require.False(t, seen[k], "%v appears twice", k)
			seen[k] = true
			require.False(t, c.All)
			require.Equal(t, m.Whole, m.Family == "")
			require.Equal(t, !m.Whole && !m.All, len(m.IDs) > 0)
			require.NotContains(t, m.IDs, "")
			require.IsIncreasing(t, append([]string{""}, m.IDs...))
		}
	})
}

func TestInFamilyIsWhatTheModulesReachTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := genEntry(t, "entry")
		all, found := e.Coverage(ViewReports).InFamily(families[0], func(_, module string) bool { return module == "posts" })
		for _, id := range append([]string{"", other}, ids...) {
			r := scope.Resource{Family: families[0], ID: id}
			want := false
			for _, plugin := range plugins {
				// Topics are in no family here: a grant without scope on them reaches none of it.
				topics := e.Coverage(ViewReports)
				topics.Modules = slices.DeleteFunc(topics.Modules, func(m ModuleCoverage) bool { return m.Whole && m.Module == "topics" })
				want = want || e.Covers(plugin, "posts", ViewReports, r) || topics.Covers(plugin, "topics", r)
			}
			require.Equal(t, want, all || slices.Contains(found, id), "%+v", r)
		}
	})
}

func TestWithinAgreesWithTheSetsOfThings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		inner, outer := genEntry(t, "inner"), genEntry(t, "outer")

		want := inner == nil || !inner.Unrestricted || outer != nil && outer.Unrestricted
		eachThing(func(plugin, module, permission string, r scope.Resource) {
			if inner.Has(plugin, module, permission) && !outer.Has(plugin, module, permission) ||
				inner.Covers(plugin, module, permission, r) && !outer.Covers(plugin, module, permission, r) {
				want = false
			}
		})
		require.Equal(t, want, Within(inner, outer))
	})
}

func TestWithinIsAnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := genEntry(t, "a"), genEntry(t, "b"), genEntry(t, "c")
		require.True(t, Within(a, a))
		require.True(t, Within(nil, a))
		require.True(t, Within(a, &Entry{Unrestricted: true}))
		if Within(a, b) && Within(b, c) {
			require.True(t, Within(a, c))
		}
	})
}

func TestTwoSelectionsAddUp(t *testing.T) {
	t.Parallel()
	selected := func(ids ...string) Grant {
		return Grant{"forum", "posts", Hide, &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: ids}}
	}
	two := &Entry{Grants: []Grant{selected("b"), selected("a")}}
	one := &Entry{Grants: []Grant{selected("a", "b")}}

	require.True(t, Within(one, two))
	require.True(t, Within(two, one))
	require.Equal(t, one.Coverage(Hide), two.Coverage(Hide))
	require.Equal(t, []Grant{selected("a", "c")}, Exceeding(&Entry{Grants: []Grant{selected("a"), selected("a", "c")}}, two))
}
