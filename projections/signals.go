package projections

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/queue"
)

// signalLock returns the key of the advisory lock on a target's stored signals. A filing holds it in shared mode from
// before it reads them until its commit, and writers hold it exclusively: so a signal is either read by the filing, or
// its writer finds the filed report.
func signalLock(pluginID, targetType, targetID string) int64 {
	sum := sha256.Sum256([]byte("docket:signals:" + pluginID + "\x1f" + targetType + "\x1f" + targetID))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// keepSignals stores signals of a source. Their time is later than that of any other signal of the target, so that a
// filing knows from the latest which ones it has read. It returns how many scores are new.
const keepSignals = `WITH before AS (SELECT source, name, score, at FROM core_moderation_signals WHERE (plugin_id, target_type, target_id) = ($1, $2, $3)),
	kept AS (INSERT INTO core_moderation_signals (plugin_id, target_type, target_id, source, name, score, at)
		SELECT $1, $2, $3, $4, n.name, n.score, greatest($7, (SELECT max(at) + interval '1 microsecond' FROM before))
		FROM unnest($5::text[], $6::float8[]) n (name, score)
		ON CONFLICT (plugin_id, target_type, target_id, source, name) DO UPDATE SET (score, at) = (EXCLUDED.score, EXCLUDED.at)
		RETURNING source, name, score)
	SELECT count(*)::int FROM kept WHERE NOT EXISTS (SELECT FROM before b WHERE (b.source, b.name, b.score) = (kept.source, kept.name, kept.score))`

// trimSource deletes all but the latest signals of a source.
const trimSource = `DELETE FROM core_moderation_signals WHERE (plugin_id, target_type, target_id, source) = ($1, $2, $3, $4) AND name IN (
	SELECT name FROM core_moderation_signals WHERE (plugin_id, target_type, target_id, source) = ($1, $2, $3, $4) ORDER BY at DESC, name OFFSET $5)`

// KeepSignals implements moderation.Signals.
func (p *Reports) KeepSignals(ctx context.Context, t moderation.CaseTarget, source string, all []signal.Signal, now time.Time, later bool) (changed bool, err error) {
	names, scores := make([]string, len(all)), make([]float64, len(all))
	for i, s := range all {
		names[i], scores[i] = s.Name, s.Score
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		var news int
		b := &pgx.Batch{}
		b.Queue(`SELECT pg_advisory_xact_lock($1)`, signalLock(t.PluginID, t.Type, t.ID))
		b.Queue(keepSignals, t.PluginID, t.Type, t.ID, source, names, scores, now.UTC().Truncate(time.Microsecond)).
			QueryRow(func(row pgx.Row) error { return row.Scan(&news) })
		b.Queue(trimSource, t.PluginID, t.Type, t.ID, source, signal.MaxSignals)
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("keep signals: %w", err)
		}
		if changed = news > 0; !changed || !later {
			return nil
		}
		return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: moderation.SignalsTask, Payload: t})
	})
	return changed, err
}

// SpreadLater implements moderation.Signals. A task with the same id is not enqueued again.
func (p *Reports) SpreadLater(ctx context.Context, t moderation.CaseTarget, now, at time.Time, by string) error {
	id := uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "docket:signals:%q %d %s", t, at.UnixNano(), by)).String()
	err := queue.EnqueueTx(ctx, p.pool, queue.Task{ID: id, PluginID: permission.CorePlugin, Name: moderation.SignalsTask, Payload: t, Delay: max(0, at.Sub(now))})
	if postgres.UniqueBroken(err, "core_queue_pkey") {
		return nil
	}
	return err
}

// Unsignalled implements moderation.Signals, by the partial index core_moderation_reports_wordless.
func (p *Reports) Unsignalled(ctx context.Context) ([]moderation.CaseTarget, error) {
	return postgres.Collect(ctx, p.pool, "find reports without signals", pgx.RowToStructByPos[moderation.CaseTarget], `SELECT DISTINCT r.plugin_id, r.target_type, r.target_id
		FROM core_moderation_reports r JOIN core_moderation_signals USING (plugin_id, target_type, target_id) WHERE NOT (r.search @@ '''`+wordsMark+`'''::tsquery) AND r.status <> 'done'`)
}

// latestKept is the SQL for the time of the last stored signal for the target of a row n. OFFSET 0 prevents a search in
// the order of all times.
const latestKept = `(SELECT max(k.at) FROM (SELECT at FROM core_moderation_signals
	WHERE (plugin_id, target_type, target_id) = (n.plugin_id, n.target_type, n.target_id) OFFSET 0) k)`

// selectKept selects the stored signals of a target by the primary key.
const selectKept = `SELECT source, name, score, at FROM core_moderation_signals WHERE (plugin_id, target_type, target_id) = ($1, $2, $3)
	ORDER BY source COLLATE "C", name COLLATE "C"`

func scanKept(row pgx.CollectableRow) (s signal.Scored, err error) {
	err = row.Scan(&s.Source, &s.Name, &s.Score, &s.At)
	s.At = s.At.UTC()
	return s, err
}

// latest returns the time of the last signal; nil if there is none.
func latest(all []signal.Scored) (at *time.Time) {
	for i := range all {
		if at == nil || at.Before(all[i].At) {
			at = &all[i].At
		}
	}
	return at
}

// KeptSignals implements moderation.Signals.
func (p *Reports) KeptSignals(ctx context.Context, t moderation.CaseTarget) ([]signal.Scored, error) {
	return postgres.Collect(ctx, p.pool, "read signals", scanKept, selectKept, t.PluginID, t.Type, t.ID)
}

// selectOpenOn selects the open reports of a target, and whether they have all of the signals $4. It
// reads the partial index core_moderation_reports_open_case.
const selectOpenOn = `SELECT r.id::text, coalesce(r.signals::jsonb, '[]') @> $4::jsonb FROM core_moderation_reports r
	WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND r.status <> 'done' ORDER BY r.id`

// OpenOn implements moderation.Signals.
func (p *Reports) OpenOn(ctx context.Context, t moderation.CaseTarget, all []signal.Scored) (open int, lacking []string, err error) {
	type known struct { // of a signal that a report has, whatever its time
		Source string  `json:"source"`
		Name   string  `json:"name"`
		Score  float64 `json:"score"`
	}
	wanted := domain.Map(all, func(s signal.Scored) known { return known{s.Source, s.Name, s.Score} })
	var id string
	var has bool
	err = postgres.ForEach(ctx, p.pool, "find the open reports of a target", []any{&id, &has}, func() error {
		if open++; !has {
			lacking = append(lacking, id)
		}
		return nil
	}, selectOpenOn, t.PluginID, t.Type, t.ID, wanted)
	return open, lacking, err
}

// TrimSignals deletes the signals that are older than signal.KeptFor, by the index on their times.
func (p *Reports) TrimSignals(ctx context.Context) error {
	return postgres.Exec(ctx, p.pool, "trim signals", `DELETE FROM core_moderation_signals WHERE at < now() - $1::interval`, signal.KeptFor)
}
