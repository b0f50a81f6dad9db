package registry

import (
	"fmt"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/scope"
)

// registration collects the faults of plugins that are registered together.
type registration struct {
	faults   Faults
	used     places
	families map[string]*Declaration // that declares the family first
	messages map[[2]string]string    // locale and key to the text
}

// places records where an id was first used, by kind and id.
type places map[[2]string]string

// Check makes the checks of Register that need no database. It returns nil or a Faults.
func Check(plugins ...*Declaration) error {
	return newRegistration(plugins).faults.sorted(plugins).err()
}

// newRegistration runs all checks that need no database.
func newRegistration(plugins []*Declaration) *registration {
	r := &registration{used: places{}, families: map[string]*Declaration{}, messages: map[[2]string]string{}}
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

// unique reports an id of a kind that was used before, with the place of its first use. It returns
// whether the id was new.
func (u places) unique(kind, id, where string, fault content.FaultFunc, path string) bool {
	if id == "" {
		return true
	}
	if first, used := u[[2]string{kind, id}]; used {
		fault(path, "the %s %q is used twice; first in %s", kind, id, first)
		return false
	}
	u[[2]string{kind, id}] = where
	return true
}

func (r *registration) checkID(p *Declaration) {
	fault := r.reporter(p)
	if !pluginID.MatchString(p.ID) {
		fault("id", "%q is not a valid plugin id: it must consist of at most 64 lowercase letters, digits, - and _ and begin with a letter", p.ID)
	}
	r.used.unique("plugin id", p.ID, p.where("id"), fault, "id")
}

func (r *registration) checkFamilies(p *Declaration) {
	fault := r.reporter(p)
	for i := range p.Families {
		f := &p.Families[i]
		path := p.familyPath(i)
		at := fault.At(path)
		f.Check(at)
		r.addFamily(p, f.ID, path, at)
	}
	for i, f := range p.RemoteFamilies {
		path := p.remoteFamilyPath(i)
		checkFamily(f.ID, f.Label, fault.At(path))
		r.addFamily(p, f.ID, path, fault.At(path))
	}
	for i := range p.Scopes {
		path := fmt.Sprintf("scopes[%d]", i)
		checkScope(&p.Scopes[i], fault.At(path))
		r.addFamily(p, p.Scopes[i].ID, path, fault.At(path))
	}
}

func (r *registration) addFamily(p *Declaration, id, path string, fault content.FaultFunc) {
	if r.used.unique("scope family", id, p.where(path+".id"), fault, "id") && id != "" {
		r.families[id] = p
	}
}

// familyPath returns where the i-th of Families is declared, as a path for faults.
func (p *Declaration) familyPath(i int) string {
	if p.origin == nil {
		return fmt.Sprintf("families[%d]", i)
	}
	return scopePath(p.familyAt[i])
}

// remoteFamilyPath returns where the i-th of RemoteFamilies is declared, as a path for faults.
func (p *Declaration) remoteFamilyPath(i int) string {
	if p.origin == nil {
		return fmt.Sprintf("remoteFamilies[%d]", i)
	}
	return scopePath(p.remoteFamilyAt[i])
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
		r.checkType(p, t, typePath(i), at)
		if t.PublicAPI != nil && t.PublicAPI.Path != "" {
			path := p.ID + "/" + t.PublicAPI.Path
			r.used.unique("public path", path, p.where(typePath(i)+".publicApi.path"), at, "publicApi.path")
		}
	}
}

// checkType checks a type of a table or of a platform together with the other declarations.
func (r *registration) checkType(p *Declaration, t *content.Type, path string, fault content.FaultFunc) {
	checkContentType(t.ContentType, fault)
	where := p.where(path + ".id")
	if r.used.unique("content type", t.ID, where, fault, "id") && t.Reports != nil {
		r.used.unique("report target type", t.ID, where, fault, "id")
	}
	if t.Scope != nil {
		r.knownFamily(t.Scope.Family, fault, "moderationScope.family")
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
