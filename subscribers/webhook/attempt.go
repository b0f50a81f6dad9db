package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/queue"
)

// Register makes the queue run the tasks that send deliveries.
func (s *Store) Register(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, Task, queue.Handler{Run: s.attempt, Limit: s.config.Timeout + 10*time.Second})
}

// attempts spreads retries over a day: the queue waits ten seconds, then twice as long
// each time, at most an hour.
const attempts = 34

type pending struct {
	webhookID, url, secret, eventID, name, body, status string
	disabled                                            bool
}

// attempt sends one delivery and records the outcome. It holds no transaction while it
// waits for the receiver.
func (s *Store) attempt(ctx context.Context, a queue.Attempt) error {
	var p payload
	if err := json.Unmarshal(a.Payload, &p); err != nil {
		return queue.Permanent(fmt.Errorf("payload: %w", err))
	}
	d, err := s.pending(ctx, p.DeliveryID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // the subscription was deleted
	}
	if err != nil {
		return fmt.Errorf("read delivery: %w", err)
	}
	// A failed delivery is sent again, since an admin can retry its task.
	if d.status == "delivered" {
		return nil
	}
	if d.disabled && d.name != Ping {
		if err := s.record(ctx, p.DeliveryID, d, result{reason: "the webhook is disabled"}, true); err != nil {
			return err
		}
		return queue.Permanent(errors.New("the webhook is disabled"))
	}
	r := result{reason: errCannotDecrypt.Error()}
	if secret, err := s.config.Keys.decrypt(d.secret); err == nil {
		r = s.client.postSigned(ctx, s.config.Now(), d.url, secret, d.eventID, d.body)
	}
	if ctx.Err() != nil && r.reason != "" {
		return ctx.Err() // the worker stops; the receiver is not to blame
	}
	if err := s.record(ctx, p.DeliveryID, d, r, a.Last || r.gone); err != nil {
		return err
	}
	switch {
	case r.reason == "":
		return nil
	case r.gone:
		return queue.Permanent(errors.New(r.reason))
	}
	return errors.New(r.reason)
}

func (s *Store) pending(ctx context.Context, id string) (d pending, err error) {
	err = s.pool.QueryRow(ctx, `SELECT w.id, w.url, w.secret, NOT (`+active+`), d.event_id, d.name, d.body, d.status
		FROM core_webhook_deliveries d JOIN core_webhooks w ON w.id = d.webhook_id WHERE d.id = $1`, id).
		Scan(&d.webhookID, &d.url, &d.secret, &d.disabled, &d.eventID, &d.name, &d.body, &d.status)
	return d, err
}

// record stores the outcome of an attempt. A success ends the period in which every attempt
// failed. After the last attempt of a delivery, it disables a subscription whose attempts
// have all failed for FailFor. It disables one whose receiver is gone at once. It does not wait
// for the disk: an outcome that a crash of PostgreSQL loses makes one delivery more.
func (s *Store) record(ctx context.Context, id string, d pending, r result, last bool) error {
	now := s.now()
	status := "pending"
	var reason *string
	var completed *time.Time
	switch {
	case r.reason == "":
		status, completed = "delivered", &now
	case last:
		status, completed, reason = "failed", &now, &r.reason
	default:
		reason = &r.reason
	}
	var code *int
	if r.status != 0 {
		code = &r.status
	}
	why := fmt.Sprintf("All deliveries have failed for %s. The last failure: %s.", s.config.FailFor, r.reason)
	if r.gone {
		why = "The receiver answered 410 Gone, which asks for no more deliveries."
	}
	batch := &pgx.Batch{}
	postgres.QueueAsyncCommit(batch)
	batch.Queue(`UPDATE core_webhook_deliveries SET status = $2, attempts = attempts + 1, http_status = $3, last_error = $4,
		attempted_at = $5, completed_at = $6 WHERE id = $1`, id, status, code, reason, now, completed)
	if r.reason == "" {
		batch.Queue(`UPDATE core_webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`, d.webhookID)
	} else if !d.disabled {
		batch.Queue(`UPDATE core_webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL`, d.webhookID, now)
		batch.Queue(`UPDATE core_webhooks SET disabled_at = $2, disabled_why = $3, updated_at = $2
			WHERE id = $1 AND disabled_at IS NULL AND ($4 OR ($5 AND failing_since <= $6)) RETURNING id`,
			d.webhookID, now, why, r.gone, last, now.Add(-s.config.FailFor)).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				s.config.Log.Error().Str("webhook_id", d.webhookID).Msg("webhook disabled: every delivery has failed")
			}
			return rows.Err()
		})
	}
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record delivery: %w", err)
	}
	return nil
}
