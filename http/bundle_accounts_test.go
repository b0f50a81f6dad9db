package http_test

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

func accountArea(accounts *account.Store) http.AccountArea {
	return http.AccountArea{Accounts: accounts, Now: time.Now}
}

func resetArea(accounts *account.Store, entries *staff.Store) http.ResetArea {
	return http.ResetArea{Links: accounts, SetUp: func(ctx context.Context, token string, n account.NewUser, c account.Client) (account.User, error) {
		return accounts.SetUp(ctx, token, n, c, func(ctx context.Context, tx pgx.Tx, userID string) error {
			return entries.EnsureRoot(ctx, tx, userID, permission.Admin, permission.Moderator)
		})
	}}
}

func userArea(accounts *account.Store, entries *staff.Store, service *moderation.Service) http.UserArea {
	return http.UserArea{
		Users: accounts,
		Invite: func(ctx context.Context, email, name, language string) (account.User, string, error) {
			return accounts.Invite(ctx, email, name, language, baseURL())
		},
		SetDisabled: func(ctx context.Context, actorID, userID string, disabled bool) (account.User, error) {
			return accounts.SetDisabled(ctx, userID, disabled, func(ctx context.Context, tx pgx.Tx) error {
				return entries.AllowDisabling(ctx, tx, staff.By{UserID: actorID}, userID, disabled)
			})
		},
		Delete: func(ctx context.Context, actorID, userID string) error {
			return accounts.Delete(ctx, userID, account.Deletion{
				Allow: func(ctx context.Context, tx pgx.Tx) error {
					return entries.AllowAccountDeletion(ctx, tx, staff.By{UserID: actorID}, userID)
				},
				Deleted: entries.Seal,
				Detach:  func(ctx context.Context) error { return service.RemoveAccount(ctx, userID, &actorID) },
			})
		},
	}
}
