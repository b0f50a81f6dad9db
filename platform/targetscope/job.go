package targetscope

import (
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/cron"
)

// Job runs the reconciler every five minutes.
func (r *Reconciler) Job() cron.Job {
	return cron.Job{
		PluginID: permission.CorePlugin, Module: "moderation", Name: "reconcile-scopes",
		Description: "Asks targets for their present scope where nothing told of a move.",
		Schedule:    "*/5 * * * *",
		Run:         r.Run,
	}
}
