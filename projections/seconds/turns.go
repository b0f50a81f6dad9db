package seconds

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/projections"
)

// Store assigns turns and reads second opinions. It implements moderation.Seconds and is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	// lists reads lists and figures.
	lists  postgres.Reader
	issuer string // of the host platform's accounts, which authors of content can be
}

// New returns a Store.
func New(pool *pgxpool.Pool, lists postgres.Reader, issuer string) *Store {
	return &Store{pool, lists, issuer}
}

var psql = squirrel.StatementBuilder.PlaceholderFormat(squirrel.Dollar)

const turnColumns = `second_id::text, decision_id::text, report_id::text, golden, until,
	(SELECT d.decided_at FROM core_seconds d WHERE d.decision_id = core_second_turns.decision_id)`

func scanTurn(row pgx.CollectableRow) (t moderation.Turn, err error) {
	var decided *time.Time // nil while the projection is rebuilt
	if err = row.Scan(&t.SecondID, &t.Decision, &t.ReportID, &t.Golden, &t.Until, &decided); decided != nil {
		t.DecidedAt = *decided
	}
	return t, err
}

// takes is how many attempts are made if others take the chosen turn concurrently.
const takes = 20

// Take implements moderation.Seconds.
func (s *Store) Take(ctx context.Context, view, manage permission.Coverage, userID string) (turn *moderation.Turn, err error) {
	for range takes {
		var more bool
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			turn, more, err = s.take(ctx, tx, view, manage, userID)
			return err
		})
		if err != nil || turn != nil || !more {
			return turn, err
		}
	}
	return nil, err
}

// take returns the user's turn, or assigns one. more means that somebody else took the chosen one.
func (s *Store) take(ctx context.Context, tx pgx.Tx, view, manage permission.Coverage, userID string) (turn *moderation.Turn, more bool, err error) {
	if err := postgres.Exec(ctx, tx, "lock the turns of a user", `SELECT pg_advisory_xact_lock(hashtextextended('docket:second:' || $1, 0))`, userID); err != nil {
		return nil, false, err
	}
	if err := postgres.Exec(ctx, tx, "end what nobody answered", `UPDATE core_second_turns SET ended = true WHERE NOT ended AND until <= now()`); err != nil {
		return nil, false, err
	}
	if turn, err = turnOf(ctx, tx, userID, `NOT ended`); err != nil || turn != nil {
		return turn, false, err
	}
	settings, err := quality.Versions(ctx, tx)
	if err != nil || len(settings) == 0 {
		return nil, false, err
	}
	golden := rand.IntN(second.PerGolden) < settings[len(settings)-1].Golden
	chosen, err := s.choose(ctx, tx, golden, view, manage, userID)
	if err == nil && golden && chosen == nil {
		golden = false
		chosen, err = s.choose(ctx, tx, false, view, manage, userID)
	}
	if err != nil || chosen == nil {
		return nil, false, err
	}
	id := second.ID(chosen.decision, "")
	if golden {
		id = second.ID(chosen.decision, userID)
	}
	given, err := postgres.Collect(ctx, tx, "give a turn", scanTurn, `INSERT INTO core_second_turns (second_id, user_id, decision_id, golden, report_id, plugin_id, target_type, target_id, until)
		SELECT $1, $2, $3, $4, r.id, r.plugin_id, r.target_type, r.target_id, now() + $6 * interval '1 second' FROM core_moderation_reports r WHERE r.id = $5
		ON CONFLICT DO NOTHING RETURNING `+turnColumns, id, userID, chosen.decision, golden, chosen.report, moderation.SecondTurn.Seconds())
	if err != nil || len(given) == 0 {
		return nil, true, err
	}
	return &given[0], false, nil
}

type choice struct{ decision, report string }

// uninvolved is the SQL condition that somebody is not involved in a report r: they neither filed it nor wrote the
// content, did not work on it, never claimed it, never decided another report of its target, and never had a turn on
// it.
const uninvolved = `NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.report_id = r.id
		AND (e.actor_id = ?::uuid OR e.type = 'assigned' AND convert_from(e.payload, 'UTF8')::jsonb ->> 'assigneeId' = ?))
	AND NOT EXISTS (SELECT FROM core_moderation_reports o JOIN core_moderation_report_events d ON d.report_id = o.id AND d.type = 'resolved' AND d.actor_id = ?::uuid
		WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type AND o.target_id = r.target_id)
	AND NOT EXISTS (SELECT FROM core_moderation_report_authors w WHERE w.report_id = r.id AND core_author_account(w.plugin_id, w.author, ?::text) = ?::uuid)
	AND NOT EXISTS (SELECT FROM core_second_turns k WHERE k.report_id = r.id AND k.user_id = ?::uuid)`

// choose returns a decision for the user's second opinion, the oldest first, or nil. A golden one can be any with a
// known answer: the next one after a random id, since ids are hashes. Decisions whose evidence is erased are left out.
func (s *Store) choose(ctx context.Context, tx pgx.Tx, golden bool, view, manage permission.Coverage, userID string) (*choice, error) {
	q := psql.Select("s.decision_id::text", "r.id::text").From("core_seconds s").Join("core_moderation_reports r ON r.id = s.report_id").LeftJoin(projections.JoinTarget).
		Where(projections.PresentWithin(view)).Where(projections.PresentWithin(manage)).Where("r.snapshot IS NOT NULL").
		Where(uninvolved, userID, userID, userID, s.issuer, userID, userID).Limit(1)
	if !golden {
		return first(ctx, tx, q.Where("s.status = 'drawn' AND NOT EXISTS (SELECT FROM core_second_turns k WHERE k.second_id = s.id AND NOT k.ended)").
			OrderBy("s.decided_at", "s.id").Suffix("FOR UPDATE OF s SKIP LOCKED"))
	}
	q = q.Where("s.status IN ('agreed', 'settled')").OrderBy("s.id")
	found, err := first(ctx, tx, q.Where("s.id > ?::uuid", uuid.NewString()))
	if err == nil && found == nil {
		found, err = first(ctx, tx, q)
	}
	return found, err
}

// first returns the row of the query, or nil.
func first(ctx context.Context, tx pgx.Tx, q squirrel.SelectBuilder) (*choice, error) {
	var found choice
	err := postgres.ScanBuilt(ctx, tx, "choose what is decided again", &found.decision, &found.report)(q.ToSql())
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &found, err
}

func turnOf(ctx context.Context, db postgres.Querier, userID, where string, args ...any) (*moderation.Turn, error) {
	return postgres.CollectFirst(ctx, db, "find a turn", scanTurn, `SELECT `+turnColumns+` FROM core_second_turns WHERE user_id = $1 AND `+where, append([]any{userID}, args...)...)
}

// Turn implements moderation.Seconds.
func (s *Store) Turn(ctx context.Context, userID, secondID string) (*moderation.Turn, error) {
	return turnOf(ctx, s.pool, userID, `second_id = $2`, secondID)
}

// EndTurn implements moderation.Seconds.
func (s *Store) EndTurn(ctx context.Context, tx pgx.Tx, userID, secondID string) (bool, error) {
	var db postgres.Querier = s.pool
	if tx != nil {
		db = tx
	}
	ended, err := postgres.Collect(ctx, db, "end a turn", pgx.RowTo[bool], `UPDATE core_second_turns SET ended = true
		WHERE user_id = $1 AND second_id = $2 AND NOT ended AND until > now() RETURNING true`, userID, secondID)
	return len(ended) > 0, err
}
