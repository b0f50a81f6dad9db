package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/queue"
)

// Delivery is one event for one subscription.
type Delivery struct {
	ID          string       `json:"id"`
	EventID     string       `json:"eventId"`
	Event       string       `json:"event"`
	Status      string       `json:"status"` // pending, delivered or failed
	Attempts    int          `json:"attempts"`
	StatusCode  *int         `json:"statusCode"` // of the last response
	LastError   *string      `json:"lastError"`
	CreatedAt   domain.Time  `json:"createdAt"`
	AttemptedAt *domain.Time `json:"attemptedAt"`
	CompletedAt *domain.Time `json:"completedAt"`
}

// Task is the name of the queue's task that sends one delivery.
const Task = "webhook.deliver"

type payload struct {
	DeliveryID string `json:"deliveryId"`
}

// newTask returns a task that is retried for a day, like an action on a platform.
func newTask(deliveryID string) queue.Task {
	return queue.Task{ID: newID(), PluginID: permission.CorePlugin, Name: Task, Queue: queue.Outbound, Payload: payload{deliveryID}, MaxAttempts: target.RemoteAttempts}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// body is the body of a delivery, in the form that Standard Webhooks recommend. Data is the event's payload, unchanged.
type body struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

func newBody(name string, at time.Time, data json.RawMessage) body {
	return body{name, at.UTC().Format(outbox.TimeFormat), data}
}

// outgoing collects events with the subscriptions that want them. An event has one entry in ids, names and bodies; a
// delivery has one in deliveries, webhooks, tasks, taskIDs and events, whose value is the number of its event, counted
// from 1.
type outgoing struct {
	ids, names, bodies   []string
	deliveries, webhooks []string
	events               []int
	tasks                []queue.Task
	taskIDs              []string
}

// add adds an event.
func (o *outgoing) add(webhooks []string, eventID, name string, b body) error {
	encoded, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("body of %s: %w", eventID, err)
	}
	o.ids, o.names, o.bodies = append(o.ids, eventID), append(o.names, name), append(o.bodies, string(encoded))
	for _, webhook := range webhooks {
		id := newID()
		task := newTask(id)
		o.deliveries, o.webhooks, o.events = append(o.deliveries, id), append(o.webhooks, webhook), append(o.events, len(o.ids))
		o.tasks, o.taskIDs = append(o.tasks, task), append(o.taskIDs, task.ID)
	}
	return nil
}

// enqueue stores the deliveries and their tasks in the caller's transaction.
func (o *outgoing) enqueue(ctx context.Context, tx pgx.Tx) error {
	if len(o.tasks) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO core_webhook_deliveries (id, webhook_id, task_id, event_id, name, body, status, created_at)
		SELECT d.id, d.webhook_id, d.task_id, e.id, e.name, e.body, 'pending', now()
		FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) d (id, webhook_id, task_id, n)
		JOIN unnest($5::text[], $6::text[], $7::text[]) WITH ORDINALITY e (id, name, body, n) USING (n)`,
		o.deliveries, o.webhooks, o.taskIDs, o.events, o.ids, o.names, o.bodies)
	if err := queue.Enqueue(batch, o.tasks...); err != nil {
		return err
	}
	return postgres.Send(ctx, tx, fmt.Sprintf("store deliveries of %d events", len(o.ids)), batch)
}

// DeliveryList pages deliveries, the newest first.
var DeliveryList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

// Deliveries returns a page of a subscription's deliveries, or not_found.
func (s *Store) Deliveries(ctx context.Context, webhookID string, r paging.Request) (paging.Page[Delivery], error) {
	if _, err := s.Get(ctx, webhookID); err != nil {
		return paging.Page[Delivery]{}, err
	}
	page, err := sqlpage.List[Delivery]{Task: "list deliveries",
		SQL: `SELECT id, event_id, name, status, attempts, http_status, last_error, created_at, attempted_at, completed_at
			FROM core_webhook_deliveries WHERE webhook_id = $1`, Args: []any{webhookID}, Scan: pgx.RowToStructByPos[Delivery],
		Key: func(d Delivery) paging.Position { return paging.At(time.Time(d.CreatedAt), d.ID) }}.Read(ctx, s.pool, r)
	if err == nil {
		err = failAbandoned(ctx, s.pool, page.Edges)
	}
	return page, err
}

// Redeliver sends a delivered or failed delivery again, with the same event id, by which
// the receiver recognizes a repeat. It returns invalid_state for a pending delivery that
// still has retries.
func (s *Store) Redeliver(ctx context.Context, webhookID, id string) error {
	err := postgres.Transact(ctx, s.pool, "redeliver", func(tx pgx.Tx) error {
		found := make([]Delivery, 1)
		d := &found[0]
		err := tx.QueryRow(ctx, `SELECT id::text, status FROM core_webhook_deliveries WHERE id = $1 AND webhook_id = $2 FOR UPDATE`, id, webhookID).Scan(&d.ID, &d.Status)
		if errors.Is(err, pgx.ErrNoRows) {
			return domain.NotFound()
		}
		if err == nil {
			err = failAbandoned(ctx, tx, found)
		}
		switch {
		case err != nil:
			return err
		case d.Status == "pending":
			return domain.Errorf(domain.CodeInvalidState, "The delivery is still being tried.")
		}
		task := newTask(d.ID)
		if _, err := tx.Exec(ctx, `UPDATE core_webhook_deliveries SET status = 'pending', completed_at = NULL, task_id = $2 WHERE id = $1`, d.ID, task.ID); err != nil {
			return err
		}
		return queue.EnqueueTx(ctx, tx, task)
	})
	return s.enqueued(err)
}

// enqueued wakes the workers unless err says that nothing was enqueued.
func (s *Store) enqueued(err error) error {
	if err == nil {
		s.config.Wake()
	}
	return err
}

// isAbandoned is the SQL condition for a pending delivery d whose task will not run any more: its server crashed during
// the last attempt without recording the outcome, and the queue failed the task. Servers of the previous release store
// no task, so their deliveries count as abandoned after a day without an attempt; attempts are at most an hour apart.
const isAbandoned = `(d.status = 'pending' AND CASE WHEN d.task_id IS NULL
	THEN coalesce(d.attempted_at, d.created_at) < now() - interval '1 day'
	ELSE NOT EXISTS (SELECT FROM core_queue q WHERE q.id = d.task_id AND q.status IN ('pending', 'processing')) END)`

// failAbandoned sets the status of abandoned deliveries to failed.
func failAbandoned(ctx context.Context, db postgres.Querier, deliveries []Delivery) error {
	var pending []string
	for _, d := range deliveries {
		if d.Status == "pending" {
			pending = append(pending, d.ID)
		}
	}
	if len(pending) == 0 {
		return nil
	}
	abandoned, err := postgres.Collect(ctx, db, "look for abandoned deliveries", pgx.RowTo[string],
		`SELECT id::text FROM core_webhook_deliveries d WHERE id = ANY ($1) AND `+isAbandoned, pending)
	if err != nil {
		return err
	}
	for i := range deliveries {
		if slices.Contains(abandoned, deliveries[i].ID) {
			deliveries[i].Status = "failed"
		}
	}
	return nil
}

// keepDeliveries is how long delivered and failed deliveries are listed.
const keepDeliveries = 30 * 24 * time.Hour

// trimBatch is how many deliveries one statement deletes: deleting all at once could exceed its timeout.
const trimBatch = 5000

// Trim deletes deliveries that ended more than 30 days ago, or that were created then
// and abandoned, and returns how many. It is the handler of a scheduled job.
func (s *Store) Trim(ctx context.Context) (total int64, err error) {
	before := s.now().Add(-keepDeliveries)
	for _, old := range []string{`completed_at < $1`, `created_at < $1 AND ` + isAbandoned} {
		n, err := postgres.ExecAll(ctx, s.pool, "trim deliveries", trimBatch, `DELETE FROM core_webhook_deliveries
			WHERE id = ANY (ARRAY(SELECT id FROM core_webhook_deliveries d WHERE `+old+` LIMIT $2 FOR UPDATE SKIP LOCKED))`, before, trimBatch)
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}
