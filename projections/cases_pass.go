package projections

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
)

// caseID is the SQL for the id of the case of the target $1, $2, $3, as in core_moderation_cases.
// The case may have no row yet.
const caseID = `md5($1 || E'\x1f' || $2 || E'\x1f' || $3)::uuid`

// parked is the SQL condition that k is a parking of the case r which has not ended.
// projections/cases deletes it when the case ends.
const parked = `k.case_id = r.id AND k.until > now()`

// passKey is the key of the user's marks: a mark is the SHA-256 of it and a case's id. Without
// PassKey, nobody can make a mark or find out whose it is.
func (p *Reports) passKey(userID string) []byte {
	mac := hmac.New(sha256.New, p.PassKey)
	mac.Write([]byte("docket cases: passed by " + userID))
	return mac.Sum(nil)
}

// Pass implements moderation.Cases. A mark ends on the hour, so that its time cannot be correlated
// with the user's other actions. A repeat within the day is not counted.
func (p *Reports) Pass(ctx context.Context, t moderation.CaseTarget, userID string, reason moderation.PassReason) error {
	return postgres.Exec(ctx, p.pool, "pass a case", `WITH marked AS (INSERT INTO core_moderation_passes (mark, until)
			VALUES (sha256($4 || uuid_send(`+caseID+`)), date_trunc('hour', now()) + interval '25 hours')
			ON CONFLICT (mark) DO UPDATE SET until = EXCLUDED.until RETURNING xmax = 0 AS added)
		INSERT INTO core_moderation_pass_counts AS c (day, reason, passes) SELECT (now() AT TIME ZONE 'UTC')::date, $5, 1 FROM marked WHERE added
		ON CONFLICT (day, reason) DO UPDATE SET passes = c.passes + 1`, t.PluginID, t.Type, t.ID, p.passKey(userID), reason)
}

// Passes counts how often cases were passed on between two days, both inclusive, by reason.
func (p *Reports) Passes(ctx context.Context, since, until time.Time) (map[moderation.PassReason]int, error) {
	counts := map[moderation.PassReason]int{}
	for _, reason := range moderation.PassReasons {
		counts[reason] = 0
	}
	var reason moderation.PassReason
	var n int
	err := postgres.ForEach(ctx, p.Lists, "count passes", []any{&reason, &n}, func() error {
		counts[reason] = n
		return nil
	}, `SELECT reason, sum(passes)::int FROM core_moderation_pass_counts WHERE day BETWEEN $1 AND $2 GROUP BY reason`, since, until)
	return counts, err
}

// Park implements moderation.Cases. A case that has lost its last report meanwhile is not parked.
func (p *Reports) Park(ctx context.Context, t moderation.CaseTarget, by string, at time.Time, until *time.Time) error {
	if until == nil {
		return postgres.Exec(ctx, p.pool, "unpark a case", `DELETE FROM core_moderation_parked WHERE case_id = `+caseID, t.PluginID, t.Type, t.ID)
	}
	return postgres.Exec(ctx, p.pool, "park a case", `INSERT INTO core_moderation_parked (case_id, until, parked_by, parked_at) SELECT `+caseID+`, $4::timestamptz, $5::uuid, $6::timestamptz
		WHERE EXISTS (SELECT FROM core_moderation_reports r WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND `+cases.InCase+`)
		ON CONFLICT (case_id) DO UPDATE SET (until, parked_by, parked_at) = (EXCLUDED.until, EXCLUDED.parked_by, EXCLUDED.parked_at)`,
		t.PluginID, t.Type, t.ID, until, by, at)
}

// TrimPasses deletes the passes and parkings that have ended.
func (p *Reports) TrimPasses(ctx context.Context) error {
	err := postgres.Exec(ctx, p.pool, "trim passes", `DELETE FROM core_moderation_passes WHERE until <= now()`)
	if err != nil {
		return err
	}
	return postgres.Exec(ctx, p.pool, "trim parked cases", `DELETE FROM core_moderation_parked WHERE until <= now()`)
}
