package webhook

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
)

// Declared is a subscription that a plugin declares, with a name that is unique within
// the plugin. The plugin's registration has validated it.
type Declared struct {
	PluginID, Name string
	Secret         string // whsec_…
	event.Subscription
}

const (
	// lockDeclare serializes servers that start together.
	lockDeclare = `SELECT pg_advisory_xact_lock(hashtextextended('docket:webhooks', 0))`

	withdraw = `UPDATE core_webhooks w SET withdrawn_at = $3, updated_at = $3
		WHERE name IS NOT NULL AND withdrawn_at IS NULL
		  AND NOT EXISTS (SELECT 1 FROM unnest($1::text[], $2::text[]) AS d (plugin_id, name) WHERE (d.plugin_id, d.name) = (w.plugin_id, w.name))`

	declare = `INSERT INTO core_webhooks AS w (id, plugin_id, name, url, events, scope, secret, created_at, updated_at)
		VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $7)
		ON CONFLICT ON CONSTRAINT core_webhooks_name DO UPDATE
		SET url = excluded.url, events = excluded.events, scope = excluded.scope, secret = excluded.secret,
			withdrawn_at = NULL, updated_at = excluded.updated_at
		WHERE w.withdrawn_at IS NOT NULL
		   OR (w.url, w.events, w.scope, w.secret) IS DISTINCT FROM (excluded.url, excluded.events, excluded.scope, excluded.secret)`
)

// Declare replaces the declared subscriptions of all plugins by the given ones. An existing
// subscription keeps its deliveries and stays disabled if an admin has disabled it. One that
// is no longer declared is withdrawn: it receives nothing and stays listed until it is
// declared again or an admin deletes it. Declare is idempotent, and any number of servers
// may call it at once.
func (s *Store) Declare(ctx context.Context, all ...Declared) error {
	plugins, names := make([]string, len(all)), make([]string, len(all))
	batch := &pgx.Batch{}
	batch.Queue(lockDeclare)
	batch.Queue(withdraw, plugins, names, s.now())
	for i, d := range all {
		plugins[i], names[i] = d.PluginID, d.Name
		where, err := encodeScope(d.Scope)
		if err != nil {
			return err
		}
		batch.Queue(declare, d.PluginID, d.Name, d.URL, append([]string{}, d.Events...), where, s.config.Keys.encrypt(d.Secret), s.now())
	}
	if err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() }); err != nil {
		return fmt.Errorf("declare plugins' webhooks: %w", err)
	}
	return nil
}
