package staff

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// Create makes an empty entry for a user. It returns already_exists if the user has one
// of that kind, and validation_failed if there is no such user.
func (s *Store) Create(ctx context.Context, by By, kind permission.Kind, userID string) (Entry, error) {
	userID, err := canonical(userID)
	if err != nil {
		return Entry{}, unknownUser()
	}
	var created Entry
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		l, err := lock(ctx, tx, by, nil, nil, false)
		if err != nil {
			return err
		}
		if err := l.enter(kind.StaffArea()); err != nil {
			return err
		}
		if err := l.allow(kind, userID, nil, &permission.Entry{}); err != nil {
			return err
		}
		created, err = s.insert(ctx, tx, by, kind, userID, permission.Entry{})
		if err == nil && created.ID == "" {
			return domain.Errorf(domain.CodeAlreadyExists, "This user has a staff entry of that kind.")
		}
		return err
	})
	return created, err
}

// Ensure creates an entry with these permissions for a user who has none of that kind. An existing
// one stays unchanged. It is for operators.
func (s *Store) Ensure(ctx context.Context, kind permission.Kind, userID string, rights permission.Entry) error {
	if err := s.catalog.Validate(ctx, kind, rights.Grants, s.scopes.Existing); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := s.insert(ctx, tx, Operator(), kind, userID, rights)
		return err
	})
}

// EnsureRoot creates an unrestricted entry of each kind for a user who has none of that kind, in
// the caller's transaction. It must be the transaction's last step, as [ledger.Ledger.Append] says.
func (s *Store) EnsureRoot(ctx context.Context, tx pgx.Tx, userID string, kinds ...permission.Kind) error {
	for _, kind := range kinds {
		if _, err := s.insert(ctx, tx, Operator(), kind, userID, permission.Entry{Unrestricted: true}); err != nil {
			return err
		}
	}
	return nil
}

// time returns the current time at PostgreSQL's precision.
func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

func unknownUser() error {
	return domain.Invalid(domain.Issue{Path: "userId", Code: "unknown_user", Message: "There is no such user."})
}
