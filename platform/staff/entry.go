package staff

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Entry is one staff entry.
type Entry struct {
	ID   string          `json:"id"`
	Kind permission.Kind `json:"-"`
	User Person          `json:"user"`
	permission.Entry
	CreatedAt domain.Time `json:"createdAt"`
	UpdatedAt domain.Time `json:"updatedAt"`
}

// Person is an account as staff see it.
type Person struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"` // nil if it has none
}

// entryColumns are the columns for scanEntry, in a query with core_staff_entries e and core_users u.
const entryColumns = `e.id, e.kind, e.user_id, u.name, u.email,
	e.unrestricted, e.permissions, e.created_at, e.updated_at`

// Ledger declares what the ledger proves about staff entries.
var Ledger = &ledger.Table{Kind: "staff_entry", Name: "core_staff_entries", Key: "id", Owner: "user_id",
	Columns: []string{"kind", "user_id", "unrestricted", "permissions", "created_at", "updated_at"}}

// row returns the entry as the ledger stores it.
func (e *Entry) row() ledger.Row {
	grants := e.Grants
	if grants == nil {
		grants = []permission.Grant{}
	}
	return ledger.Row{"kind": string(e.Kind), "user_id": e.User.ID, "unrestricted": e.Unrestricted, "permissions": grants,
		"created_at": time.Time(e.CreatedAt), "updated_at": time.Time(e.UpdatedAt)}
}

func scanEntry(row pgx.CollectableRow) (Entry, error) {
	var (
		e      Entry
		grants []byte
	)
	err := row.Scan(&e.ID, &e.Kind, &e.User.ID, &e.User.Name, &e.User.Email,
		&e.Unrestricted, &grants, &e.CreatedAt, &e.UpdatedAt)
	if err != nil {
		return Entry{}, err
	}
	if e.Grants, err = readGrants(grants); err != nil {
		return Entry{}, fmt.Errorf("entry %s: %w", e.ID, err)
	}
	return e, nil
}

func readGrants(stored []byte) ([]permission.Grant, error) {
	grants := []permission.Grant{}
	if err := json.Unmarshal(stored, &grants); err != nil {
		return nil, fmt.Errorf("read grants: %w", err)
	}
	return grants, nil
}

// writeGrants encodes grants for the column. It never returns null.
func writeGrants(grants []permission.Grant) ([]byte, error) {
	if grants == nil {
		grants = []permission.Grant{}
	}
	b, err := json.Marshal(grants)
	if err != nil {
		return nil, fmt.Errorf("write grants: %w", err)
	}
	return b, nil
}

// insert creates an entry. It returns an empty ID if there is one already.
func (s *Store) insert(ctx context.Context, tx pgx.Tx, by By, kind permission.Kind, userID string, rights permission.Entry) (Entry, error) {
	made := Entry{ID: uuid.Must(uuid.NewV7()).String(), Kind: kind, User: Person{ID: userID}, Entry: rights, CreatedAt: domain.Time(s.time())}
	made.UpdatedAt = made.CreatedAt
	grants, err := writeGrants(rights.Grants)
	if err != nil {
		return Entry{}, err
	}
	tag, err := tx.Exec(ctx, `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, permissions, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (user_id, kind) DO NOTHING`,
		made.ID, kind, userID, rights.Unrestricted, grants, time.Time(made.CreatedAt))
	if postgres.ForeignKeyBroken(err) {
		return Entry{}, unknownUser()
	}
	if err != nil {
		return Entry{}, fmt.Errorf("create staff entry: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return Entry{}, nil
	}
	if err := s.ledger.Append(ctx, tx, by.UserID, ledger.Change{Table: Ledger, Key: made.ID, After: made.row()}); err != nil {
		return Entry{}, err
	}
	return get(ctx, tx, kind, made.ID)
}
