// Package hold stores legal holds in core_holds. Other modules must not import it.
package hold

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Store stores holds. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
	issuer string // whose subjects are ids of authors in every plugin; "" for none
}

// New returns a Store.
func New(pool *pgxpool.Pool, l ledger.Ledger, issuer string) *Store { return &Store{pool, l, issuer} }

// Ledger declares what the ledger proves about holds. Package proof reads from it which holds stood when evidence was
// erased.
var Ledger = &ledger.Table{Kind: "hold", Name: "core_holds", Key: "id",
	Columns: []string{"id", "reports", "author_id", "plugin_id", "authors", "until", "set_by", "set_at", "lifted_by", "lifted_at"},
	Texts:   []string{"basis", "reference"}, Accounts: []string{"set_by", "lifted_by"}}

// Listed is a hold with the names of its accounts; "" for deleted ones.
type Listed struct {
	hold.Hold
	SetByName, LiftedByName string
}

// List pages holds, the latest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "setAt", Expr: "h.set_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "h.id", Kind: paging.UUID},
}

// Filter narrows a list.
type Filter struct {
	Status hold.Status // "" means every status
	Report string      // id; "" means of every report
}

const (
	selected = `SELECT h.id::text, h.reports, h.author_id, h.plugin_id, h.authors, h.basis, h.reference, h.until, coalesce(h.set_by::text, ''), h.set_at,
		coalesce(h.lifted_by::text, ''), h.lifted_at, coalesce(s.name, ''), coalesce(l.name, '') FROM `
	named = ` h LEFT JOIN core_users s ON s.id = h.set_by LEFT JOIN core_users l ON l.id = h.lifted_by `
	table = selected + `core_holds` + named
	// lock excludes erasures of evidence, which take it in shared mode.
	lock       = `SELECT pg_advisory_xact_lock(hashtextextended('docket:holds', 0))`
	lockShared = `SELECT pg_advisory_xact_lock_shared(hashtextextended('docket:holds', 0))`
)

func scan(row pgx.CollectableRow) (h Listed, err error) {
	var author, plugin *string
	err = row.Scan(&h.ID, &h.Reports, &author, &plugin, &h.Authors, &h.Basis, &h.Reference, &h.Until, &h.SetBy, &h.SetAt,
		&h.LiftedBy, &h.LiftedAt, &h.SetByName, &h.LiftedByName)
	if author != nil {
		h.Author = &measure.Author{PluginID: domain.OrEmpty(plugin), ID: *author}
	}
	return h, err
}

// List returns a page of holds.
func (s *Store) List(ctx context.Context, f Filter, r paging.Request) (paging.Page[Listed], error) {
	from, args := table, []any{f.Status, s.now()}
	if f.Report != "" {
		from, args = selected+`core_holds_of($3)`+named, append(args, f.Report)
	}
	return sqlpage.List[Listed]{Task: "list holds", Args: args, Scan: scan,
		SQL: from + `WHERE $1 IN ('', CASE WHEN h.lifted_at IS NOT NULL THEN 'lifted' WHEN h.until <= $2 THEN 'ended' ELSE 'standing' END)`,
		Key: func(h Listed) paging.Position { return paging.At(h.SetAt, h.ID) }}.Read(ctx, s.pool, r)
}

// Find returns a hold, or NotFound.
func (s *Store) Find(ctx context.Context, id string) (Listed, error) {
	return postgres.CollectFound(ctx, s.pool, "find a hold", scan, table+`WHERE h.id = $1`, id)
}

// Unknown returns the ids that are not ids of reports.
func (s *Store) Unknown(ctx context.Context, ids []string) ([]string, error) {
	return postgres.Collect(ctx, s.pool, "look for reports", pgx.RowTo[string],
		`SELECT i FROM unnest($1::text[]) i WHERE NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.id = i::uuid)`, ids)
}

// Set stores a hold. After it returns, nothing that the hold covers is erased.
func (s *Store) Set(ctx context.Context, by string, c hold.Content) (Listed, error) {
	id := uuid.Must(uuid.NewV7()).String()
	err := postgres.Transact(ctx, s.pool, "set a hold", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock the holds", lock); err != nil {
			return err
		}
		// It is after the erasures that it has waited for, whatever their servers' clocks show. It reads
		// the index core_moderation_report_events_type.
		now := s.now()
		at, err := postgres.CollectOne(ctx, tx, "read the last erasure", pgx.RowTo[time.Time], `SELECT greatest($1::timestamptz, max(occurred_at) + interval '1 microsecond')
			FROM core_moderation_report_events WHERE type = $2 AND occurred_at >= $1`, now, report.EvidenceErasedType)
		if err != nil {
			return err
		}
		made := ledger.Row{"id": id, "reports": c.Reports, "basis": c.Basis, "reference": c.Reference, "until": c.Until, "set_by": by, "set_at": at}
		if c.Reports == nil {
			made["reports"] = nil
		}
		if a := c.Author; a != nil {
			made["author_id"], made["plugin_id"] = a.ID, domain.OrNull(a.PluginID)
			if made["authors"], err = s.keys(ctx, tx, *a); err != nil {
				return err
			}
		}
		err = postgres.Exec(ctx, tx, "store it", `INSERT INTO core_holds (id, reports, author_id, plugin_id, authors, basis, reference, until, set_by, set_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, id, made["reports"], made["author_id"], made["plugin_id"], made["authors"], c.Basis, c.Reference, c.Until, by, at)
		if err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, by, ledger.Change{Table: Ledger, Key: id, After: made})
	})
	if err != nil {
		return Listed{}, err
	}
	return s.Find(ctx, id)
}

// identities is the SQL for the ids under which an account, given as an expression, is an author of content; of any
// plugin if plugin is null.
func identities(account string) string {
	return `SELECT NULL::text AS plugin, (` + account + `)::text AS id UNION ALL
		SELECT CASE WHEN issuer LIKE 'plugin:%' THEN substr(issuer, 8) END, subject FROM core_user_identities WHERE user_id = ` + account
}

// keys returns the sorted keys of an author: the given id and, if it has an account, that account's other ids.
func (s *Store) keys(ctx context.Context, tx pgx.Tx, a measure.Author) ([]string, error) {
	keys, err := postgres.Collect(ctx, tx, "find the ids of an author", pgx.RowTo[string], `SELECT coalesce(i.plugin, '') || ':' || i.id
		FROM core_author_account($1, $2, $3) a (account), LATERAL (`+identities("a.account")+`) i WHERE a.account IS NOT NULL`, a.PluginID, a.ID, s.issuer)
	keys = append(keys, hold.AuthorKey(a))
	slices.Sort(keys)
	return slices.Compact(keys), err
}

// Lift ends a hold early and returns it. It returns NotFound, or own_decision for the person who set it. A hold that
// has ended stays as it is.
func (s *Store) Lift(ctx context.Context, by, id string) (Listed, error) {
	err := postgres.Transact(ctx, s.pool, "lift a hold", func(tx pgx.Tx) error {
		found, err := postgres.CollectFound(ctx, tx, "lock a hold", scan, table+`WHERE h.id = $1 FOR NO KEY UPDATE OF h`, id)
		if err != nil {
			return err
		}
		lifted, err := found.Lift(by, s.now())
		if err != nil || lifted.LiftedAt == found.LiftedAt {
			return err
		}
		changes, err := Ledger.Find(ctx, tx, `id = $1`, id)
		if err != nil {
			return err
		}
		for i, c := range changes {
			changes[i].After = c.Before.With(ledger.Row{"lifted_by": by, "lifted_at": lifted.LiftedAt})
		}
		if err := postgres.Exec(ctx, tx, "store it", `UPDATE core_holds SET lifted_by = $2, lifted_at = $3 WHERE id = $1`, id, by, lifted.LiftedAt); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, by, changes...)
	})
	if err != nil {
		return Listed{}, err
	}
	return s.Find(ctx, id)
}

// AllowAccountDeletion returns held if a standing hold names the account, or covers a report with texts or content by
// the account. No hold can be set until the transaction ends.
func (s *Store) AllowAccountDeletion(ctx context.Context, tx pgx.Tx, account string) error {
	if err := postgres.Exec(ctx, tx, "lock the holds", lockShared); err != nil {
		return err
	}
	until, err := postgres.CollectOne(ctx, tx, "look for holds on an account", pgx.RowTo[*time.Time], heldAccount, account)
	if err == nil && until != nil {
		return hold.Held("Nothing was deleted: the account, its words or its content are", *until)
	}
	return err
}

// heldAccount selects when the last standing hold that concerns the account $1 ends. It finds reports with texts by the
// account in the index core_moderation_report_events_actor, and those of content with another author who is held in
// core_moderation_report_authors, or in core_moderation_cases while they are open.
var heldAccount = `WITH standing AS MATERIALIZED (SELECT * FROM core_holds WHERE lifted_at IS NULL AND until > now()),
	mine AS MATERIALIZED (` + identities("$1::uuid") + `)
	SELECT max(until) FROM (
		SELECT h.until FROM standing h WHERE EXISTS (SELECT FROM unnest(h.authors) k JOIN mine m ON m.id = substr(k, strpos(k, ':') + 1)
			AND (m.plugin IS NULL OR split_part(k, ':', 1) IN ('', m.plugin)))
		UNION ALL SELECT h.until FROM standing h WHERE EXISTS (SELECT FROM unnest(h.reports) i JOIN core_moderation_reports r ON r.id = i::uuid
			CROSS JOIN LATERAL json_array_elements(coalesce(r.authors, CASE json_typeof(r.snapshot -> 'authors') WHEN 'array' THEN r.snapshot -> 'authors' END)) a
			JOIN mine m ON m.id = a ->> 'id' AND (m.plugin IS NULL OR m.plugin = r.plugin_id))
		UNION ALL SELECT h.until FROM (SELECT report_id FROM core_moderation_report_events
				WHERE actor_id = $1::uuid AND evidence IS NOT NULL AND EXISTS (SELECT FROM standing)
			UNION SELECT w.report_id FROM core_moderation_report_authors w JOIN mine m ON m.id = w.author AND (m.plugin IS NULL OR m.plugin = w.plugin_id)
				WHERE EXISTS (SELECT FROM standing WHERE authors IS NOT NULL)
			UNION SELECT r.id FROM core_moderation_cases c JOIN mine m ON c.authors @> ARRAY[m.id] AND (m.plugin IS NULL OR m.plugin = c.plugin_id)
				JOIN core_moderation_reports r USING (plugin_id, target_type, target_id)
				WHERE r.status <> 'done' AND EXISTS (SELECT FROM standing WHERE authors IS NOT NULL)) w CROSS JOIN LATERAL core_holds_of(w.report_id) o JOIN standing h ON h.id = o.id) held`

// now returns the time at PostgreSQL's precision.
func (s *Store) now() time.Time { return s.ledger.Now().UTC().Truncate(time.Microsecond) }
