package webhook

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres"
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

	// withdraw withdraws subscriptions that no server has declared for a day: before that, a server that declares them
	// may be about to start.
	withdraw = `UPDATE core_webhooks w SET withdrawn_at = $1, updated_at = $1
		WHERE name IS NOT NULL AND withdrawn_at IS NULL AND declared_at < $1::timestamptz - interval '1 day'`

	confirm = `WITH own AS (SELECT w.id, w.withdrawn_at FROM core_webhooks w
			JOIN unnest($2::text[], $3::text[]) AS d (plugin_id, name) ON (d.plugin_id, d.name) = (w.plugin_id, w.name)),
		confirmed AS (UPDATE core_webhooks SET declared_at = $1
			WHERE id IN (SELECT id FROM own) AND declared_at < $1::timestamptz - interval '5 minutes')
		SELECT count(*) FROM own WHERE withdrawn_at IS NULL`

	declare = `INSERT INTO core_webhooks AS w (id, plugin_id, name, url, events, scope, secret, created_at, updated_at, declared_at)
		VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $7, $7)
		ON CONFLICT ON CONSTRAINT core_webhooks_name DO UPDATE
		SET url = excluded.url, events = excluded.events, scope = excluded.scope, secret = excluded.secret,
			withdrawn_at = NULL, declared_at = excluded.declared_at,
			updated_at = CASE WHEN w.withdrawn_at IS NOT NULL
				OR (w.url, w.events, w.scope, w.secret) IS DISTINCT FROM (excluded.url, excluded.events, excluded.scope, excluded.secret)
				THEN excluded.updated_at ELSE w.updated_at END`
)

// Declare stores the subscriptions that the plugins of this server declare. An existing
// subscription keeps its deliveries and stays disabled if an admin has disabled it. One that no
// server has declared for a day is withdrawn: it receives nothing and stays listed until it is
// declared again or an admin deletes it. Declare is idempotent, and servers may call it
// concurrently. Confirm must be called every few minutes.
func (s *Store) Declare(ctx context.Context, all ...Declared) error {
	batch := &pgx.Batch{}
	batch.Queue(lockDeclare)
	for _, d := range all {
		where, err := encodeScope(d.Scope)
		if err != nil {
			return err
		}
		batch.Queue(declare, d.PluginID, d.Name, d.URL, domain.OrNone(d.Events), where, s.config.Keys.Seal(d.Secret), s.now())
	}
	batch.Queue(withdraw, s.now())
	return postgres.Transact(ctx, s.pool, "declare plugins' webhooks", func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

// Confirm keeps the subscriptions that Declare stored from being withdrawn. It declares them again
// if some are withdrawn or missing, for example after a server of an older release withdrew other
// servers' subscriptions.
func (s *Store) Confirm(ctx context.Context, all ...Declared) error {
	plugins, names := make([]string, len(all)), make([]string, len(all))
	for i, d := range all {
		plugins[i], names[i] = d.PluginID, d.Name
	}
	there, err := postgres.CollectOne(ctx, s.pool, "confirm plugins' webhooks", pgx.RowTo[int], confirm, s.now(), plugins, names)
	if err == nil && there < len(all) {
		return s.Declare(ctx, all...)
	}
	if err == nil {
		err = postgres.Exec(ctx, s.pool, "withdraw webhooks", withdraw, s.now())
	}
	return err
}
