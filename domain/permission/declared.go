package permission

// Kind tells admin entries and their permissions from those of moderators.
type Kind string

// The two kinds of staff (contract section 5).
const (
	Admin     Kind = "admin"
	Moderator Kind = "moderator"
)

// Declared is one permission that can be granted.
type Declared struct {
	Kind       Kind
	Plugin     string
	Module     string
	Permission string
	DependsOn  string // a permission of the same module that must be granted too, or ""
	Scope      string // the scope family of its grants, or ""; always "" for Admin
}

// Key is the `plugin:module:permission` of spec section 7's issues.
func (d Declared) Key() string { return d.Plugin + ":" + d.Module + ":" + d.Permission }

// Generated returns the moderator permissions that a report target brings to
// its module (spec 2.2). The family is "" for a target without scope; canHide
// tells whether the target can be hidden.
func Generated(targetPlugin, module, family string, canHide bool) []Declared {
	generated := func(permission, dependsOn string) Declared {
		return Declared{
			Kind: Moderator, Plugin: targetPlugin, Module: module,
			Permission: permission, DependsOn: dependsOn, Scope: family,
		}
	}
	out := []Declared{
		generated(ViewReports, ""),
		generated(ManageReports, ViewReports),
		generated(EditNotes, ManageReports),
		generated(DeleteNotes, ManageReports),
	}
	if canHide {
		out = append(out, generated(ViewHidden, ""), generated(Hide, ViewHidden))
	}
	return out
}
