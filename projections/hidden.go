package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
)

// HiddenByRule implements moderation.HiddenByRules. It reads the partial index core_moderation_reports_hidden,
// which is empty where no rule hides.
func (p *Reports) HiddenByRule(ctx context.Context, tx pgx.Tx, t moderation.CaseTarget) (string, error) {
	rule, err := postgres.CollectFirst(ctx, tx, "find who hid a target", pgx.RowTo[string], `SELECT r.hidden_by FROM core_moderation_reports r
		WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND r.hidden_by <> '' ORDER BY r.updated_at DESC LIMIT 1`, t.PluginID, t.Type, t.ID)
	return domain.OrEmpty(rule), err
}

// hiddenByColumn selects the rule that hid the target of a report r. It is null if a person also hides it or action was
// taken on another report, since a last decision of no violation does not unhide it then. It reads the same index.
const hiddenByColumn = `(SELECT h.hidden_by FROM core_moderation_reports h
	WHERE h.plugin_id = r.plugin_id AND h.target_type = r.target_type AND h.target_id = r.target_id AND h.hidden_by <> ''
	AND NOT EXISTS (SELECT FROM core_moderation_reports o WHERE o.plugin_id = h.plugin_id AND o.target_type = h.target_type AND o.target_id = h.target_id
		AND (o.id <> r.id AND o.resolution = 'action_taken' OR ` + hiddenByPerson + `))
	ORDER BY h.id = r.id DESC, h.updated_at DESC LIMIT 1)`

// hiddenByPerson is the SQL condition that a person hides the target by a report o.
const hiddenByPerson = `o.hidden_by = '' AND o.standing::jsonb ? 'hide'`

// LastDecided implements moderation.HiddenByRules.
func (p *Reports) LastDecided(ctx context.Context, tx pgx.Tx, t moderation.CaseTarget, decided []string) (bool, error) {
	// The statement after the lock sees earlier decisions of others.
	if err := postgres.Exec(ctx, tx, "lock what is hidden", `SELECT pg_advisory_xact_lock(hashtextextended('docket:hidden:' || $1 || E'\x1f' || $2 || E'\x1f' || $3, 0))`,
		t.PluginID, t.Type, t.ID); err != nil {
		return false, err
	}
	return postgres.CollectOne(ctx, tx, "find what keeps a target hidden", pgx.RowTo[bool], `SELECT NOT EXISTS (SELECT FROM core_moderation_reports r
		WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND r.id <> ALL ($4::uuid[])
		AND (`+cases.InCase+` OR r.resolution = 'action_taken' OR r.hidden_by = '' AND r.standing::jsonb ? 'hide'))`, t.PluginID, t.Type, t.ID, decided)
}
