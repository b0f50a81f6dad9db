package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// A binding is what a stored hash of a secret is valid for. Its mac is stored beside the hash, so
// that a row is invalid if SQL moves it to another account or, with a key, creates it.
type binding struct {
	kind  string // session, a token with its use, or a link with its purpose
	owner string // the account or the plugin; "" for the link that makes the first account
	hash  []byte
}

func sessionBinding(userID string, hash []byte) binding { return binding{"session", userID, hash} }

func tokenBinding(use permission.Use, owner string, hash []byte) binding {
	return binding{"token " + string(use), owner, hash}
}

func linkBinding(p purpose, userID *string, hash []byte) binding {
	return binding{"link " + string(p), domain.OrEmpty(userID), hash}
}

// The first byte of a mac says how it was made.
const (
	macPlain = iota // SHA-256: anybody can compute it
	macKeyed        // HMAC-SHA-256
)

// bindingWindow is how long after the first start with a key rows from servers without the key are
// accepted, so that servers can be replaced one by one.
const bindingWindow = time.Hour

func (b binding) text() []byte {
	return slices.Concat([]byte("docket binding\x00"+b.kind+"\x00"+b.owner+"\x00"), b.hash)
}

func (b binding) plain() []byte {
	sum := sha256.Sum256(b.text())
	return append([]byte{macPlain}, sum[:]...)
}

func (b binding) keyed(key []byte) []byte {
	return append([]byte{macKeyed}, authenticate(key, b.text())...)
}

func authenticate(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

// bindingKeys are the keys of bindings: the first one binds and all verify. Without keys bindings
// are plain hashes.
type bindingKeys [][]byte

// newBindingKeys derives the keys for this purpose only.
func newBindingKeys(secrets [][]byte) (keys bindingKeys) {
	for _, secret := range secrets {
		keys = append(keys, authenticate(secret, []byte("docket accounts: bind")))
	}
	return keys
}

func (k bindingKeys) mac(b binding) []byte {
	if len(k) == 0 {
		return b.plain()
	}
	return b.keyed(k[0])
}

// holds returns the index of the key that made the mac, or -1.
func (k bindingKeys) holds(b binding, mac []byte) int {
	return slices.IndexFunc(k, func(key []byte) bool { return hmac.Equal(mac, b.keyed(key)) })
}

// accepts reports whether a row with the mac is accepted, and whether its mac must be renewed.
// loose accepts macs by servers without a key. A server without a key accepts keyed macs, which it
// cannot check, so that a key can be introduced server by server.
func (k bindingKeys) accepts(b binding, mac []byte, loose bool) (ok, renew bool) {
	if i := k.holds(b, mac); i >= 0 {
		return true, i > 0
	}
	if len(k) == 0 && len(mac) > 0 && mac[0] == macKeyed {
		return true, false
	}
	if mac == nil {
		return loose, true
	}
	return loose && hmac.Equal(mac, b.plain()), len(k) > 0
}

// accepts reports whether a row of a secret is valid for its binding, and whether its mac must be
// renewed.
func (s *Store) accepts(b binding, mac []byte) (ok, renew bool) {
	return s.keys.accepts(b, mac, s.loose(s.boundSince))
}

func (s *Store) loose(since time.Time) bool {
	return len(s.keys) == 0 || s.time().Before(since.Add(bindingWindow))
}

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
// served. With keys, rows that none of them binds are accepted only for an hour after the first call with a key, and
// never without a call.
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
