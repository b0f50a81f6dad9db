package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
)

func TestPermissionsThatNobodyCanBeGrantedAreListed(t *testing.T) {
	t.Parallel()
	p := &registry.Declaration{}
	p.ID = "shop"
	p.Targets = []target.Definition{{Type: "shop.review", PermissionModule: "reviews", Actions: []target.Action{{Name: target.Hide, Permission: "can_redact"}}}}
	declare := func(names ...string) {
		for _, name := range names {
			p.Permissions = append(p.Permissions, plugin.Permission{Kind: permission.Moderator, Module: "reviews", Permission: name})
		}
	}
	require.Empty(t, registry.Ungranted(p), "they are generated, with those of actions")

	declare(permission.ViewReports, permission.ManageReports, permission.EditNotes, permission.DeleteNotes, permission.MuteReporters,
		permission.DecideAppeals, permission.ImposeMeasures, permission.Approve, permission.ViewQuality, permission.ViewHidden)

	require.Equal(t, `plugin shop: Targets[0].PermissionModule: the plugin declares the module "reviews" itself and so must declare can_hide, can_redact there, `+
		"which nobody can be granted now; or use another module for permissions of its own", last(registry.Ungranted(p)))
	declare(permission.Hide, "can_redact")
	require.Empty(t, registry.Ungranted(p))
}
