package permission

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
)

// Catalog is the set of permissions that can be granted. It is safe for concurrent use, and can
// be replaced while others read it.
type Catalog struct{ now atomic.Pointer[catalog] }

// catalog is the immutable content of a Catalog.
type catalog struct {
	byKey map[catalogKey]Declared
	all   []Declared // Docket's own first, then in the order given
}

type catalogKey struct {
	kind Kind
	key  key
}

func (d Declared) catalogKey() catalogKey {
	return catalogKey{d.Kind, key{d.Plugin, d.Module, d.Permission}}
}

// NewCatalog returns the catalog of Docket's own permissions, those that plugins declare,
// and those generated for report targets. A moderator module that a plugin declares itself
// replaces the generated one. Targets that share a generated module share its permissions.
// The error joins all faults.
func NewCatalog(declared, generated []Declared) (*Catalog, error) {
	c := &catalog{byKey: make(map[catalogKey]Declared)}
	var faults []error
	own := make(map[[2]string]bool)
	for _, d := range append(Core(), declared...) {
		if d.Kind == Moderator {
			own[[2]string{d.Plugin, d.Module}] = true
		}
		if _, twice := c.byKey[d.catalogKey()]; twice {
			faults = append(faults, fmt.Errorf("%s permission %s is declared twice", d.Kind, d.Key()))
			continue
		}
		c.add(d)
	}
	for _, d := range generated {
		if own[[2]string{d.Plugin, d.Module}] {
			continue
		}
		if present, ok := c.byKey[d.catalogKey()]; !ok {
			c.add(d)
		} else if present != d {
			faults = append(faults, fmt.Errorf(
				"report targets of module %s:%s have different scope families (%s and %s), so that %s cannot carry one",
				d.Plugin, d.Module, cmp.Or(present.Scope, "none"), cmp.Or(d.Scope, "none"), d.Permission))
		}
	}
	for _, d := range c.all {
		faults = append(faults, c.faultsOf(d)...)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("staff permissions: %w", err)
	}
	made := &Catalog{}
	made.now.Store(c)
	return made, nil
}

// Replace replaces the contents of the catalog by those of another.
func (c *Catalog) Replace(by *Catalog) { c.now.Store(by.now.Load()) }

func (c *catalog) add(d Declared) {
	c.byKey[d.catalogKey()] = d
	c.all = append(c.all, d)
}

func (c *catalog) faultsOf(d Declared) []error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s permission %s: "+format, append([]any{d.Kind, d.Key()}, args...)...))
	}
	if d.Kind != Admin && d.Kind != Moderator {
		fault("its kind is neither %s nor %s", Admin, Moderator)
	}
	for _, name := range []string{d.Plugin, d.Module, d.Permission} {
		if name == "" || strings.Contains(name, ":") {
			fault("plugin, module and permission need a name without colon")
			break
		}
	}
	if d.Kind == Admin && d.Scope != "" {
		fault("admin permissions cannot be scoped")
	}
	if d.DependsOn == "" {
		return faults
	}
	dependency, ok := c.dependency(d)
	switch {
	case !ok:
		fault("depends on %q, which its module does not declare", d.DependsOn)
	case c.dependsOnItself(d):
		fault("depends on itself")
	case dependency.Scope != "" && d.Scope != "" && dependency.Scope != d.Scope:
		fault("its scope family %s differs from the family %s of %s, which it depends on", d.Scope, dependency.Scope, d.DependsOn)
	}
	return faults
}

func (c *catalog) dependency(d Declared) (Declared, bool) {
	return c.find(catalogKey{d.Kind, key{d.Plugin, d.Module, d.DependsOn}})
}

func (c *catalog) dependsOnItself(d Declared) bool {
	next := d
	for range len(c.all) {
		var ok bool
		if next, ok = c.dependency(next); !ok {
			return false
		}
		if next.Permission == d.Permission {
			return true
		}
	}
	return false // a cycle that d is not part of; its members report it
}

// Find returns a permission of the kind, or false.
func (c *Catalog) Find(kind Kind, plugin, module, permission string) (Declared, bool) {
	return c.now.Load().find(catalogKey{kind, key{plugin, module, permission}})
}

func (c *catalog) find(k catalogKey) (Declared, bool) {
	d, ok := c.byKey[k]
	return d, ok
}
