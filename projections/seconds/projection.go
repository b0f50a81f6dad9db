// Package seconds draws decisions for second opinions and stores their outcomes: it folds the log with its checkpoints.
// It also assigns turns, reads the lists for leads, and counts how often people agree. Other modules must not import
// it.
package seconds

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

const (
	name  = "seconds"
	piece = 5000 // positions in one transaction
)

// tables are the destination of a fold: the tables for readers, or temporary ones for a verification.
type tables struct{ projections.SecondTables }

var (
	kept  = tables{projections.CoreSeconds}
	again = tables{projections.SecondTables{Seconds: "core_seconds_verified", Golden: "core_golden_verified"}}
)

// Projection folds the log. It is not followed until second opinions are enabled.
var Projection = projector.Folded{Name: name, Batch: piece,
	Wanted: func(ctx context.Context, db postgres.Querier) (bool, error) {
		return postgres.CollectOne(ctx, db, "look for the settings of second opinions", pgx.RowTo[bool], `SELECT EXISTS (SELECT FROM core_quality WHERE percent > 0)`)
	},
	Apply: func(ctx context.Context, tx pgx.Tx, after, upTo int64) error {
		// A checkpoint comes after the events that it draws, which may have been folded long ago.
		return kept.fold(ctx, tx, after, upTo, `drawn_at IS NULL AND size <= $1`, upTo)
	},
	Clear: func(ctx context.Context, tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`DELETE FROM core_seconds`)
		b.Queue(`DELETE FROM core_golden_answers`)
		b.Queue(`UPDATE core_checkpoints SET drawn_at = NULL`)
		return tx.SendBatch(ctx, b).Close()
	},
	Compare: compare}

// fold draws with the checkpoints that a condition selects, and folds a piece of the log. A second opinion is always on
// a decision that an earlier checkpoint drew.
func (t tables) fold(ctx context.Context, tx pgx.Tx, after, upTo int64, checkpoints string, args ...any) error {
	if err := t.draw(ctx, tx, checkpoints, args); err != nil || after == upTo {
		return err
	}
	return t.foldEvents(ctx, tx, `FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND l.position <= $2 AND e.type = ANY ($3) ORDER BY l.position`, after, upTo, types)
}

func (t tables) foldEvents(ctx context.Context, tx pgx.Tx, from string, args ...any) error {
	events, err := postgres.Collect(ctx, tx, "read second opinions", scanEvent, selectEvent+from, args...)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	for _, e := range events {
		t.Queue(b, e)
	}
	return tx.SendBatch(ctx, b).Close()
}

// types are the types of events about drawn decisions.
var types = []report.Type{report.SecondDecidedType, report.SecondSettledType}

const selectEvent = `SELECT ` + eventstore.FactColumns + ` `

// scanEvent scans an event without its evidence.
func scanEvent(row pgx.CollectableRow) (report.Event, error) {
	var r eventstore.Record
	if err := row.Scan(eventstore.FactFields(&r)...); err != nil {
		return report.Event{}, err
	}
	e, err := r.Event()
	if err != nil {
		err = &eventstore.PoisonError{Err: err}
	}
	return e, err
}

// checkpoint draws the decisions since the previous one.
type checkpoint struct {
	before, size int64
	note         string
}

// draw stores the decisions that the selected checkpoints draw. Whether a decision is drawn depends on the settings
// that were in force when it was made.
func (t tables) draw(ctx context.Context, tx pgx.Tx, where string, args []any) error {
	found, err := postgres.Collect(ctx, tx, "read the checkpoints", func(row pgx.CollectableRow) (c checkpoint, err error) {
		return c, row.Scan(&c.before, &c.size, &c.note)
	}, `SELECT coalesce((SELECT max(p.size) FROM core_checkpoints p WHERE p.size < c.size), 0), size, note FROM core_checkpoints c WHERE `+where+` ORDER BY size`, args...)
	if err != nil || len(found) == 0 {
		return err
	}
	settings, err := quality.Versions(ctx, tx)
	if err != nil {
		return err
	}
	for _, c := range found {
		if err := t.drawBy(ctx, tx, c, settings); err != nil {
			return err
		}
	}
	if t != kept {
		return nil
	}
	return postgres.Exec(ctx, tx, "note what was drawn", `UPDATE core_checkpoints SET drawn_at = now() WHERE `+where, args...)
}

// drawBy reads the decisions of a checkpoint from core_moderation_report_events_type, since most of them may
// be older than the first setting.
func (t tables) drawBy(ctx context.Context, tx pgx.Tx, c checkpoint, settings []second.Settings) error {
	root, err := proof.RootIn(c.note)
	if err != nil {
		return err
	}
	since := time.Time{}
	if len(settings) > 0 {
		since = settings[0].Since
	}
	decisions, err := postgres.Collect(ctx, tx, "read the decisions of people", scanEvent, selectEvent+`FROM core_moderation_report_events e JOIN core_moderation_log l USING (event_id)
		WHERE e.type = 'resolved' AND e.occurred_at >= $3 AND e.actor_id IS NOT NULL AND l.position > $1 AND l.position <= $2 ORDER BY l.position`, c.before, c.size, since)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	for _, e := range decisions {
		if !second.Drawn(root, e.ID, second.SettingsAt(settings, e.OccurredAt).Percent) {
			continue
		}
		s := second.Of(e)
		b.Queue(`INSERT INTO `+t.Seconds+` (id, decision_id, report_id, drawn_by, decided_at, decided_by, resolution, policy, status) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			s.ID, s.Decision, s.ReportID, c.size, s.First.At, s.First.By, s.First.Resolution, s.First.Policy, s.Status())
	}
	return tx.SendBatch(ctx, b).Close()
}

// compare folds the log again into temporary tables, and finds the rows that differ.
func compare(ctx context.Context, tx pgx.Tx, through int64, progress func(done int64), found func(string)) (compared, wrong int64, err error) {
	for _, t := range [][2]string{{again.Seconds, kept.Seconds}, {again.Golden, kept.Golden}} {
		if err := postgres.Exec(ctx, tx, "make a table", `CREATE TEMPORARY TABLE `+t[0]+` (LIKE `+t[1]+` INCLUDING INDEXES) ON COMMIT DROP`); err != nil {
			return 0, 0, err
		}
	}
	for after := int64(0); after < through; after += piece {
		upTo := min(after+piece, through)
		if err := again.fold(ctx, tx, after, upTo, `drawn_at IS NOT NULL AND size > $1 AND size <= $2`, after, upTo); err != nil {
			return 0, 0, err
		}
		progress(after)
	}
	// Commands store outcomes at once, so include events that are not sealed yet.
	if err := again.foldEvents(ctx, tx, `FROM core_moderation_report_events e LEFT JOIN core_moderation_log l USING (event_id)
		WHERE e.type = ANY ($2) AND coalesce(l.position > $1, true) ORDER BY e.report_id, e.sequence`, through, types); err != nil {
		return 0, 0, err
	}
	var id string
	for _, t := range []struct{ name, kept, again string }{{"second opinion", kept.Seconds, again.Seconds}, {"golden answer", kept.Golden, again.Golden}} {
		err := postgres.ForEach(ctx, tx, "compare second opinions", []any{&id}, func() error {
			wrong++
			found(t.name + " " + id + ": is not what the log makes of it")
			return nil
		}, `SELECT coalesce(a.id, b.id)::text FROM `+t.kept+` a FULL JOIN `+t.again+` b ON b.id = a.id WHERE to_jsonb(a) IS DISTINCT FROM to_jsonb(b) ORDER BY 1`)
		if err != nil {
			return 0, 0, err
		}
	}
	compared, err = postgres.CollectOne(ctx, tx, "count second opinions", pgx.RowTo[int64], `SELECT (SELECT count(*) FROM `+again.Seconds+`) + (SELECT count(*) FROM `+again.Golden+`)`)
	return compared, wrong, err
}
