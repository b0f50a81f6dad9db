// Package targetscope keeps the stored present scope of targets
// (core_moderation_targets, by which lists filter) in step with their content. There
// are three ways: a plugin pushes a move in the transaction that makes it, a trigger on
// the content table does so by itself, and a scheduled job asks ResolveScope for the
// rest. It is not for import.
package targetscope

import (
	"context"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Move is the present scope of a target. ScopeID is the resource, or "" for none.
type Move struct {
	PluginID, Type, TargetID string
	Family, ScopeID          string
}

// push creates the row if there is none: a report of the target may be in flight with
// the old scope, and then finds the new one. The trigger function
// core_moderation_follow_scope does the same.
const push = `INSERT INTO core_moderation_targets AS t (plugin_id, target_type, target_id, scope_family, scope_id, updated_at)
	VALUES ($1, $2, $3, $4, $5, clock_timestamp())
	ON CONFLICT (plugin_id, target_type, target_id) DO UPDATE
		SET scope_family = EXCLUDED.scope_family, scope_id = EXCLUDED.scope_id, updated_at = EXCLUDED.updated_at
		WHERE (t.scope_family, t.scope_id) IS DISTINCT FROM (EXCLUDED.scope_family, EXCLUDED.scope_id)`

// Push stores a move. In the transaction that moves the content, access to its reports
// changes with the commit. It locks the row of the target and must follow the write to
// the content: in that order a move and a content action may wait for each other but
// never deadlock.
func Push(ctx context.Context, db postgres.Execer, m Move) error {
	return postgres.Exec(ctx, db, "push the scope of "+m.Type+" "+m.TargetID, push, m.PluginID, m.Type, m.TargetID, m.Family, m.ScopeID)
}
