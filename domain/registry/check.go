package registry

import (
	"fmt"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/scope"
)

// registration collects the faults of plugins that are registered together.
type registration struct {
	faults Faults

	plugins      map[string]string // id to where it was first used
	issuers      map[string]string
	contentTypes map[string]string
	targets      map[string]string
	families     map[string]string
	keptFamilies map[string]*Declaration // of the platforms whose manifests Docket keeps
	apiPaths     map[string]string
	groups       map[string]string    // of listeners
	versions     map[string]string    // tables that record migrations
	messages     map[[2]string]string // locale and key to the text
}

// Check makes the checks of Register that need no database. It returns nil or a Faults.
func Check(plugins ...*Declaration) error {
	return newRegistration(plugins).faults.sorted(plugins).err()
}

// newRegistration runs all checks that need no database.
func newRegistration(plugins []*Declaration) *registration {
	r := &registration{
		plugins: map[string]string{}, issuers: map[string]string{}, contentTypes: map[string]string{}, targets: map[string]string{},
		families: map[string]string{}, keptFamilies: map[string]*Declaration{}, apiPaths: map[string]string{},
		groups: map[string]string{}, versions: map[string]string{}, messages: map[[2]string]string{},
	}
	for _, p := range plugins {
		r.faults = append(r.faults, p.faults...)
	}
	for _, p := range plugins {
		r.checkID(p)
		r.checkFamilies(p)
	}
	for _, p := range plugins { // after all families are known
		r.checkTypes(p)
		r.checkRemote(p)
		r.checkKeptFamilies(p)
		r.checkIssuer(p)
		r.checkTargets(p)
		r.checkPermissions(p)
		r.checkMessages(p)
		r.checkWebhooks(p)
		r.checkProviders(p)
		r.checkListeners(p)
		r.checkTasks(p)
		r.checkJobs(p)
		r.checkMigrations(p)
	}
	return r
}

// reporter returns the function that records faults of the plugin. It ignores faults in parts that could not be
// read.
func (r *registration) reporter(p *Declaration) content.FaultFunc {
	return func(path, format string, args ...any) {
		if !p.unread(path) {
			r.faults = append(r.faults, p.fault(path, fmt.Sprintf(format, args...)))
		}
	}
}

// unique reports an id that was used before, with the place of its first use. It returns
// whether the id was new.
func unique(seen map[string]string, id, where string, fault content.FaultFunc, path, what string) bool {
	if id == "" {
		return true
	}
	if first, used := seen[id]; used {
		fault(path, "the %s %q is used twice; first in %s", what, id, first)
		return false
	}
	seen[id] = where
	return true
}

func (r *registration) checkID(p *Declaration) {
	fault := r.reporter(p)
	if !pluginID.MatchString(p.ID) {
		fault("id", "%q is not a valid plugin id: it must consist of lowercase letters, digits, - and _ and begin with a letter", p.ID)
	}
	unique(r.plugins, p.ID, p.where("id"), fault, "id", "plugin id")
}

func (r *registration) checkFamilies(p *Declaration) {
	fault := r.reporter(p)
	for i := range p.Families {
		f := &p.Families[i]
		path := p.familyPath(i)
		at := fault.At(path)
		f.Check(at)
		unique(r.families, f.ID, p.where(path+".id"), at, "id", "scope family")
	}
	for i, f := range p.RemoteFamilies {
		path := scopePath(at(p.remoteFamilyAt, i))
		checkFamily(f.ID, f.Label, fault.At(path))
		if unique(r.families, f.ID, p.where(path+".id"), fault.At(path), "id", "scope family") && p.kept && f.ID != "" {
			r.keptFamilies[f.ID] = p
		}
	}
	for i := range p.Scopes {
		path := scopePath(len(p.Families) + i)
		checkScope(&p.Scopes[i], fault.At(path))
		unique(r.families, p.Scopes[i].ID, p.where(path+".id"), fault.At(path), "id", "scope family")
	}
}

// familyPath returns where a family over a table stands.
func (p *Declaration) familyPath(i int) string {
	return scopePath(at(p.familyAt, i))
}

func checkFamily(id, label string, fault content.FaultFunc) {
	if !scope.ValidFamilyID(id) {
		fault("id", "%q is not a valid id of a scope family: it must be lowercase and dot separated", id)
	}
	if label == "" {
		fault("label", "a scope family needs a label")
	}
}

func checkScope(d *scope.Definition, fault content.FaultFunc) {
	checkFamily(d.ID, d.Label, fault)
	if d.List == nil {
		fault("list", "a scope family needs its list function")
	}
	if d.Find == nil {
		fault("find", "a scope family needs its find function")
	}
}

func (r *registration) checkTypes(p *Declaration) {
	fault := r.reporter(p)
	for i := range p.ContentTypes {
		t := &p.ContentTypes[i]
		at := fault.At(typePath(i))
		t.Check(at)
		checkContentType(t.ContentType, at)
		where := p.where(typePath(i) + ".id")
		if unique(r.contentTypes, t.ID, where, at, "id", "content type") && t.Reports != nil {
			unique(r.targets, t.ID, where, at, "id", "report target type")
		}
		if t.PublicAPI != nil && t.PublicAPI.Path != "" {
			path := p.ID + "/" + t.PublicAPI.Path
			unique(r.apiPaths, path, p.where(typePath(i)+".publicApi.path"), at, "publicApi.path", "public path")
		}
		if t.Scope != nil {
			r.knownFamily(t.Scope.Family, at, "moderationScope.family")
		}
	}
}

// knownFamily reports a family that none of the plugins declares.
func (r *registration) knownFamily(family string, fault content.FaultFunc, path string) {
	if _, ok := r.families[family]; ok || family == "" {
		return
	}
	fault(path, "no plugin declares the scope family %q%s", family, DidYouMean(family, sortedKeys(r.families)))
}

func (r *registration) checkMessages(p *Declaration) {
	fault := r.reporter(p)
	for _, locale := range sortedKeys(p.Messages) {
		at := fault.At("messages." + locale)
		if !domain.ValidLocale(locale) {
			at("", "%q is not a valid locale, such as en", locale)
		}
		for _, key := range sortedKeys(p.Messages[locale]) {
			text, place := p.Messages[locale][key], [2]string{locale, key}
			if other, exists := r.messages[place]; exists && other != text {
				at(key, "another plugin declares a different text for this message")
			}
			r.messages[place] = text
		}
	}
}

// at returns where the i-th stands, or i for a plugin declared in Go.
func at(places []int, i int) int {
	if i < len(places) {
		return places[i]
	}
	return i
}
