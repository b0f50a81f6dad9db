package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/sealing"
)

// Register registers the task that sends deliveries.
func (s *Store) Register(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, Task, queue.Handler{Run: queue.Decoded(s.attempt), Limit: s.config.Timeout + 10*time.Second})
}

// pending is a delivery that is not sent yet.
type pending struct {
	id, webhookID, url, secret, eventID, name, body, status string
	sequence                                                *int // of the event in its report; nil for other events
	disabled                                                bool
}

// attempt sends one delivery and records the outcome. No transaction is open while it waits for the
// receiver.
func (s *Store) attempt(ctx context.Context, a queue.Attempt, p payload) error {
	found, err := s.reads.Do(ctx, p.DeliveryID)
	if err != nil {
		return err
	}
	if found == nil {
		return nil // the subscription was deleted
	}
	d := *found
	// A failed delivery is sent again, since an admin can retry its task.
	if d.status == "delivered" {
		return nil
	}
	if d.disabled && d.name != Ping {
		if err := s.recordFailure(ctx, d, result{reason: "the webhook is disabled"}, true); err != nil {
			return err
		}
		return queue.Permanent(errors.New("the webhook is disabled"))
	}
	r := result{reason: sealing.ErrUnknownKey.Error()}
	if secret, err := s.config.Keys.Open(d.secret); err == nil {
		r = s.client.postSigned(ctx, s.config.Now(), secret, d)
	}
	if ctx.Err() != nil && r.reason != "" {
		return ctx.Err() // the worker stops; the receiver is not to blame
	}
	if r.reason == "" {
		_, err := s.successes.Do(ctx, success{d.id, d.webhookID, r.status})
		return err
	}
	if err := s.recordFailure(ctx, d, r, a.Last || r.gone); err != nil {
		return err
	}
	if r.gone {
		return queue.Permanent(errors.New(r.reason))
	}
	return errors.New(r.reason)
}

// read reads deliveries; the entry of one that does not exist is nil. It repeats the ids in the
// condition, so that PostgreSQL looks them up even if the table has grown much since the plan was
// made.
func (s *Store) read(ctx context.Context, ids []string) ([]*pending, error) {
	found := make([]*pending, len(ids))
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	b.Queue(`SELECT asked.n, d.id, w.id, w.url, w.secret, NOT (`+active+`), d.event_id, d.name, d.body, d.status,
			(SELECT e.sequence FROM core_moderation_report_events e WHERE e.event_id = d.event_id::uuid)
		FROM unnest($1::uuid[]) WITH ORDINALITY asked (id, n)
		JOIN core_webhook_deliveries d ON d.id = asked.id JOIN core_webhooks w ON w.id = d.webhook_id WHERE d.id = ANY ($1)`, ids).Query(func(rows pgx.Rows) error {
		var n int
		var d pending
		into := []any{&n, &d.id, &d.webhookID, &d.url, &d.secret, &d.disabled, &d.eventID, &d.name, &d.body, &d.status, &d.sequence}
		_, err := pgx.ForEachRow(rows, into, func() error {
			found[n-1] = new(d)
			return nil
		})
		return err
	})
	return found, postgres.Send(ctx, s.pool, "read deliveries", b)
}

// success is a delivery that its receiver has accepted.
type success struct {
	id, webhookID string
	status        int
}

// recordSuccesses records successful deliveries, which reset the time since which every attempt
// failed. Like recordFailure, it does not wait for the disk: if a crash of PostgreSQL loses an
// outcome, the delivery is repeated.
func (s *Store) recordSuccesses(ctx context.Context, all []success) ([]struct{}, error) {
	ids, webhooks, codes := make([]string, len(all)), make([]string, len(all)), make([]int, len(all))
	for i, one := range all {
		ids[i], webhooks[i], codes[i] = one.id, one.webhookID, one.status
	}
	b := &pgx.Batch{}
	postgres.QueueAsyncCommit(b)
	postgres.QueueGenericPlans(b)
	batch.QueueLockTimeout(ctx, b)
	b.Queue(`UPDATE core_webhook_deliveries d SET status = 'delivered', attempts = attempts + 1, http_status = o.status, last_error = NULL,
			attempted_at = $3, completed_at = $3
		FROM unnest($1::uuid[], $2::int[]) o (id, status) WHERE d.id = ANY ($1) AND d.id = o.id`, ids, codes, s.now())
	b.Queue(`UPDATE core_webhooks SET failing_since = NULL WHERE id = ANY ($1::uuid[]) AND failing_since IS NOT NULL`, webhooks)
	return make([]struct{}, len(all)), postgres.Send(ctx, s.pool, "record deliveries", b)
}

// failFor is how long every attempt of a subscription may fail before the subscription is disabled.
const failFor = 24 * time.Hour

// recordFailure records a failed attempt. After the last attempt of a delivery, it disables a
// subscription whose attempts have all failed for failFor. If the receiver is gone, it disables the
// subscription at once.
func (s *Store) recordFailure(ctx context.Context, d pending, r result, last bool) error {
	now := s.now()
	status := "pending"
	var completed *time.Time
	if last {
		status, completed = "failed", &now
	}
	var code *int
	if r.status != 0 {
		code = &r.status
	}
	why := fmt.Sprintf("All deliveries have failed for %s. The last failure: %s.", failFor, r.reason)
	if r.gone {
		why = "The receiver answered 410 Gone, which asks for no more deliveries."
	}
	batch := &pgx.Batch{}
	postgres.QueueAsyncCommit(batch)
	batch.Queue(`UPDATE core_webhook_deliveries SET status = $2, attempts = attempts + 1, http_status = $3, last_error = $4,
		attempted_at = $5, completed_at = $6 WHERE id = $1`, d.id, status, code, r.reason, now, completed)
	if !d.disabled {
		batch.Queue(`UPDATE core_webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL`, d.webhookID, now)
		batch.Queue(`UPDATE core_webhooks SET disabled_at = $2, disabled_why = $3, updated_at = $2
			WHERE id = $1 AND disabled_at IS NULL AND ($4 OR ($5 AND failing_since <= $6)) RETURNING id`,
			d.webhookID, now, why, r.gone, last, now.Add(-failFor)).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				s.config.Log.Error().Str("webhook_id", d.webhookID).Msg("webhook disabled: every delivery has failed")
			}
			return rows.Err()
		})
	}
	return postgres.Send(ctx, s.pool, "record delivery", batch)
}
