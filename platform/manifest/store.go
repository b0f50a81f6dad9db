// Package manifest stores the manifests of platforms that are connected in the panel, in versions that never change,
// and their generated secrets. Connections serves them: every server applies a change within a few seconds, without a
// restart. Other modules must not import it.
package manifest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/platform/sealing"
)

// Ledger declares what the ledger proves about manifests, and SecretLedger about their secrets.
var (
	Ledger = &ledger.Table{Kind: "platform", Name: "core_platform_versions", Key: "platform_id || '/' || version",
		Columns: []string{"platform_id", "version", "off", "made_at"}, Texts: []string{"manifest"}}
	SecretLedger = &ledger.Table{Kind: "platform_secret", Name: "core_platform_secrets", Key: "id",
		Columns: []string{"platform_id", "made_at", "ends_at"}, Texts: []string{"secret"}}
)

const (
	// overlap is how long a secret stays valid after its replacement.
	overlap = time.Hour
	// maxFormer bounds how many former secrets of a platform are valid at once.
	maxFormer = 3
	// maxVersions bounds how many of the latest versions are listed.
	maxVersions = 100
)

// Stored is the version in force of a platform.
type Stored struct {
	ID       string
	Version  int
	Manifest string
	Off      bool
}

// Draft is a new version.
type Draft struct {
	Manifest string
	Off      bool
}

// Version is one version of a platform. By is "" if an operator made it; ByName is "" if the account is deleted.
type Version struct {
	Number     int
	Off        bool
	At         time.Time
	By, ByName string
}

// Store stores manifests. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
	keys   sealing.Keys
}

// NewStore returns a Store. The keys seal the secrets.
func NewStore(pool *pgxpool.Pool, l ledger.Ledger, keys sealing.Keys) *Store {
	return &Store{pool, l, keys}
}

// Mark returns a text that changes with each change of a platform. It is cheap.
func (s *Store) Mark(ctx context.Context) (string, error) {
	return postgres.CollectOne(ctx, s.pool, "look for changed platforms", pgx.RowTo[string],
		`SELECT (SELECT count(*) FROM core_platform_versions) || ' ' || coalesce((SELECT string_agg(id::text, ' ' ORDER BY id) FROM core_platform_secrets), '')`)
}

// Newest returns the version in force of every platform, sorted by id.
func (s *Store) Newest(ctx context.Context) ([]Stored, error) { return newest(ctx, s.pool) }

func newest(ctx context.Context, db postgres.Querier) ([]Stored, error) {
	return postgres.Collect(ctx, db, "read platforms", pgx.RowToStructByPos[Stored],
		`SELECT DISTINCT ON (platform_id) platform_id, version, manifest, off FROM core_platform_versions ORDER BY platform_id, version DESC`)
}

// Connected reports whether any platform is on.
func Connected(ctx context.Context, db postgres.Querier) (bool, error) {
	all, err := newest(ctx, db)
	return slices.ContainsFunc(all, func(p Stored) bool { return !p.Off }), err
}

// Secrets returns the secrets of every platform by its id, the present one first. A platform
// whose secrets cannot be opened has none.
func (s *Store) Secrets(ctx context.Context) (map[string][]remote.Secret, error) {
	all := map[string][]remote.Secret{}
	var id, sealed string
	var ends *time.Time
	return all, postgres.ForEach(ctx, s.pool, "read the secrets of platforms", []any{&id, &sealed, &ends}, func() error {
		text, err := s.keys.Open(sealed)
		if err != nil {
			return nil //nolint:nilerr // the platform is then faulty, and says why
		}
		secret := remote.Secret{Text: text}
		if ends != nil {
			secret.Until = *ends
		}
		all[id] = append(all[id], secret)
		return nil
	}, `SELECT platform_id, secret, ends_at FROM core_platform_secrets ORDER BY platform_id, ends_at DESC NULLS FIRST`)
}

// Versions returns the latest versions of a platform, the newest first.
func (s *Store) Versions(ctx context.Context, id string) ([]Version, error) {
	return postgres.Collect(ctx, s.pool, "list the versions of a platform", pgx.RowToStructByPos[Version], `
		SELECT v.version, v.off, v.made_at, coalesce(l.actor_id::text, ''), coalesce(u.name, '')
		FROM core_platform_versions v
		LEFT JOIN core_ledger l ON l.kind = 'platform' AND l.key = v.platform_id || '/' || v.version AND l.version = 1
		LEFT JOIN core_users u ON u.id = l.actor_id
		WHERE v.platform_id = $1 ORDER BY v.version DESC LIMIT $2`, id, maxVersions)
}

// Manifest returns the text of a version, or not_found.
func (s *Store) Manifest(ctx context.Context, id string, version int) (string, error) {
	return manifestOf(ctx, s.pool, id, version)
}

func manifestOf(ctx context.Context, db postgres.Querier, id string, version int) (string, error) {
	return postgres.CollectFound(ctx, db, "read a version of a platform", pgx.RowTo[string],
		`SELECT manifest FROM core_platform_versions WHERE platform_id = $1 AND version = $2::bigint`, id, version)
}

// Write stores the result of decide as the next version of a platform; nil changes nothing. decide gets the versions in
// force, which are locked until it returns, and must not call other services. For a new platform Write returns the
// secret, which is shown only once.
func (s *Store) Write(ctx context.Context, actor, id string, decide func(ctx context.Context, db postgres.Querier, all []Stored) (*Draft, error)) (secret string, err error) {
	err = s.locked(ctx, func(tx pgx.Tx) error {
		all, err := newest(ctx, tx)
		if err != nil {
			return err
		}
		d, err := decide(ctx, tx, all)
		if err != nil || d == nil {
			return err
		}
		version, changes := 1, []ledger.Change{}
		if i := slices.IndexFunc(all, func(p Stored) bool { return p.ID == id }); i >= 0 {
			version = all[i].Version + 1
		} else {
			made, change, err := s.addSecret(ctx, tx, id)
			if err != nil {
				return err
			}
			secret, changes = made, append(changes, change)
		}
		at := s.now()
		if err := postgres.Exec(ctx, tx, "store a version of a platform", `INSERT INTO core_platform_versions (platform_id, version, manifest, off, made_at)
			VALUES ($1, $2, $3, $4, $5)`, id, version, d.Manifest, d.Off, at); err != nil {
			return err
		}
		row := ledger.Row{"platform_id": id, "version": version, "manifest": d.Manifest, "off": d.Off, "made_at": at}
		changes = append(changes, ledger.Change{Table: Ledger, Key: fmt.Sprintf("%s/%d", id, version), After: row})
		return s.ledger.Append(ctx, tx, actor, changes...)
	})
	return secret, err
}

// NewSecret replaces the secret of a platform, which stays valid for another hour, or returns not_found.
func (s *Store) NewSecret(ctx context.Context, actor, id string) (secret string, err error) {
	err = s.locked(ctx, func(tx pgx.Tx) error {
		found, err := SecretLedger.Find(ctx, tx, "platform_id = $1 ORDER BY made_at", id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return domain.NotFound()
		}
		now, former, changes := s.now(), 0, []ledger.Change{}
		for _, c := range found {
			ends, ended := c.Before["ends_at"].(time.Time)
			switch {
			case !ended:
				c.After = c.Before.With(ledger.Row{"ends_at": now.Add(overlap)})
				err = postgres.Exec(ctx, tx, "end a secret", `UPDATE core_platform_secrets SET ends_at = $2 WHERE id = $1`, c.Key, now.Add(overlap))
			case ends.After(now):
				former++
				continue
			default:
				err = postgres.Exec(ctx, tx, "delete a former secret", `DELETE FROM core_platform_secrets WHERE id = $1`, c.Key)
			}
			if err != nil {
				return err
			}
			changes = append(changes, c)
		}
		if former >= maxFormer {
			return domain.Errorf(domain.CodeInvalidState, "%d former secrets of this platform are still good: wait until the first of them ends, an hour after it was replaced.", former)
		}
		made, change, err := s.addSecret(ctx, tx, id)
		if err != nil {
			return err
		}
		secret = made
		return s.ledger.Append(ctx, tx, actor, append(changes, change)...)
	})
	return secret, err
}

func (s *Store) addSecret(ctx context.Context, tx pgx.Tx, id string) (secret string, c ledger.Change, err error) {
	secret = sealing.NewSecret()
	key, sealed, at := uuid.Must(uuid.NewV7()).String(), s.keys.Seal(secret), s.now()
	c = ledger.Change{Table: SecretLedger, Key: key, After: ledger.Row{"platform_id": id, "secret": sealed, "made_at": at}}
	return secret, c, postgres.Exec(ctx, tx, "store a secret", `INSERT INTO core_platform_secrets (id, platform_id, secret, made_at) VALUES ($1, $2, $3, $4)`, key, id, sealed, at)
}

// SealSecrets seals the secrets that are unsealed, or sealed with a former key, and returns how many.
func (s *Store) SealSecrets(ctx context.Context) (n int, err error) {
	err = s.locked(ctx, func(tx pgx.Tx) error {
		n = 0
		found, err := SecretLedger.Find(ctx, tx, "true ORDER BY id")
		if err != nil {
			return err
		}
		var changes []ledger.Change
		for _, c := range found {
			stored, _ := c.Before["secret"].(string)
			sealed, changed := s.keys.Anew(stored)
			if !changed {
				continue
			}
			if err := postgres.Exec(ctx, tx, "seal a secret", `UPDATE core_platform_secrets SET secret = $2 WHERE id = $1`, c.Key, sealed); err != nil {
				return err
			}
			c.After = c.Before.With(ledger.Row{"secret": sealed})
			changes = append(changes, c)
			n++
		}
		return s.ledger.Append(ctx, tx, "", changes...)
	})
	return n, err
}

// locked runs work in a transaction that excludes all other changes of platforms.
func (s *Store) locked(ctx context.Context, work func(pgx.Tx) error) error {
	return postgres.Transact(ctx, s.pool, "change a platform", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock the platforms", `SELECT pg_advisory_xact_lock(hashtextextended('docket:platforms', 0))`); err != nil {
			return err
		}
		return work(tx)
	})
}

func (s *Store) now() time.Time { return s.ledger.Now().UTC().Truncate(time.Microsecond) }
