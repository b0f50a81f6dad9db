package projections

// targetRow are the columns of a target that its report sets.
var targetRow = []field[projected]{
	column("plugin_id", "text", func(w *projected) string { return w.state.Target.PluginID }),
	column("target_type", "text", func(w *projected) string { return w.state.Target.Type }),
	column("target_id", "text", func(w *projected) string { return w.state.Target.ID }),
	column("scope_family", "text", scopeFamily),
	column("scope_id", "text", scopeID),
}

func scopeFamily(w *projected) *string {
	family, _ := resourceColumns(w.state.Target.Scope)
	return family
}

func scopeID(w *projected) *string {
	_, id := resourceColumns(w.state.Target.Scope)
	return id
}

// insertTargets stores missing targets. It neither updates nor locks an existing row: a transaction
// that moves the target has locked its content and must not wait for a filing.
const insertTargets = `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
	SELECT t.plugin_id, t.target_type, t.target_id, t.scope_family, t.scope_id, true
	FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
		AS t (plugin_id, target_type, target_id, scope_family, scope_id, report_id)
	WHERE (SELECT xmin FROM core_moderation_reports WHERE id = t.report_id) = pg_current_xact_id()::xid
	ON CONFLICT DO NOTHING`

// insertLostTargets stores missing targets of reports. The present scope of a target cannot be folded: an existing row
// stays; a lost one begins with the scope of a filing, and is marked as moved if the reports' scopes differ. The order
// prevents deadlocks of transactions that add the same rows.
const insertLostTargets = `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported, moved)
	SELECT DISTINCT ON (plugin_id, target_type, target_id) n.*, true, EXISTS (SELECT FROM core_moderation_reports r
		WHERE (r.plugin_id, r.target_type, r.target_id) = (n.plugin_id, n.target_type, n.target_id)
		  AND (r.scope_family, r.scope_id) IS DISTINCT FROM (n.scope_family, n.scope_id))
	FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) n (plugin_id, target_type, target_id, scope_family, scope_id)
	WHERE NOT EXISTS (SELECT FROM core_moderation_targets t
		WHERE (t.plugin_id, t.target_type, t.target_id) = (n.plugin_id, n.target_type, n.target_id))
	ORDER BY plugin_id, target_type, target_id ON CONFLICT DO NOTHING`
