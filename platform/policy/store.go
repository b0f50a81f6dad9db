// Package policy stores the versions of policies in core_policies. Other modules must not import it.
package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Store stores policies. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
}

// New returns a Store.
func New(pool *pgxpool.Pool, l ledger.Ledger) *Store { return &Store{pool, l} }

// Ledger declares what the ledger proves about policies. The tables beside core_policies have their own.
var Ledger = &ledger.Table{Kind: "policy", Name: "core_policies", Key: "key || '/' || version",
	Columns: []string{"id", "key", "version", "title", "published_at", "retired_at"}, Texts: []string{"text", "template"}}

// ReportableLedger declares what the ledger proves about the versions that reporters may name.
var ReportableLedger = &ledger.Table{Kind: "reportable", Name: "core_policy_reportable", Key: "key || '/' || version",
	Columns: []string{"key", "version"}}

// SecondKeyLedger declares what the ledger proves about the versions whose decisions need a second person.
var SecondKeyLedger = &ledger.Table{Kind: "second key", Name: "core_policy_second_keys", Key: "key || '/' || version",
	Columns: []string{"key", "version"}}

// StrikesLedger declares what the ledger proves about the strikes of policy versions.
var StrikesLedger = &ledger.Table{Kind: "strikes", Name: "core_policy_strikes", Key: "key || '/' || version",
	Columns: []string{"key", "version", "strikes", "days"}}

// StatementLedger declares what the ledger proves about the bases of policy versions for the
// transparency database.
var StatementLedger = &ledger.Table{Kind: "statement", Name: "core_policy_statements", Key: "key || '/' || version",
	Columns: []string{"key", "version", "statement"}}

// List pages policies by key and then version.
var List = paging.List{
	Orderings: []paging.Ordering{
		{Name: "key", Expr: "p.key", Kind: paging.Text},
		{Name: "publishedAt", Expr: "p.published_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "p.id", Kind: paging.UUID},
}

// Filter narrows a list.
type Filter struct {
	Key      string // "" means every key
	Versions Versions
}

// Versions selects the versions in a list.
type Versions string

// The selections of versions.
const (
	InForce Versions = ""
	Latest  Versions = "latest" // the newest of each key, including retired ones
	All     Versions = "all"
)

const (
	columns = `p.id::text, p.key, p.version, p.title, p.text, p.template, p.published_at, p.retired_at, coalesce(s.strikes, 0), coalesce(s.days, 365), f.key IS NOT NULL, k.key IS NOT NULL, b.statement`
	from    = ` FROM core_policies p LEFT JOIN core_policy_strikes s ON s.key = p.key AND s.version = p.version
		LEFT JOIN core_policy_reportable f ON f.key = p.key AND f.version = p.version
		LEFT JOIN core_policy_second_keys k ON k.key = p.key AND k.version = p.version
		LEFT JOIN core_policy_statements b ON b.key = p.key AND b.version = p.version `
)

// SQL conditions on core_policies p: it is the newest version of its key, and it is the version in force.
const (
	latest  = `NOT EXISTS (SELECT FROM core_policies n WHERE n.key = p.key AND n.version > p.version)`
	inForce = `p.retired_at IS NULL AND ` + latest
)

func scan(row pgx.CollectableRow) (policy.Policy, error) {
	var p policy.Policy
	var text string
	var template *string
	err := row.Scan(&p.ID, &p.Key, &p.Version, &p.Title, &text, &template, &p.PublishedAt, &p.RetiredAt, &p.Strikes, &p.StrikeDays, &p.Reportable, &p.SecondKey, &p.Statement)
	p.Text = []byte(text)
	if template != nil {
		p.Template = []byte(*template)
	}
	return p, err
}

// List returns a page of policies.
func (s *Store) List(ctx context.Context, f Filter, r paging.Request) (paging.Page[policy.Policy], error) {
	return sqlpage.List[policy.Policy]{Task: "list policies",
		SQL:  `SELECT ` + columns + from + `WHERE ($1 = '' OR p.key = $1) AND ($2 = 'all' OR ` + latest + ` AND ($2 = 'latest' OR p.retired_at IS NULL))`,
		Args: []any{f.Key, f.Versions}, Scan: scan,
		Key: func(p policy.Policy) paging.Position {
			if r.OrderBy() == "publishedAt" {
				return paging.At(time.Time(p.PublishedAt), p.ID)
			}
			return paging.Position{Value: paging.TextValue(p.Key), ID: paging.UUIDValue(p.ID)}
		}}.Read(ctx, s.pool, r)
}

// Newest returns the version of a key that is in force, or nil.
func (s *Store) Newest(ctx context.Context, key string) (*policy.Policy, error) {
	return postgres.CollectFirst(ctx, s.pool, "find policy", scan, `SELECT `+columns+from+`WHERE p.key = $1 AND `+inForce, key)
}

// Version returns a version, in force or not, or nil.
func (s *Store) Version(ctx context.Context, ref policy.Ref) (*policy.Policy, error) {
	return postgres.CollectFirst(ctx, s.pool, "find version of policy", scan, `SELECT `+columns+from+`WHERE p.key = $1 AND p.version = $2::bigint`, ref.Key, ref.Version)
}

// Publish publishes the draft as the next version of its key, unless it equals the version in force; published is then
// false. Concurrent calls for one key are serialized.
func (s *Store) Publish(ctx context.Context, actorID string, d policy.Draft) (p policy.Policy, published bool, err error) {
	err = postgres.Transact(ctx, s.pool, "publish policy", func(tx pgx.Tx) error {
		newest, err := lockNewest(ctx, tx, d.Key)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		p, published = newest, newest.Changes(d)
		if !published {
			return nil
		}
		id, at := uuid.Must(uuid.NewV7()).String(), s.ledger.Now().UTC()
		var template *string
		if d.Template != nil {
			template = new(string(d.Template))
		}
		err = postgres.Exec(ctx, tx, "store it", `INSERT INTO core_policies (id, key, version, title, text, template, published_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, id, d.Key, newest.Version+1, d.Title, string(d.Text), template, at)
		if err != nil {
			return err
		}
		changes, err := storeStrikes(ctx, tx, d, newest.Version+1)
		if err != nil {
			return err
		}
		for _, mark := range []struct {
			set   bool
			table *ledger.Table
		}{{d.Reportable, ReportableLedger}, {d.SecondKey, SecondKeyLedger}} {
			if !mark.set {
				continue
			}
			if err := postgres.Exec(ctx, tx, "mark it", `INSERT INTO `+mark.table.Name+` (key, version) VALUES ($1, $2)`, d.Key, newest.Version+1); err != nil {
				return err
			}
			changes = append(changes, ledger.Change{Table: mark.table, Key: fmt.Sprintf("%s/%d", d.Key, newest.Version+1),
				After: ledger.Row{"key": d.Key, "version": newest.Version + 1}})
		}
		stated, err := storeStatement(ctx, tx, d, newest.Version+1)
		if err != nil {
			return err
		}
		changes = append(changes, stated...)
		if p, err = readNewest(ctx, tx, d.Key); err != nil {
			return err
		}
		changes = append(changes, ledger.Change{Table: Ledger, Key: fmt.Sprintf("%s/%d", d.Key, newest.Version+1), After: ledger.Row{
			"id": id, "key": d.Key, "version": newest.Version + 1, "title": d.Title, "text": string(d.Text), "template": template, "published_at": at}})
		return s.ledger.Append(ctx, tx, actorID, changes...)
	})
	return p, published, err
}

// Retire retires a key and returns its newest version, or NotFound. Decisions still cite it. Retiring it again changes
// nothing.
func (s *Store) Retire(ctx context.Context, actorID, key string) (p policy.Policy, err error) {
	at := s.ledger.Now().UTC()
	err = postgres.Transact(ctx, s.pool, "retire policy", func(tx pgx.Tx) error {
		if _, err := lockNewest(ctx, tx, key); errors.Is(err, pgx.ErrNoRows) {
			return domain.NotFound()
		} else if err != nil {
			return err
		}
		changes, err := Ledger.Find(ctx, tx, `key = $1 AND retired_at IS NULL ORDER BY version`, key)
		if err != nil {
			return err
		}
		for i, c := range changes {
			changes[i].After = c.Before.With(ledger.Row{"retired_at": at})
		}
		if _, err := tx.Exec(ctx, `UPDATE core_policies SET retired_at = $2 WHERE key = $1 AND retired_at IS NULL`, key, at); err != nil {
			return err
		}
		if p, err = readNewest(ctx, tx, key); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actorID, changes...)
	})
	return p, err
}

// lockNewest locks the key against other changes and returns its newest version, or pgx.ErrNoRows.
func lockNewest(ctx context.Context, tx pgx.Tx, key string) (policy.Policy, error) {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('docket:policy:' || $1, 0))`, key); err != nil {
		return policy.Policy{}, err
	}
	return readNewest(ctx, tx, key)
}

func readNewest(ctx context.Context, tx pgx.Tx, key string) (policy.Policy, error) {
	return postgres.CollectOne(ctx, tx, "read its newest version", scan, `SELECT `+columns+from+`WHERE p.key = $1 ORDER BY p.version DESC LIMIT 1`, key)
}

// storeStrikes stores the strikes of a new version, and for how many days they count, unless both are the default.
func storeStrikes(ctx context.Context, tx pgx.Tx, d policy.Draft, version int) ([]ledger.Change, error) {
	days := cmp.Or(d.StrikeDays, policy.DefaultStrikeDays)
	if d.Strikes == 0 && days == policy.DefaultStrikeDays {
		return nil, nil
	}
	err := postgres.Exec(ctx, tx, "store its strikes", `INSERT INTO core_policy_strikes (key, version, strikes, days) VALUES ($1, $2, $3, $4)`,
		d.Key, version, d.Strikes, days)
	return []ledger.Change{{Table: StrikesLedger, Key: fmt.Sprintf("%s/%d", d.Key, version),
		After: ledger.Row{"key": d.Key, "version": version, "strikes": d.Strikes, "days": days}}}, err
}

// storeStatement stores a new version's basis for the transparency database, if it has one.
func storeStatement(ctx context.Context, tx pgx.Tx, d policy.Draft, version int) ([]ledger.Change, error) {
	if d.Statement == nil {
		return nil, nil
	}
	err := postgres.Exec(ctx, tx, "store its statement", `INSERT INTO core_policy_statements (key, version, statement) VALUES ($1, $2, $3)`, d.Key, version, d.Statement)
	return []ledger.Change{{Table: StatementLedger, Key: fmt.Sprintf("%s/%d", d.Key, version),
		After: ledger.Row{"key": d.Key, "version": version, "statement": d.Statement}}}, err
}
