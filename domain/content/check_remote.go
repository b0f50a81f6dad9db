package content

import "github.com/docketmod/docket/domain/scope"

// CheckRemote reports every fault of a type whose content lives elsewhere. Such a type has no
// table and no columns.
func (t *Type) CheckRemote(fault FaultFunc) {
	if !ValidTypeID(t.ID) {
		fault("id", "%q is not a valid id of a content type, such as shop.review", t.ID)
	}
	if !t.Key.Kind.Valid() {
		fault("key.kind", "the kind of a key must be bigint, uuid or text, not %q", t.Key.Kind)
	}
	t.checkFields(fault)
	if t.Scope != nil && !scope.ValidFamilyID(t.Scope.Family) {
		fault("moderationScope.family", "%q is not a valid id of a scope family: it must be lowercase and dot separated", t.Scope.Family)
	}
	if t.Reports != nil {
		t.checkReports(fault)
	}
}

// CompleteRemote fills in what a type whose content lives elsewhere does not declare: all its
// fields are public, and its title is by default its first text field.
func (t *Type) CompleteRemote() {
	t.PublicAPI = &PublicAPI{}
	for _, f := range t.Fields {
		t.PublicAPI.Fields = append(t.PublicAPI.Fields, f.Name)
		if f.Kind == Text && t.AdminTitle == "" {
			t.AdminTitle = f.Name
		}
	}
}
