// Package rule stores the versions of rules in core_rules. Other modules must not import it.
package rule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Store stores rules. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
}

// New returns a Store.
func New(pool *pgxpool.Pool, l ledger.Ledger) *Store { return &Store{pool, l} }

// Ledger declares what the ledger proves about rules.
var Ledger = &ledger.Table{Kind: "rule", Name: "core_rules", Key: "key || '/' || version",
	Columns: []string{"id", "key", "version", "title", "mode", "mode_at", "published_at", "retired_at"}, Texts: []string{"expression", "effect"}}

// List pages rules by key and then version.
var List = paging.List{
	Orderings: []paging.Ordering{
		{Name: "key", Expr: "r.key", Kind: paging.Text},
		{Name: "publishedAt", Expr: "r.published_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "r.id", Kind: paging.UUID},
}

// Filter narrows a list.
type Filter struct {
	Key      string // "" means every key
	Versions Versions
}

// Versions selects the versions in a list; "" means those in force.
type Versions string

// The selections of versions.
const (
	Latest Versions = "latest" // the newest of each key, including retired ones
	All    Versions = "all"
)

const (
	selected = `SELECT r.id::text, r.key, r.version, r.title, r.expression, r.effect, r.mode, r.mode_at, r.published_at, r.retired_at FROM core_rules r `
	latest   = `NOT EXISTS (SELECT FROM core_rules n WHERE n.key = r.key AND n.version > r.version)`
	inForce  = latest + ` AND r.retired_at IS NULL`
)

func scan(row pgx.CollectableRow) (r rule.Rule, err error) {
	var then string
	if err := row.Scan(&r.ID, &r.Key, &r.Version, &r.Title, &r.When, &then, &r.Mode, &r.ModeAt, &r.PublishedAt, &r.RetiredAt); err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(then), &r.Then)
}

// List returns a page of rules.
func (s *Store) List(ctx context.Context, f Filter, r paging.Request) (paging.Page[rule.Rule], error) {
	return sqlpage.List[rule.Rule]{Task: "list rules",
		SQL:  selected + `WHERE ($1 = '' OR r.key = $1) AND ($2 = 'all' OR ` + latest + ` AND ($2 = 'latest' OR r.retired_at IS NULL))`,
		Args: []any{f.Key, f.Versions}, Scan: scan,
		Key: func(one rule.Rule) paging.Position {
			if r.OrderBy() == "publishedAt" {
				return paging.At(one.PublishedAt, one.ID)
			}
			return paging.Position{Value: paging.TextValue(one.Key), ID: paging.UUIDValue(one.ID)}
		}}.Read(ctx, s.pool, r)
}

// InForceSince returns the versions that were in force at a time or later, including drafts, sorted by key and version.
// RetiredAt is when the next version was published, and nil for the newest. Retired keys are left out.
func InForceSince(ctx context.Context, db postgres.Querier, at time.Time) ([]rule.Rule, error) {
	return postgres.Collect(ctx, db, "read the rules in force", scan, `SELECT r.id::text, r.key, r.version, r.title, r.expression, r.effect, r.mode, r.mode_at, r.published_at, r.next_at
		FROM (SELECT *, lead(published_at) OVER later AS next_at, max(retired_at) OVER later AS retired FROM core_rules
			WINDOW later AS (PARTITION BY key ORDER BY version ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)) r
		WHERE r.retired IS NULL AND (r.next_at IS NULL OR r.next_at >= $1) ORDER BY r.key, r.version`, at)
}

// ModesOf returns the modes that versions have had, from the ledger, the newest first.
func ModesOf(ctx context.Context, db postgres.Querier, versions []rule.Ref) (map[rule.Ref][]rule.Was, error) {
	keys, byKey := make([]string, len(versions)), make(map[string]rule.Ref, len(versions))
	for i, ref := range versions {
		keys[i] = keyOf(ref)
		byKey[keys[i]] = ref
	}
	modes := make(map[rule.Ref][]rule.Was, len(versions))
	var key string
	var payload []byte
	return modes, postgres.ForEach(ctx, db, "read the modes of rules", []any{&key, &payload}, func() error {
		var row struct {
			Mode   rule.Mode `json:"mode"`
			ModeAt time.Time `json:"mode_at"`
		}
		if err := json.Unmarshal(payload, &row); err != nil {
			return err
		}
		modes[byKey[key]] = append(modes[byKey[key]], rule.Was{Mode: row.Mode, Since: row.ModeAt})
		return nil
	}, `SELECT key, payload FROM core_ledger WHERE kind = $1 AND key = ANY ($2) AND payload IS NOT NULL ORDER BY key, version DESC`, Ledger.Kind, keys)
}

// keyOf is the ledger's key of a version.
func keyOf(r rule.Ref) string { return fmt.Sprintf("%s/%d", r.Key, r.Version) }

// Find returns a version of a key, or NotFound.
func Find(ctx context.Context, db postgres.Querier, ref rule.Ref) (rule.Rule, error) {
	return postgres.CollectFound(ctx, db, "find a rule", scan, selected+`WHERE r.key = $1 AND r.version = $2::bigint`, ref.Key, ref.Version)
}

// Find returns a version of a key, or NotFound.
func (s *Store) Find(ctx context.Context, ref rule.Ref) (rule.Rule, error) {
	return Find(ctx, s.pool, ref)
}

// Publish publishes the content as the next version of its key, unless it equals the version in force; published is
// then false. It returns invalid_state for a key beyond rule.MaxRules.
func (s *Store) Publish(ctx context.Context, actorID string, c rule.Content) (r rule.Rule, published bool, err error) {
	err = s.change(ctx, c.Key, func(tx pgx.Tx, newest rule.Rule) error {
		r, published = newest.Next(c, uuid.Must(uuid.NewV7()).String(), s.now())
		if !published {
			return nil
		}
		n, err := postgres.CollectOne(ctx, tx, "count rules", pgx.RowTo[int], `SELECT count(*) FROM core_rules r WHERE `+inForce+` AND r.key <> $1`, c.Key)
		if err != nil {
			return err
		}
		if n >= rule.MaxRules {
			return domain.Errorf(domain.CodeInvalidState, "%d rules are in force, and no more can be. Retire one first.", n)
		}
		then, err := json.Marshal(r.Then)
		if err != nil {
			return err
		}
		err = postgres.Exec(ctx, tx, "store it", `INSERT INTO core_rules (id, key, version, title, expression, effect, mode, mode_at, published_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, r.ID, r.Key, r.Version, r.Title, r.When, string(then), r.Mode, r.ModeAt, r.PublishedAt)
		if err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actorID, ledger.Change{Table: Ledger, Key: keyOf(r.Ref), After: ledger.Row{
			"id": r.ID, "key": r.Key, "version": r.Version, "title": r.Title, "expression": r.When, "effect": string(then),
			"mode": r.Mode, "mode_at": r.ModeAt, "published_at": r.PublishedAt}})
	})
	return r, published, err
}

// SetMode sets the mode of the version in force and returns it. It returns NotFound for an unknown key, and
// invalid_state for a retired one.
func (s *Store) SetMode(ctx context.Context, actorID, key string, m rule.Mode) (r rule.Rule, err error) {
	err = s.change(ctx, key, func(tx pgx.Tx, newest rule.Rule) error {
		if newest.Version == 0 {
			return domain.NotFound()
		}
		if r, err = newest.InMode(m, s.now()); err != nil {
			return err
		}
		return s.update(ctx, tx, actorID, r)
	})
	return r, err
}

// Retire retires a key and returns its newest version, or NotFound. Retiring it again changes nothing.
func (s *Store) Retire(ctx context.Context, actorID, key string) (r rule.Rule, err error) {
	err = s.change(ctx, key, func(tx pgx.Tx, newest rule.Rule) error {
		if r = newest; r.Version == 0 {
			return domain.NotFound()
		}
		if r.RetiredAt != nil {
			return nil
		}
		r.RetiredAt = new(s.now())
		return s.update(ctx, tx, actorID, r)
	})
	return r, err
}

// change runs f with the newest version of the key, or the zero Rule if there is none. All changes of rules are
// serialized.
func (s *Store) change(ctx context.Context, key string, f func(tx pgx.Tx, newest rule.Rule) error) error {
	return postgres.Transact(ctx, s.pool, "change a rule", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock the rules", `SELECT pg_advisory_xact_lock(hashtextextended('docket:rules', 0))`); err != nil {
			return err
		}
		newest, err := postgres.CollectOne(ctx, tx, "read its newest version", scan, selected+`WHERE r.key = $1 ORDER BY r.version DESC LIMIT 1`, key)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return f(tx, newest)
	})
}

// update stores the mode and the retirement of a version.
func (s *Store) update(ctx context.Context, tx pgx.Tx, actorID string, r rule.Rule) error {
	changes, err := Ledger.Find(ctx, tx, `id = $1`, r.ID)
	if err != nil {
		return err
	}
	for i, c := range changes {
		changes[i].After = c.Before.With(ledger.Row{"mode": r.Mode, "mode_at": r.ModeAt, "retired_at": r.RetiredAt})
	}
	err = postgres.Exec(ctx, tx, "store it", `UPDATE core_rules SET mode = $2, mode_at = $3, retired_at = $4 WHERE id = $1`, r.ID, r.Mode, r.ModeAt, r.RetiredAt)
	if err != nil {
		return err
	}
	return s.ledger.Append(ctx, tx, actorID, changes...)
}

// now returns the time at PostgreSQL's precision.
func (s *Store) now() time.Time { return s.ledger.Now().UTC().Truncate(time.Microsecond) }
