package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// tokenPrefix marks Docket's own tokens, for this program and for scanners of leaked secrets.
const tokenPrefix = "dkt_"

// lastUsedEvery is the precision of a token's last use: it is written at most once a minute.
const lastUsedEvery = time.Minute

// Token is an API token as its owner sees it, without its text.
type Token struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Use        permission.Use `json:"use"`
	CreatedAt  domain.Time    `json:"createdAt"`
	ExpiresAt  *domain.Time   `json:"expiresAt"`  // nil: never
	LastUsedAt *domain.Time   `json:"lastUsedAt"` // to the minute
	RevokedAt  *domain.Time   `json:"revokedAt"`
}

// NewToken describes a token to create.
type NewToken struct {
	Name      string         // at most 100 characters; may be empty
	Use       permission.Use // default moderate
	ExpiresAt *time.Time     // kept to the microsecond; nil means never
}

// CreateToken returns the token's text, which is not stored and so can be shown only
// once.
func (s *Store) CreateToken(ctx context.Context, userID string, n NewToken) (text string, t Token, err error) {
	user, err := s.FindByID(ctx, userID)
	if err != nil {
		return "", Token{}, err
	}
	return s.createToken(ctx, s.pool, user.ID, n, nil)
}

func (s *Store) createToken(ctx context.Context, db postgres.Execer, userID string, n NewToken, madeBy *string) (text string, t Token, err error) {
	text, hash, t, err := s.newToken(n, cmp.Or(n.Use, permission.UseModerate))
	if err != nil {
		return "", Token{}, err
	}
	err = postgres.Exec(ctx, db, "create token", `INSERT INTO core_api_tokens (id, hash, user_id, name, use, created_at, expires_at, made_by, mac)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, t.ID, hash, userID, t.Name, t.Use, time.Time(t.CreatedAt), (*time.Time)(t.ExpiresAt), madeBy,
		s.keys.mac(tokenBinding(t.Use, userID, hash)))
	if err != nil {
		return "", Token{}, err
	}
	return text, t, nil
}

// newToken returns a token of a validated use, its text and the hash to store.
func (s *Store) newToken(n NewToken, use permission.Use) (text string, hash []byte, t Token, err error) {
	now := s.time()
	if err := domain.Invalid(n.Check(now)...); err != nil {
		return "", nil, Token{}, err
	}
	text = tokenPrefix + NewSecret()
	return text, HashSecret(text), Token{ID: newID(), Name: strings.TrimSpace(n.Name), Use: use, CreatedAt: domain.Time(now), ExpiresAt: domain.TimeOf(n.expiry())}, nil
}

// expiry returns ExpiresAt at PostgreSQL's precision.
func (n NewToken) expiry() *time.Time {
	if n.ExpiresAt == nil {
		return nil
	}
	return new(n.ExpiresAt.UTC().Truncate(time.Microsecond))
}

// Check returns every fault of the token.
func (n NewToken) Check(now time.Time) (issues []domain.Issue) {
	name := strings.TrimSpace(n.Name)
	if utf8.RuneCountInString(name) > maxName || !printable(name, true) || name != "" && !domain.Visible(name) {
		issues = append(issues, fault("name", "invalid_text", "A token's name is text on one line, at most 100 characters.")...)
	}
	switch n.Use {
	case "", permission.UseRead, permission.UseModerate, permission.UseAdmin:
	default:
		issues = append(issues, fault("use", "unknown_use", "A token is for read, moderate or admin.")...)
	}
	if at := n.expiry(); at != nil && !at.After(now) {
		issues = append(issues, fault("expiresAt", "invalid", "A token expires after it is made.")...)
	}
	return issues
}

// ListTokens returns the tokens of a user, oldest first, including expired and revoked
// ones.
func (s *Store) ListTokens(ctx context.Context, userID string) ([]Token, error) {
	return postgres.Collect(ctx, s.pool, "list tokens", pgx.RowToStructByPos[Token], `SELECT id, name, use, created_at, expires_at, last_used_at, revoked_at
		FROM core_api_tokens WHERE user_id = $1 ORDER BY id`, userID)
}

// RevokeToken ends a token, and the tokens that were made with it, from the next request. It returns not_found if there
// is none. Revoking again keeps the first time.
func (s *Store) RevokeToken(ctx context.Context, id string) error {
	return s.revokeToken(ctx, id, nil)
}

// RevokeOwnToken is RevokeToken for the tokens of one account.
func (s *Store) RevokeOwnToken(ctx context.Context, userID, id string) error {
	return s.revokeToken(ctx, id, &userID)
}

func (s *Store) revokeToken(ctx context.Context, id string, userID *string) error {
	id, err := parseID(id)
	if err != nil {
		return err
	}
	err = s.locking(ctx, "(SELECT user_id FROM core_api_tokens WHERE id = $1)", id, func(tx pgx.Tx) error {
		return postgres.ExecFound(ctx, tx, "revoke token", `
			WITH RECURSIVE ended AS (
				SELECT id FROM core_api_tokens WHERE id = $1 AND ($3::uuid IS NULL OR user_id = $3)
				UNION SELECT t.id FROM core_api_tokens t JOIN ended ON t.made_by = ended.id)
			UPDATE core_api_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id IN (SELECT id FROM ended)`, id, s.time(), userID)
	})
	if userID == nil && domain.ErrorCode(err) == domain.CodeNotFound {
		err = postgres.ExecFound(ctx, s.pool, "revoke token", `UPDATE core_host_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1`, id, s.time())
	}
	return err
}

// locking runs do in a transaction that locks an account, whose id is a SQL expression of $1. It returns not_found if there
// is none. A request that makes a token takes the lock before it checks what has ended, so that nothing that ends
// concurrently leaves a token behind.
func (s *Store) locking(ctx context.Context, account string, arg any, do func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := postgres.ExecFound(ctx, tx, "lock the account", "SELECT FROM core_users WHERE id = "+account+" FOR NO KEY UPDATE", arg); err != nil {
			return err
		}
		return do(tx)
	})
}

// tokenUsed records the use of a token. Among concurrent requests one writes, and the others do not wait for it.
func (s *Store) tokenUsed(ctx context.Context, t *tokenRow, now time.Time) error {
	table := t.table()
	return postgres.Exec(ctx, s.pool, "note the use of a token", `UPDATE `+table+` SET last_used_at = $2 WHERE id = (
		SELECT id FROM `+table+`
		WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)
		FOR UPDATE SKIP LOCKED)`, t.id, now, now.Add(-lastUsedEvery))
}

// maxOwnTokens is how many usable tokens a person may have.
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
		Args: []any{userID}, Scan: pgx.RowToStructByPos[Token],
		Key: func(t Token) paging.Position { return paging.At(time.Time(t.CreatedAt), t.ID) }}.Read(ctx, s.pool, r)
}

// CreateOwnToken makes a token for the caller's own account with at most the caller's permissions, which expires no
// later than the token of the request. sessionID is the cookie of a request by session. It returns forbidden for a platform's
// member, and unauthorized if the session or token of the request has ended meanwhile.
func (s *Store) CreateOwnToken(ctx context.Context, caller *permission.Caller, sessionID string, n NewToken) (text string, t Token, err error) {
	n.Use = cmp.Or(n.Use, permission.UseModerate)
	if caller.Member {
		return "", Token{}, domain.Errorf(domain.CodeForbidden, "A member whom a platform vouches for makes no tokens: use the platform's JWTs.")
	}
	if !caller.Use.Covers(n.Use) {
		return "", Token{}, domain.Errorf(domain.CodeForbidden, "A token can allow no more than the one that you use.")
	}
	if end := caller.TokenExpires; end != nil && (n.ExpiresAt == nil || n.ExpiresAt.After(*end)) {
		n.ExpiresAt = end
	}
	err = s.making(ctx, caller, sessionID, func(tx pgx.Tx) error {
		text, t, err = s.createToken(ctx, tx, caller.UserID, n, domain.OrNull(caller.TokenID))
		return err
	})
	return text, t, err
}

// making runs do, which makes a token, unless the session or token of the request has ended meanwhile or the account
// has maxOwnTokens usable tokens.
func (s *Store) making(ctx context.Context, caller *permission.Caller, sessionID string, do func(tx pgx.Tx) error) error {
	return s.locking(ctx, "$1", caller.UserID, func(tx pgx.Tx) error {
		var ended bool
		var usable int
		err := tx.QueryRow(ctx, `SELECT $2::uuid IS NOT NULL AND NOT EXISTS (SELECT FROM core_api_tokens WHERE id = $2 AND revoked_at IS NULL)
				OR $3 AND NOT EXISTS (SELECT FROM core_sessions WHERE hash = $4),
			(SELECT count(*) FROM core_api_tokens WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5))`,
			caller.UserID, domain.OrNull(caller.TokenID), caller.Session, HashSecret(sessionID), s.time()).Scan(&ended, &usable)
		switch {
		case err != nil:
			return fmt.Errorf("look whether a token may be made: %w", err)
		case ended:
			return unauthorized()
		case usable >= maxOwnTokens:
			return domain.Invalid(fault("name", "too_many", "You have 100 tokens: revoke one first.")...)
		}
		return do(tx)
	})
}

// RevokeTokens ends all tokens of an account.
func (s *Store) RevokeTokens(ctx context.Context, userID string) error {
	return s.locking(ctx, "$1", userID, func(tx pgx.Tx) error {
		return postgres.Exec(ctx, tx, "revoke tokens", "UPDATE core_api_tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL", userID, s.time())
	})
}

// revokeWriting revokes the tokens of an account that can write, which somebody else may have made before the account
// was secured.
func (s *Store) revokeWriting(ctx context.Context, db postgres.Execer, userID string) error {
	return postgres.Exec(ctx, db, "revoke tokens", `UPDATE core_api_tokens SET revoked_at = $2
		WHERE user_id = $1 AND use IN ('admin', 'moderate') AND revoked_at IS NULL`, userID, s.time())
}
