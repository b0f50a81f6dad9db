package permission

import "sync/atomic"

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
// and those generated for report targets, none of which may have a fault. A moderator module
// that a plugin declares itself replaces the generated one. Targets that share a generated
// module share its permissions.
func NewCatalog(declared, generated []Declared) *Catalog {
	c := &catalog{byKey: make(map[catalogKey]Declared)}
	own := make(map[[2]string]bool)
	for _, d := range append(Core(), declared...) {
		if d.Kind == Moderator {
			own[[2]string{d.Plugin, d.Module}] = true
		}
		c.add(d)
	}
	for _, d := range generated {
		if _, shared := c.byKey[d.catalogKey()]; !shared && !own[[2]string{d.Plugin, d.Module}] {
			c.add(d)
		}
	}
	made := &Catalog{}
	made.now.Store(c)
	return made
}

// Replace replaces the contents of the catalog by those of another.
func (c *Catalog) Replace(by *Catalog) { c.now.Store(by.now.Load()) }

func (c *catalog) add(d Declared) {
	c.byKey[d.catalogKey()] = d
	c.all = append(c.all, d)
}

// Find returns a permission of the kind, or false.
func (c *Catalog) Find(kind Kind, plugin, module, permission string) (Declared, bool) {
	d, ok := c.now.Load().byKey[catalogKey{kind, key{plugin, module, permission}}]
	return d, ok
}
