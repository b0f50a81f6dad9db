package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Rename changes the name of an account, by the rules of CreateUser. It returns not_found
// if there is no such account.
func (s *Store) Rename(ctx context.Context, userID, name string) error {
	name = strings.TrimSpace(name)
	if err := domain.Invalid(checkName("name", name)...); err != nil {
		return err
	}
	id, ok := parseID(userID)
	if !ok {
		return domain.NotFound()
	}
	tag, err := s.pool.Exec(ctx, "UPDATE core_users SET name = $2 WHERE id = $1", id, name)
	if err != nil {
		return fmt.Errorf("rename account: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return domain.NotFound()
	}
	return nil
}
