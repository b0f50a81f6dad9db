package permission

// Kind is the kind of a staff entry and of its permissions.
type Kind string

// The two kinds of staff.
const (
	Admin     Kind = "admin"
	Moderator Kind = "moderator"
)

// Declared is a permission that can be granted.
type Declared struct {
	Kind       Kind
	Plugin     string
	Module     string
	Permission string
	DependsOn  string // a permission of the same module that must be granted too, or ""
	Scope      string // the scope family of its grants, or ""; always "" for Admin
}

// Key returns `plugin:module:permission`.
func (d Declared) Key() string { return d.Plugin + ":" + d.Module + ":" + d.Permission }

// Generated returns the moderator permissions that a report target adds to its module. The
// family is "" for a target without scope. canHide means that the target can be hidden.
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
		generated(MuteReporters, ViewReports),
		generated(DecideAppeals, ViewReports),
	}
	if canHide {
		out = append(out, generated(ViewHidden, ""), generated(Hide, ViewHidden))
	}
	return out
}
