package staff

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Event is one change of an entry.
type Event struct {
	Position int64             `json:"id,string"`
	Action   string            `json:"action"` // created, updated or deleted
	Actor    *Actor            `json:"actor"`  // nil for an operator at the command line
	Before   *permission.Entry `json:"before"` // nil if there was no entry
	After    *permission.Entry `json:"after"`  // nil if the entry was deleted
	At       domain.Time       `json:"at"`
}

// Actor is an account that changed an entry.
type Actor struct {
	ID   string  `json:"id"`
	Name *string `json:"name"` // nil once it is deleted
}

// HistoryList orders a history, by default latest first.
var HistoryList = paging.List{
	Orderings: []paging.Ordering{{Name: "at", Expr: "h.id", Kind: paging.Int, Default: paging.Desc}},
	ID:        paging.ID{Expr: "h.id", Kind: paging.Int},
}

// changes selects the changes of the entry $1 of kind $2 with increasing numbers: from the ledger,
// and before that from the history of earlier releases, whose servers record their changes there
// even after the ledger has begun. It uses the index core_staff_history_entry and the versions of a
// row.
const changes = `SELECT h.id, h.actor_id, h.before, h.after, h.at FROM (
		SELECT position AS id, actor_id, before::text, after::text, at FROM core_staff_history e
		WHERE entry_id = $1::text::uuid AND kind = $2 AND (EXISTS (SELECT FROM core_staff_seals s WHERE s.position = e.position)
			OR position <= (SELECT (convert_from(payload, 'UTF8')::jsonb ->> 'core_staff_history')::bigint FROM core_ledger WHERE kind = 'ledger'))
		UNION ALL
		SELECT (1::bigint << 40) + position, actor_id, nullif(coalesce(convert_from(found, 'UTF8'), before), 'null'), after, at FROM (
			SELECT position, actor_id, action, found, at, convert_from(payload, 'UTF8') AS after,
				lag(convert_from(payload, 'UTF8')) OVER (ORDER BY version) AS before
			FROM core_ledger WHERE kind = 'staff_entry' AND key = $1) l
		WHERE action <> 'inherited' AND (coalesce(after, before)::jsonb ->> 'kind') = $2
	) h`

// History returns a page of the changes of an entry, even a deleted one. It returns
// not_found if there never was one.
func (s *Store) History(ctx context.Context, kind permission.Kind, entryID string, r paging.Request) (paging.Page[Event], error) {
	entryID, err := canonical(entryID)
	if err != nil {
		return paging.Page[Event]{}, err
	}
	page, err := sqlpage.List[Event]{Task: "history of staff entry", SQL: `
		SELECT h.id, h.actor_id::text, u.name, h.before, h.after, h.at
		FROM (` + changes + `) h LEFT JOIN core_users u ON u.id = h.actor_id WHERE true`, Args: []any{entryID, kind}, Scan: scanEvent,
		Key: func(e Event) paging.Position {
			return paging.Position{Value: paging.IntValue(e.Position), ID: paging.IntValue(e.Position)}
		}}.Read(ctx, s.pool, r)
	if err == nil && len(page.Edges) == 0 {
		err = s.everExisted(ctx, kind, entryID)
	}
	return page, err
}

func (s *Store) everExisted(ctx context.Context, kind permission.Kind, entryID string) error {
	existed, err := postgres.CollectOne(ctx, s.pool, "history of staff entry", pgx.RowTo[bool], `SELECT EXISTS (`+changes+`)`, entryID, kind)
	if err == nil && !existed {
		return domain.NotFound()
	}
	return err
}

func scanEvent(row pgx.CollectableRow) (Event, error) {
	var e Event
	var actor, name, before, after *string
	if err := row.Scan(&e.Position, &actor, &name, &before, &after, &e.At); err != nil {
		return Event{}, err
	}
	if actor != nil {
		e.Actor = &Actor{*actor, name}
	}
	var err error
	if e.Before, err = readRights(before); err != nil {
		return Event{}, fmt.Errorf("before of change %d: %w", e.Position, err)
	}
	if e.After, err = readRights(after); err != nil {
		return Event{}, fmt.Errorf("after of change %d: %w", e.Position, err)
	}
	switch {
	case before == nil:
		e.Action = "created"
	case after == nil:
		e.Action = "deleted"
	default:
		e.Action = "updated"
	}
	return e, nil
}

// readRights parses the permissions of an entry as the history and the ledger store them.
func readRights(stored *string) (*permission.Entry, error) {
	if stored == nil {
		return nil, nil
	}
	rights := permission.Entry{Grants: []permission.Grant{}}
	if err := json.Unmarshal([]byte(*stored), &rights); err != nil {
		return nil, fmt.Errorf("read rights: %w", err)
	}
	return &rights, nil
}
