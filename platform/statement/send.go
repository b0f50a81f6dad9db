package statement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/eventstore/postgres"
)

const (
	// again is the pause before a decision is looked at again if reading it failed, its statement is incomplete, or the
	// platform's response is pending.
	again = time.Hour
	// giveUp is how long an incomplete statement is retried after it was due.
	giveUp = 30 * 24 * time.Hour
)

// Send checks the waiting statements and sends those that are due. One server at a time runs it; if two do, the
// database refuses duplicates, which count as sent.
func (s *Store) Send(ctx context.Context) error {
	var failed []error
	atOnce := perCall
	for {
		waiting, err := postgres.Collect(ctx, s.pool, "find statements to look at", pgx.RowToStructByPos[Kept],
			`SELECT `+columns+` FROM core_statements s WHERE s.look_at <= $1 ORDER BY s.look_at LIMIT $2`, s.now(), atOnce)
		if err != nil || len(waiting) == 0 {
			return errors.Join(append(failed, err)...)
		}
		var due []*statement.Statement
		for i := range waiting {
			made, err := s.look(ctx, &waiting[i])
			if err != nil { // the others go on
				failed = append(failed, err)
				err = postgres.Exec(ctx, s.pool, "put a statement off", `UPDATE core_statements SET look_at = $2 WHERE id = $1`, waiting[i].ID, s.now().Add(again))
			}
			if err != nil {
				return errors.Join(append(failed, err)...)
			}
			if made != nil {
				due = append(due, made)
			}
		}
		err = s.database.send(ctx, due, s.settle(ctx))
		if err != nil && atOnce == 1 {
			return errors.Join(append(failed, err)...)
		}
		if err != nil { // one of them may be why the database fails; it is the last to be looked at in the next run
			atOnce = 1
		}
	}
}

// settle returns a function that stores the outcome of a statement.
func (s *Store) settle(ctx context.Context) func(puid string, o outcome) error {
	return func(puid string, o outcome) error {
		if o.faults != nil {
			return postgres.Exec(ctx, s.pool, "store that a statement was refused", `UPDATE core_statements
				SET status = 'refused', faults = $2, look_at = NULL WHERE id = $1 AND status <> 'sent'`, puid, o.faults)
		}
		return postgres.Exec(ctx, s.pool, "store that a statement was sent", `UPDATE core_statements
			SET status = 'sent', faults = '{}', missing = '{}', uuid = coalesce(nullif($2, ''), uuid), sent_at = $3, look_at = NULL WHERE id = $1 AND status <> 'sent'`,
			puid, o.uuid, s.now())
	}
}

// look updates the stored state of a decision, and returns its statement if it is due.
func (s *Store) look(ctx context.Context, k *Kept) (*statement.Statement, error) {
	now := s.now()
	d, err := s.describe(ctx, k.ReportID, k.ID)
	if err != nil {
		return nil, fmt.Errorf("statement of decision %s: %w", k.ID, err)
	}
	k.PluginID, k.TargetType, k.Policy, k.Missing = d.target.PluginID, d.target.Type, d.cited, []statement.Missing{}
	dueAt := time.Time(k.DueAt)
	due := !dueAt.After(now)
	var next *time.Time
	soon := func(t time.Time) { next = &t }
	switch {
	case !d.stands:
		k.Status = Superseded
		if !d.restricted {
			k.Status = none // nobody was restricted
		}
	case !d.Restricts():
		k.Status = none
		switch {
		case !due:
			soon(dueAt)
		case d.asked: // the platform's response is pending
			soon(now.Add(again))
		}
	default:
		made, missing := statement.Make(d.Decision)
		k.Status = Pending
		if missing != nil {
			k.Status, k.Missing = Incomplete, missing
		}
		switch {
		case !due:
			soon(dueAt)
		case made != nil:
			return made, s.store(ctx, k, &now)
		case now.Before(dueAt.Add(giveUp)):
			soon(now.Add(again))
		}
	}
	return nil, s.store(ctx, k, next)
}

// store stores the result of look. It deletes a statement that will never be needed.
func (s *Store) store(ctx context.Context, k *Kept, next *time.Time) error {
	if k.Status == none && next == nil {
		return postgres.Exec(ctx, s.pool, "forget a decision that restricts nobody", `DELETE FROM core_statements WHERE id = $1`, k.ID)
	}
	return postgres.Exec(ctx, s.pool, "store how a statement stands", `UPDATE core_statements
		SET status = $2, missing = $3, policy = $4, plugin_id = $5, target_type = $6, look_at = $7 WHERE id = $1 AND status NOT IN ('sent', 'refused')`,
		k.ID, k.Status, k.Missing, k.Policy, k.PluginID, k.TargetType, next)
}
