package projections

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres"
)

// shownMeasures is how many of the newest standing measures of an author are shown.
const shownMeasures = 100

// strikingAuthors selects authors of standing or replaced decisions. The planner pushes conditions on the author down
// to the indexes of both tables.
const strikingAuthors = `SELECT plugin_id, author FROM core_moderation_report_authors UNION ALL SELECT plugin_id, author FROM core_moderation_ended_decisions`

// ofAccount is the SQL condition that an author w is the account $3; $4 is the issuer of the host platform's accounts.
const ofAccount = `w.author IN (SELECT $3::text UNION ALL SELECT i.subject FROM core_user_identities i WHERE i.user_id = $3::uuid)
	AND core_author_account(w.plugin_id, w.author, $4::text) = $3::uuid`

// StandingOf returns the strikes of an account, and its standing measures.
func (p *Reports) StandingOf(ctx context.Context, userID string, now time.Time) (strikes int, measures []moderation.StoredMeasure, err error) {
	strikes, err = p.strikesOf(ctx, `SELECT DISTINCT w.plugin_id AS plugin, w.author FROM (`+strikingAuthors+`) w WHERE `+ofAccount, now, userID, p.Issuer)
	if err != nil {
		return 0, nil, err
	}
	measures, err = p.standingMeasures(ctx, now, p.selectMeasures().Where(`m.author IN (SELECT ?::text UNION ALL SELECT i.subject FROM core_user_identities i WHERE i.user_id = ?::uuid)
		AND core_author_account(m.plugin_id, m.author, ?::text) = ?::uuid`, userID, userID, p.Issuer, userID))
	return strikes, measures, err
}

// strikesOf returns the total strikes at a time of the authors that a query selects, who are one person.
func (p *Reports) strikesOf(ctx context.Context, authors string, at time.Time, args ...any) (int, error) {
	found, err := p.strikeDecisions(ctx, authors, at, "", nil, args...)
	return measure.StrikesAt(slices.Concat(slices.Collect(maps.Values(found))...), at), err
}

// standingMeasures returns the measures of a query that stood at a time, the newest first. One that was due by then did
// not stand, even if the job ended it later.
func (p *Reports) standingMeasures(ctx context.Context, at time.Time, q squirrel.SelectBuilder) ([]moderation.StoredMeasure, error) {
	return postgres.CollectBuilt(ctx, p.pool, "read standing measures", scanStoredMeasure)(q.
		Where("m.imposed_at <= ? AND (m.ended_at IS NULL OR m.ended_at > ?) AND (m.until IS NULL OR m.until > ?)", at, at, at).OrderBy("m.imposed_at DESC", "m.id DESC").Limit(shownMeasures).ToSql())
}
