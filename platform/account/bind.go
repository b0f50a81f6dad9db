package account

import (
	"context"
	"crypto/hmac"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// boundTables are the tables with bindings, with a binding's kind and owner, in the order in which deleting an account
// locks them.
var boundTables = []struct{ name, kind, owner string }{
	{"core_sessions", "'session'", "user_id::text"},
	{"core_api_tokens", "'token ' || use", "user_id::text"},
	{"core_host_tokens", "'token ' || use", "plugin_id"},
	{"core_account_links", "'link ' || purpose", "coalesce(user_id::text, '')"},
	{"core_recovery_codes", "'recovery'", "user_id::text"},
}

type boundRow struct {
	binding
	mac []byte
}

// Bind binds to their owners the sessions, tokens, links and recovery codes that are unbound or bound by a former key,
// and returns how many. It reseals the secrets of second factors likewise. It must be called before requests are
// served: rows that no key binds are accepted only for an hour after the first call with a key, and never without a
// call.
func (s *Store) Bind(ctx context.Context) (n int, err error) {
	var since time.Time
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock bindings", "LOCK TABLE core_binding_keys IN EXCLUSIVE MODE"); err != nil {
			return err
		}
		rows := map[string][]boundRow{}
		known := false // a row is bound by a key
		for _, table := range boundTables {
			var err error
			rows[table.name], err = postgres.Collect(ctx, tx, "read bindings", func(row pgx.CollectableRow) (r boundRow, err error) {
				return r, row.Scan(&r.kind, &r.owner, &r.hash, &r.mac)
			}, "SELECT "+table.kind+", "+table.owner+", hash, mac FROM "+table.name+" WHERE hash IS NOT NULL")
			if err != nil {
				return err
			}
			for _, r := range rows[table.name] {
				known = known || s.keys.holds(r.binding, r.mac) >= 0
			}
		}
		if len(s.keys) > 0 {
			if since, err = s.noteKey(ctx, tx, known); err != nil {
				return err
			}
		}
		for _, table := range boundTables {
			var hashes, macs [][]byte
			for _, r := range rows[table.name] {
				if ok, renew := s.keys.accepts(r.binding, r.mac, s.loose(since)); ok && renew {
					hashes, macs = append(hashes, r.hash), append(macs, s.keys.mac(r.binding))
				}
			}
			n += len(hashes)
			err := postgres.Exec(ctx, tx, "bind", `UPDATE `+table.name+` t SET mac = n.mac
				FROM unnest($1::bytea[], $2::bytea[]) AS n (hash, mac) WHERE t.hash = n.hash`, hashes, macs)
			if err != nil {
				return err
			}
		}
		return s.sealAnew(ctx, tx, s.loose(since))
	})
	if err != nil {
		return 0, fmt.Errorf("bind sessions and tokens: %w", err)
	}
	s.boundSince = since
	return n, nil
}

// noteKey returns since when rows are bound by one of the keys, and stores that time on first use. If the stored time
// is missing or changed although rows are bound, somebody tampered with it, and no unbound row is accepted.
func (s *Store) noteKey(ctx context.Context, tx pgx.Tx, known bool) (since time.Time, err error) {
	valid := func(key []byte, since time.Time) []byte {
		return authenticate(key, []byte("docket bound since "+since.UTC().Format(time.RFC3339Nano)))
	}
	id := func(key []byte) []byte { return authenticate(key, []byte("docket binding key"))[:16] }
	for _, key := range s.keys {
		var noted time.Time
		var mac []byte
		err := postgres.ForEach(ctx, tx, "read binding keys", []any{&noted, &mac}, func() error {
			if !hmac.Equal(mac, valid(key, noted)) {
				known = true
			} else if since.IsZero() || noted.Before(since) {
				since = noted
			}
			return nil
		}, "SELECT since, mac FROM core_binding_keys WHERE id = $1", id(key))
		if err != nil {
			return time.Time{}, err
		}
	}
	switch {
	case !since.IsZero():
	case known:
		since = time.Unix(0, 0)
	default:
		since = s.time()
	}
	return since, postgres.Exec(ctx, tx, "note the binding key", `INSERT INTO core_binding_keys (id, since, mac) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET since = excluded.since, mac = excluded.mac`, id(s.keys[0]), since, valid(s.keys[0], since))
}

// sealAnew seals with the first key what is unsealed or sealed with a former one. A secret that cannot be opened stays
// as it is, and is useless.
func (s *Store) sealAnew(ctx context.Context, tx pgx.Tx, loose bool) error {
	var user, id string
	var sealed []byte
	batch := &pgx.Batch{}
	err := postgres.ForEach(ctx, tx, "read second factors", []any{&user, &id, &sealed}, func() error {
		if secret, renew, err := s.seals.Open(user, id, sealed, loose); err == nil && renew {
			batch.Queue("UPDATE core_factors SET secret = $2 WHERE id = $1", id, s.seals.Seal(user, id, secret))
		}
		return nil
	}, "SELECT user_id::text, id::text, secret FROM core_factors ORDER BY id")
	if err != nil || batch.Len() == 0 {
		return err
	}
	return tx.SendBatch(ctx, batch).Close()
}
