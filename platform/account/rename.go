package account

import (
	"context"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
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
	return postgres.ExecFound(ctx, s.pool, "rename account", "UPDATE core_users SET name = $2 WHERE id = $1", id, name)
}
