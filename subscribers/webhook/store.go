package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
)

// List is how subscriptions page: newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

const columns = `id, plugin_id, name, url, events, scope, disabled_at, disabled_why, failing_since, created_at, updated_at`

func scan(row pgx.CollectableRow) (Webhook, error) {
	var w Webhook
	var where []byte
	if err := row.Scan(&w.ID, &w.PluginID, &w.Name, &w.URL, &w.Events, &where, &w.DisabledAt, &w.DisabledReason,
		&w.FailingSince, &w.CreatedAt, &w.UpdatedAt); err != nil {
		return w, err
	}
	w.Enabled = w.DisabledAt == nil
	if where != nil {
		if err := json.Unmarshal(where, &w.Scope); err != nil {
			return w, fmt.Errorf("scope of webhook %s: %w", w.ID, err)
		}
	}
	return w, nil
}

// List gives a page of subscriptions, without their secrets.
func (s *Store) List(ctx context.Context, r paging.Request) (paging.Page[Webhook], error) {
	condition, args := r.Condition(1)
	rows, err := s.pool.Query(ctx, `SELECT `+columns+` FROM core_webhooks WHERE `+condition+
		` ORDER BY `+r.OrderClause()+fmt.Sprintf(` LIMIT %d`, r.Limit()), args...)
	if err != nil {
		return paging.Page[Webhook]{}, fmt.Errorf("list webhooks: %w", err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return paging.Page[Webhook]{}, fmt.Errorf("list webhooks: %w", err)
	}
	return paging.NewPage(all, r, func(w Webhook) paging.Position { return paging.At(w.CreatedAt, w.ID) }), nil
}

// Get gives one subscription, or not_found.
func (s *Store) Get(ctx context.Context, id string) (Webhook, error) {
	rows, err := s.pool.Query(ctx, `SELECT `+columns+` FROM core_webhooks WHERE id = $1`, id)
	if err != nil {
		return Webhook{}, fmt.Errorf("get webhook: %w", err)
	}
	return one(rows)
}

func one(rows pgx.Rows) (Webhook, error) {
	w, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return Webhook{}, domain.NotFound()
	}
	if err != nil {
		return Webhook{}, fmt.Errorf("get webhook: %w", err)
	}
	return w, nil
}

// Check gives every fault of a subscription to be.
func (s *Store) Check(n New) []domain.Issue { return n.validate(s.config.RequireHTTPS) }

// Create makes a subscription and gives it with its secret, once. Its faults are a
// validation error with all of them.
func (s *Store) Create(ctx context.Context, n New) (Webhook, error) {
	if err := domain.Invalid(s.Check(n)...); err != nil {
		return Webhook{}, err
	}
	secret, err := newSecret()
	if err != nil {
		return Webhook{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Webhook{}, fmt.Errorf("webhook id: %w", err)
	}
	where, err := encodeScope(n)
	if err != nil {
		return Webhook{}, err
	}
	rows, err := s.pool.Query(ctx, `INSERT INTO core_webhooks (id, plugin_id, name, url, events, scope, secret, created_at, updated_at)
		VALUES ($1, $2, NULLIF($3, ''), $4, $5, $6, $7, $8, $8) RETURNING `+columns,
		id, owner(n.PluginID), n.Name, n.URL, events(n), where, secret, s.now())
	if err != nil {
		return Webhook{}, fmt.Errorf("create webhook: %w", err)
	}
	w, err := one(rows)
	w.Secret = secret
	return w, err
}

// Declare makes a plugin's subscriptions those that it declares now: known by name,
// they keep their secret, their deliveries and whether they are enabled.
func (s *Store) Declare(ctx context.Context, pluginID string, declared ...New) error {
	names := make([]string, len(declared))
	for i, n := range declared {
		names[i] = n.Name
		if err := domain.Invalid(s.Check(n)...); err != nil {
			return fmt.Errorf("webhook %s of plugin %s: %w", n.Name, pluginID, err)
		}
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM core_webhooks WHERE plugin_id = $1 AND name IS NOT NULL AND name <> ALL ($2)`, pluginID, names); err != nil {
			return err
		}
		for _, n := range declared {
			secret, err := newSecret()
			if err != nil {
				return err
			}
			where, err := encodeScope(n)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO core_webhooks (id, plugin_id, name, url, events, scope, secret, created_at, updated_at)
				VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $7)
				ON CONFLICT ON CONSTRAINT core_webhooks_name DO UPDATE
				SET url = excluded.url, events = excluded.events, scope = excluded.scope, updated_at = excluded.updated_at`,
				pluginID, n.Name, n.URL, events(n), where, secret, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("declare webhooks of plugin %s: %w", pluginID, err)
	}
	return nil
}

// Enable switches a subscription on or off. What it missed while it was off is not
// sent later.
func (s *Store) Enable(ctx context.Context, id string, enabled bool) (Webhook, error) {
	rows, err := s.pool.Query(ctx, `UPDATE core_webhooks SET
			disabled_at = CASE WHEN $2 THEN NULL ELSE coalesce(disabled_at, $3) END,
			disabled_why = CASE WHEN $2 OR disabled_at IS NULL THEN NULL ELSE disabled_why END,
			failing_since = CASE WHEN $2 THEN NULL ELSE failing_since END,
			updated_at = $3
		WHERE id = $1 RETURNING `+columns, id, enabled, s.now())
	if err != nil {
		return Webhook{}, fmt.Errorf("switch webhook: %w", err)
	}
	return one(rows)
}

// Delete removes a subscription with its deliveries, or gives not_found.
func (s *Store) Delete(ctx context.Context, id string) error {
	tag, err := s.pool.Exec(ctx, `DELETE FROM core_webhooks WHERE id = $1`, id)
	if err != nil {
		return fmt.Errorf("delete webhook: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return domain.NotFound()
	}
	return nil
}

func owner(pluginID string) string {
	if pluginID == "" {
		return permission.CorePlugin
	}
	return pluginID
}

func events(n New) []string {
	if n.Events == nil {
		return []string{}
	}
	return n.Events
}

func encodeScope(n New) ([]byte, error) {
	if n.Scope == nil {
		return nil, nil
	}
	where, err := json.Marshal(n.Scope)
	if err != nil {
		return nil, fmt.Errorf("scope of a webhook: %w", err)
	}
	return where, nil
}
