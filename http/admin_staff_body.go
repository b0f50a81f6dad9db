package http

import (
	"encoding/json"
	"fmt"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/staff"
)

// readUpdate reads the body of PATCH. A present field replaces the whole value; an absent one
// leaves it unchanged.
func (a staffKind) readUpdate(b *body) staff.Update {
	var u staff.Update
	if b.raw("unrestricted") != nil {
		u.Unrestricted = new(b.boolean("unrestricted"))
	}
	u.ExpectedUpdatedAt = b.optionalTime("expectedUpdatedAt")
	if v := b.raw("permissions"); v != nil {
		before := len(b.issues)
		grants := b.grants("permissions", v)
		if len(b.issues) == before {
			b.add(a.Catalog.ShapeIssues(a.kind, grants))
		}
		u.Grants = &grants
	}
	if u.Unrestricted == nil && u.Grants == nil {
		b.fault("permissions", "required", "Must be given, or unrestricted.")
	}
	return u
}

// grants reads a list of grants, as strictly as the body itself.
func (b *body) grants(name string, v json.RawMessage) []permission.Grant {
	items := b.array(name, v)
	if len(items) > permission.MaxGrants {
		// Each item could have a fault, which would fill the response.
		b.fault(name, "too_many", fmt.Sprintf("At most %d permissions can be granted.", permission.MaxGrants))
		return nil
	}
	grants := make([]permission.Grant, len(items))
	for i, item := range items {
		b.object(fmt.Sprintf("%s[%d]", name, i), item, func(o *body) {
			grants[i] = permission.Grant{Plugin: o.text("plugin"), Module: o.text("module"), Permission: o.text("permission")}
			grants[i].Scope = o.optionalScope("scope")
		})
	}
	return grants
}
