package staff

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/ledger"
)

// Update is a change of an entry. Fields that are not nil replace the stored ones.
type Update struct {
	Unrestricted      *bool
	Grants            *[]permission.Grant
	ExpectedUpdatedAt *time.Time // conflict if the entry has another time
}

// Replace changes an entry. Its errors, in this order: not_found; the faults of the grants
// (permission.Catalog.Validate); forbidden, by permission.Change; conflict, with the Entry as
// Current. An update without changes does not touch UpdatedAt and the history.
func (s *Store) Replace(ctx context.Context, by By, kind permission.Kind, id string, u Update) (Entry, error) {
	current, err := s.Get(ctx, kind, id)
	if err != nil {
		return Entry{}, err
	}
	if u.Grants != nil {
		if err := s.catalog.Validate(ctx, kind, *u.Grants, s.scopes.Existing); err != nil {
			return Entry{}, err
		}
	}
	var changed Entry
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		l, before, err := lockEntry(ctx, tx, by, kind, current.ID)
		if err != nil {
			return err
		}
		after := u.apply(before.Entry)
		if err := l.allow(kind, before.User.ID, &before.Entry, &after); err != nil {
			return err
		}
		if u.ExpectedUpdatedAt != nil && !u.ExpectedUpdatedAt.Equal(time.Time(before.UpdatedAt)) {
			return &domain.Error{Code: domain.CodeConflict, Message: "Somebody has changed the entry meanwhile.", Current: before}
		}
		changed, err = s.update(ctx, tx, by, before, after)
		return err
	})
	return changed, err
}

// lockEntry locks the rows that a change of one entry depends on and checks the actor's area.
func lockEntry(ctx context.Context, tx pgx.Tx, by By, kind permission.Kind, id string) (locked, Entry, error) {
	l, err := lock(ctx, tx, by, &id, nil, kind == permission.Admin)
	if err != nil {
		return locked{}, Entry{}, err
	}
	if err := l.enter(kind.StaffArea()); err != nil {
		return locked{}, Entry{}, err
	}
	e, ok := l.entries[id]
	if !ok || e.Kind != kind {
		return locked{}, Entry{}, domain.NotFound()
	}
	return l, e, nil
}

func (u Update) apply(before permission.Entry) permission.Entry {
	after := before
	if u.Unrestricted != nil {
		after.Unrestricted = *u.Unrestricted
	}
	if u.Grants != nil {
		after.Grants = make([]permission.Grant, len(*u.Grants))
		for i, g := range *u.Grants {
			if g.Scope != nil && g.Scope.Mode == scope.All {
				g.Scope = &scope.Scope{Family: g.Scope.Family, Mode: scope.All} // without an empty list of ids
			}
			after.Grants[i] = g
		}
	}
	return after
}

func (s *Store) update(ctx context.Context, tx pgx.Tx, by By, before Entry, rights permission.Entry) (Entry, error) {
	if reflect.DeepEqual(before.Entry, rights) {
		return before, nil
	}
	grants, err := writeGrants(rights.Grants)
	if err != nil {
		return Entry{}, err
	}
	at := s.time()
	if least := time.Time(before.UpdatedAt).Add(time.Microsecond); at.Before(least) {
		at = least // strictly later, so that ExpectedUpdatedAt distinguishes changes
	}
	after := before
	after.Entry, after.UpdatedAt = rights, domain.Time(at)
	_, err = tx.Exec(ctx, `UPDATE core_staff_entries SET unrestricted = $2, permissions = $3, updated_at = $4 WHERE id = $1`,
		before.ID, rights.Unrestricted, grants, at)
	if err != nil {
		return Entry{}, fmt.Errorf("update staff entry: %w", err)
	}
	return after, s.ledger.Append(ctx, tx, by.UserID, ledger.Change{Table: Ledger, Key: before.ID, Before: before.row(), After: after.row()})
}
