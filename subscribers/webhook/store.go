package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/sealing"
)

// List pages subscriptions, the newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

const columns = `id, plugin_id, name, url, events, scope, disabled_at, disabled_why, withdrawn_at, failing_since, created_at, updated_at`

// active is the SQL condition for subscriptions that receive events.
const active = `disabled_at IS NULL AND withdrawn_at IS NULL`

// withdrawn is the listed reason of subscriptions that no plugin declares any more.
const withdrawn = "Its plugin no longer declares it."

func scan(row pgx.CollectableRow) (Webhook, error) {
	var w Webhook
	var where []byte
	var withdrawnAt *domain.Time
	if err := row.Scan(&w.ID, &w.PluginID, &w.Name, &w.URL, &w.Events, &where, &w.DisabledAt, &w.DisabledReason,
		&withdrawnAt, &w.FailingSince, &w.CreatedAt, &w.UpdatedAt); err != nil {
		return w, err
	}
	if withdrawnAt != nil {
		w.DisabledAt, w.DisabledReason = withdrawnAt, new(withdrawn)
	}
	w.Enabled = w.DisabledAt == nil
	if where != nil {
		if err := json.Unmarshal(where, &w.Scope); err != nil {
			return w, fmt.Errorf("scope of webhook %s: %w", w.ID, err)
		}
	}
	return w, nil
}

// List returns a page of subscriptions, without their secrets.
func (s *Store) List(ctx context.Context, r paging.Request) (paging.Page[Webhook], error) {
	return sqlpage.List[Webhook]{Task: "list webhooks", SQL: `SELECT ` + columns + ` FROM core_webhooks WHERE true`, Scan: scan,
		Key: func(w Webhook) paging.Position { return paging.At(time.Time(w.CreatedAt), w.ID) }}.Read(ctx, s.pool, r)
}

// Get returns a subscription, or not_found.
func (s *Store) Get(ctx context.Context, id string) (Webhook, error) {
	return s.one(ctx, "get webhook", `SELECT `+columns+` FROM core_webhooks WHERE id = $1`, id)
}

// one returns the subscription that a statement returns, or not_found.
func (s *Store) one(ctx context.Context, task, sql string, args ...any) (Webhook, error) {
	return postgres.CollectFound(ctx, s.pool, task, scan, sql, args...)
}

// Check returns every fault of a subscription to be created.
func (s *Store) Check(n New) []domain.Issue { return n.subscription().Check(s.config.RequireHTTPS) }

// Create creates a subscription and returns it with its secret, which is shown only once. All
// faults are in one validation error.
func (s *Store) Create(ctx context.Context, n New) (Webhook, error) {
	if err := domain.Invalid(s.Check(n)...); err != nil {
		return Webhook{}, err
	}
	where, err := encodeScope(n.Scope)
	if err != nil {
		return Webhook{}, err
	}
	secret := sealing.NewSecret()
	w, err := s.one(ctx, "create webhook", `INSERT INTO core_webhooks (id, plugin_id, url, events, scope, secret, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING `+columns,
		uuid.Must(uuid.NewV7()), cmp.Or(n.PluginID, permission.CorePlugin), n.URL, domain.OrNone(n.Events), where, s.config.Keys.Seal(secret), s.now())
	w.Secret = secret
	return w, err
}

// Enable enables or disables a subscription, or returns not_found. Events that it missed while
// disabled are not sent later. It returns invalid_state for enabling a subscription that its plugin
// has withdrawn.
func (s *Store) Enable(ctx context.Context, id string, enabled bool) (Webhook, error) {
	w, err := s.one(ctx, "switch webhook", `UPDATE core_webhooks SET
			disabled_at = CASE WHEN $2 THEN NULL ELSE coalesce(disabled_at, $3) END,
			disabled_why = CASE WHEN $2 OR disabled_at IS NULL THEN NULL ELSE disabled_why END,
			failing_since = CASE WHEN $2 THEN NULL ELSE failing_since END,
			updated_at = $3
		WHERE id = $1 AND NOT ($2 AND withdrawn_at IS NOT NULL) RETURNING `+columns, id, enabled, s.now())
	if domain.ErrorCode(err) == domain.CodeNotFound {
		return Webhook{}, s.refused(ctx, id, "Its plugin no longer declares this webhook, so it cannot be switched on.")
	}
	return w, err
}

// Delete removes a subscription with its deliveries, or returns not_found. It returns
// invalid_state for a subscription that a plugin declares, which the next start would create
// again.
func (s *Store) Delete(ctx context.Context, id string) error {
	const deletable = `w.id = $1 AND (w.name IS NULL OR w.withdrawn_at IS NOT NULL)`
	_, err := postgres.ExecAll(ctx, s.pool, "delete deliveries", trimBatch, `DELETE FROM core_webhook_deliveries WHERE id = ANY (ARRAY(
		SELECT d.id FROM core_webhook_deliveries d JOIN core_webhooks w ON w.id = d.webhook_id WHERE `+deletable+` LIMIT $2))`, id, trimBatch)
	if err == nil {
		err = postgres.ExecFound(ctx, s.pool, "delete webhook", `DELETE FROM core_webhooks w WHERE `+deletable, id)
	}
	if domain.ErrorCode(err) == domain.CodeNotFound {
		return s.refused(ctx, id, "A plugin declares this webhook: disable it, or take it out of the plugin.")
	}
	return err
}

// refused returns why a change matched no subscription: not_found, or invalid_state
// with the given reason.
func (s *Store) refused(ctx context.Context, id, why string) error {
	if _, err := s.Get(ctx, id); err != nil {
		return err
	}
	return domain.Errorf(domain.CodeInvalidState, "%s", why)
}

func encodeScope(s *scope.Scope) ([]byte, error) {
	if s == nil {
		return nil, nil
	}
	where, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("scope of a webhook: %w", err)
	}
	return where, nil
}
