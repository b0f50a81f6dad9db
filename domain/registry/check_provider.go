package registry

import (
	"fmt"
	"slices"

	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
)

func providerPath(i int) string { return fmt.Sprintf("providers[%d]", i) }

func (r *registration) checkProviders(p *Declaration) {
	fault := r.reporter(p)
	if len(p.Providers) > maxProviders {
		fault("providers", "a plugin names at most %d providers", maxProviders)
	}
	seen := places{}
	for i := range p.Providers {
		one := &p.Providers[i]
		at := fault.At(providerPath(i))
		switch {
		case !signal.ValidName(one.Name):
			at("name", "a provider is named by a lowercase letter and up to 63 lowercase letters, digits, dots, - and _; %q is not", one.Name)
		case one.Name == p.ID:
			at("name", "%q is the source of the signals that the platform itself sends", one.Name)
		}
		seen.unique("provider", one.Name, p.where(providerPath(i)+".name"), at, "name")
		checkAddress(one.URL, at)
		if !p.kept && !variableName.MatchString(one.SecretEnv) {
			at("secretEnv", "a provider needs the name of an environment variable with its secret, such as LINKS_SECRET; %q is not a valid name", one.SecretEnv)
		}
		checkTimeout(one.Timeout, at)
		known := p.wordFields()
		for n, name := range one.Fields {
			if known != nil && !slices.Contains(known, name) {
				at(fmt.Sprintf("fields[%d]", n), "no type of this manifest has a field %q that holds words%s", name, DidYouMean(name, known))
			}
		}
	}
}

// wordFields returns the fields of the plugin's types that contain text, sorted; nil if it has targets with unknown
// fields.
func (p *Declaration) wordFields() []string {
	if len(p.Targets) > 0 {
		return nil
	}
	names := []string{}
	for _, t := range p.types() {
		for _, f := range t.Fields {
			if kind, ok := f.Kind.SnapshotKind(); ok && (kind == snapshot.KindText || kind == snapshot.KindRichText) {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
