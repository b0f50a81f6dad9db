package staff

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Get returns an entry, or not_found.
func (s *Store) Get(ctx context.Context, kind permission.Kind, id string) (Entry, error) {
	id, err := canonical(id)
	if err != nil {
		return Entry{}, err
	}
	return get(ctx, s.pool, kind, id)
}

// EntryOf returns the permissions in the entry of an account, or not_found.
func (s *Store) EntryOf(ctx context.Context, kind permission.Kind, userID string) (*permission.Entry, error) {
	e, err := postgres.CollectFound(ctx, s.pool, "get the staff entry of an account", scanEntry, `SELECT `+entryColumns+`
		FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE e.user_id = $1 AND e.kind = $2`, userID, kind)
	if err != nil {
		return nil, err
	}
	return &e.Entry, nil
}

// canonical returns the id in PostgreSQL's form, or not_found.
func canonical(id string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return "", domain.NotFound()
	}
	return parsed.String(), nil
}

func get(ctx context.Context, q postgres.Querier, kind permission.Kind, id string) (Entry, error) {
	return postgres.CollectFound(ctx, q, "get staff entry", scanEntry, `SELECT `+entryColumns+`
		FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE e.id = $1 AND e.kind = $2`, id, kind)
}

// HasAdmin reports whether anybody has an admin entry.
func (s *Store) HasAdmin(ctx context.Context, tx pgx.Tx) (bool, error) {
	return postgres.CollectOne(ctx, tx, "look for an administrator", pgx.RowTo[bool], `SELECT EXISTS (SELECT FROM core_staff_entries WHERE kind = 'admin')`)
}

// Administrators counts the enabled accounts with an admin entry.
func Administrators(ctx context.Context, q postgres.Querier) (int, error) {
	return postgres.CollectOne(ctx, q, "count administrators", pgx.RowTo[int], `SELECT count(*) FROM core_staff_entries e
		JOIN core_users u ON u.id = e.user_id WHERE e.kind = 'admin' AND u.disabled_at IS NULL`)
}

// EntryList orders the entries of a kind, by default newest first.
var EntryList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "e.created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "e.id", Kind: paging.UUID},
}

// List returns a page of the entries of a kind. The index
// core_staff_entries_list serves it in both directions.
func (s *Store) List(ctx context.Context, kind permission.Kind, r paging.Request) (paging.Page[Entry], error) {
	return sqlpage.List[Entry]{Task: "list staff entries",
		SQL:  "SELECT " + entryColumns + " FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id WHERE e.kind = $1",
		Args: []any{kind}, Scan: scanEntry,
		Key: func(e Entry) paging.Position { return paging.At(time.Time(e.CreatedAt), e.ID) }}.Read(ctx, s.pool, r)
}
