package staff

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// clock is the fixed time of every test; it does not move by itself.
var clock = time.Date(2026, 10, 1, 12, 0, 0, 123456000, time.UTC)

// bundle is a store over a database of the test's own, with a forum to moderate.
type bundle struct {
	*Store
	t    *testing.T
	pool *pgxpool.Pool
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	pool := pgtest.New(t)
	catalog := permission.NewCatalog(nil, append(
		permission.Generated("forum", "posts", "forum.category", true),
		permission.Generated("forum", "profiles", "", false)...))
	scopes := registry.NewScopes(&scope.Definition{
		ID: "forum.category", Label: "forum.category",
		List: func(context.Context, scope.Query) ([]scope.Item, string, error) { return nil, "", nil },
		Find: func(_ context.Context, ids []string) ([]scope.Item, error) {
			var items []scope.Item
			for _, id := range ids {
				if slices.Contains([]string{"general", "support", "offtopic"}, id) {
					items = append(items, scope.Item{ID: id, Label: id})
				}
			}
			return items, nil
		},
	})
	s := New(pool, Config{Now: func() time.Time { return clock }, Catalog: catalog, Scopes: scopes})
	return &bundle{s, t, pool}
}

// user makes an account.
func (b *bundle) user(name string) string {
	b.t.Helper()
	id := uuid.NewString()
	pgtest.Exec(b.t, b.pool, `INSERT INTO core_users (id, email, name, created_at) VALUES ($1, $2, $3, $4)`,
		id, fmt.Sprintf("%s@example.test", id), name, clock)
	return id
}

// staff makes an account with an entry and returns the user and the entry.
func (b *bundle) staff(name string, kind permission.Kind, rights permission.Entry) (userID, entryID string) {
	b.t.Helper()
	userID = b.user(name)
	b.also(userID, kind, rights)
	return userID, b.entryOf(userID, kind)
}

func (b *bundle) also(userID string, kind permission.Kind, rights permission.Entry) {
	b.t.Helper()
	require.NoError(b.t, b.Ensure(b.t.Context(), kind, userID, rights))
}

func (b *bundle) entryOf(userID string, kind permission.Kind) string {
	b.t.Helper()
	var id string
	err := b.pool.QueryRow(b.t.Context(), `SELECT id FROM core_staff_entries WHERE user_id = $1 AND kind = $2`, userID, kind).Scan(&id)
	require.NoError(b.t, err)
	return id
}

// root makes an account that may do everything.
func (b *bundle) root(name string) By {
	b.t.Helper()
	userID, _ := b.staff(name, permission.Admin, permission.Entry{Unrestricted: true})
	b.also(userID, permission.Moderator, permission.Entry{Unrestricted: true})
	return By{userID}
}

// deleteAccount deletes an account with its entries, if the actor may.
func (b *bundle) deleteAccount(by By, userID string) error {
	ctx := b.t.Context()
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if err := b.AllowAccountDeletion(ctx, tx, by, userID); err != nil {
			return err
		}
		owned, err := ledger.Owned(ctx, tx, userID, Ledger)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM core_users WHERE id = $1`, userID); err != nil {
			return err
		}
		return b.ledger.Append(ctx, tx, by.UserID, owned...)
	})
}

func area(a string, permissionName string) permission.Grant {
	return permission.Grant{Plugin: permission.CorePlugin, Module: a, Permission: permissionName}
}

func view(ids ...string) permission.Grant {
	return permission.Grant{Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: ids}}
}

func viewAll() permission.Grant {
	return permission.Grant{Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.All}}
}

func grants(g ...permission.Grant) Update { return Update{Grants: &g} }

func unrestricted(yes bool) Update { return Update{Unrestricted: &yes} }
