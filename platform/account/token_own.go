package account

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// maxOwnTokens is how many usable tokens a person may make.
const maxOwnTokens = 100

// TokenList orders the tokens of an account, by default newest first.
var TokenList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

// Tokens returns a page of the tokens of an account, including expired and revoked ones.
func (s *Store) Tokens(ctx context.Context, userID string, r paging.Request) (paging.Page[Token], error) {
	return sqlpage.List[Token]{Task: "list tokens",
		SQL:  "SELECT id, name, use, created_at, expires_at, last_used_at, revoked_at FROM core_api_tokens WHERE user_id = $1",
		Args: []any{userID}, Scan: scanToken,
		Key: func(t Token) paging.Position { return paging.At(t.CreatedAt, t.ID) }}.Read(ctx, s.pool, r)
}

// CreateOwnToken makes a token for the caller's own account that may do no more than the
// caller.
func (s *Store) CreateOwnToken(ctx context.Context, caller *permission.Caller, n NewToken) (text string, t Token, err error) {
	if n.Use == "" {
		n.Use = permission.UseModerate
	}
	if !caller.Use.Covers(n.Use) {
		return "", Token{}, domain.Errorf(domain.CodeForbidden, "A token can allow no more than the one that you use.")
	}
	var usable int
	err = s.pool.QueryRow(ctx, `SELECT count(*) FROM core_api_tokens
		WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`, caller.UserID, s.time()).Scan(&usable)
	if err != nil {
		return "", Token{}, fmt.Errorf("count tokens: %w", err)
	}
	if usable >= maxOwnTokens {
		return "", Token{}, domain.Invalid(fault("name", "too_many", "You have 100 tokens: revoke one first.")...)
	}
	return s.CreateToken(ctx, caller.UserID, n)
}

// RevokeTokens ends all tokens of an account.
func (s *Store) RevokeTokens(ctx context.Context, userID string) error {
	_, err := s.pool.Exec(ctx, "UPDATE core_api_tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL", userID, s.time())
	if err != nil {
		return fmt.Errorf("revoke tokens: %w", err)
	}
	return nil
}
