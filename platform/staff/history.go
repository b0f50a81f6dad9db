package staff

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Event is one change of an entry in the append-only history.
type Event struct {
	Position  int64
	Action    string            // created, updated or deleted
	ActorID   string            // "" for an operator at the command line
	ActorName string            // "" for an operator and for a deleted account
	Before    *permission.Entry // nil if there was no entry
	After     *permission.Entry // nil if the entry was deleted
	At        time.Time
}

// HistoryList orders a history, by default latest first.
func HistoryList() paging.List {
	return paging.List{
		Orderings: []paging.Ordering{{Name: "at", Expr: "h.position", Kind: paging.Int, Default: paging.Desc}},
		ID:        paging.ID{Expr: "h.position", Kind: paging.Int},
	}
}

// History returns a page of the changes of an entry, even a deleted one. It returns
// not_found if there never was one. The index core_staff_history_entry serves it.
func (s *Store) History(ctx context.Context, kind permission.Kind, entryID string, r paging.Request) (paging.Page[Event], error) {
	entryID, err := canonical(entryID)
	if err != nil {
		return paging.Page[Event]{}, err
	}
	page, err := sqlpage.List[Event]{Task: "history of staff entry", SQL: `
		SELECT h.position, h.action, coalesce(h.actor_id::text, ''), coalesce(u.name, ''), h.before, h.after, h.at
		FROM core_staff_history h LEFT JOIN core_users u ON u.id = h.actor_id
		WHERE h.entry_id = $1 AND h.kind = $2`, Args: []any{entryID, kind}, Scan: scanEvent,
		Key: func(e Event) paging.Position {
			return paging.Position{Value: paging.IntValue(e.Position), ID: paging.IntValue(e.Position)}
		}}.Read(ctx, s.pool, r)
	if err == nil && len(page.Edges) == 0 {
		err = s.everExisted(ctx, kind, entryID)
	}
	return page, err
}

func (s *Store) everExisted(ctx context.Context, kind permission.Kind, entryID string) error {
	var existed bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_staff_history WHERE entry_id = $1 AND kind = $2)`,
		entryID, kind).Scan(&existed)
	if err != nil {
		return fmt.Errorf("history of staff entry: %w", err)
	}
	if !existed {
		return domain.NotFound()
	}
	return nil
}

func scanEvent(row pgx.CollectableRow) (Event, error) {
	var (
		e             Event
		before, after []byte
	)
	if err := row.Scan(&e.Position, &e.Action, &e.ActorID, &e.ActorName, &before, &after, &e.At); err != nil {
		return Event{}, err
	}
	var err error
	if e.Before, err = readRights(before); err != nil {
		return Event{}, fmt.Errorf("before of change %d: %w", e.Position, err)
	}
	if e.After, err = readRights(after); err != nil {
		return Event{}, fmt.Errorf("after of change %d: %w", e.Position, err)
	}
	return e, nil
}

// readRights parses what the trigger core_staff_keep_history wrote.
func readRights(stored []byte) (*permission.Entry, error) {
	if stored == nil {
		return nil, nil
	}
	var rights permission.Entry
	if err := json.Unmarshal(stored, &rights); err != nil {
		return nil, fmt.Errorf("read rights: %w", err)
	}
	return &rights, nil
}
