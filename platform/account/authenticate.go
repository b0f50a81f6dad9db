package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// Credentials are what a request came with; both empty is a guest.
type Credentials struct {
	SessionID string // of the cookie
	Bearer    string // of the Authorization header; counts before the cookie
}

// Authenticate finds the caller with grants, in one indexed query that begins after
// it was called, so that a change of an entry, a sign-out or a deletion holds on the
// next request; under load the query is shared with others. The
// caller is nil for a guest, which a cookie that is unknown, expired or
// revoked makes one too; a bearer that is not valid is unauthorized. It writes
// nothing, but for the minute a token was last used in, and a host identity
// seen for the first time. It ends within the store's patience.
func (s *Store) Authenticate(ctx context.Context, c Credentials) (*permission.Caller, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	switch {
	case strings.HasPrefix(c.Bearer, tokenPrefix):
		return s.authenticateToken(ctx, c.Bearer)
	case c.Bearer != "":
		return s.authenticateHost(ctx, c.Bearer)
	case len(c.SessionID) == secretLength:
		return s.authenticateSession(ctx, c.SessionID)
	}
	return nil, nil
}

// callerJoins follow a FROM with core_users as u. Both staff entries of a user
// are found by the unique (user_id, kind), all else by the hash.
const (
	callerColumns = `u.id, u.name, coalesce(u.email, ''),
		a.unrestricted, a.permissions, m.unrestricted, m.permissions`
	callerJoins = `
		LEFT JOIN core_staff_entries a ON a.user_id = u.id AND a.kind = 'admin'
		LEFT JOIN core_staff_entries m ON m.user_id = u.id AND m.kind = 'moderator'`

	// One by one: the limit keeps PostgreSQL from joining whole tables for many.
	sessionCallers = `SELECT asked.hash, caller.* FROM unnest($1::bytea[]) AS asked (hash) CROSS JOIN LATERAL (
		SELECT ` + callerColumns + `
		FROM core_sessions s JOIN core_users u ON u.id = s.user_id` + callerJoins + `
		WHERE s.hash = asked.hash AND s.expires_at > $2 LIMIT 1) caller`
	tokenCaller = `SELECT t.id, t.use, t.last_used_at, ` + callerColumns + `
		FROM core_api_tokens t JOIN core_users u ON u.id = t.user_id` + callerJoins + `
		WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`
)

// callerRow receives callerColumns.
type callerRow struct {
	caller              permission.Caller
	admin, moderator    *bool // unrestricted; null without an entry
	adminGrants, grants []byte
}

func (r *callerRow) fields() []any {
	return []any{&r.caller.UserID, &r.caller.Name, &r.caller.Email,
		&r.admin, &r.adminGrants, &r.moderator, &r.grants}
}

func (r *callerRow) result(use permission.Use) (*permission.Caller, error) {
	var err error
	if r.caller.Admin, err = entry(r.admin, r.adminGrants); err != nil {
		return nil, fmt.Errorf("admin entry of user %s: %w", r.caller.UserID, err)
	}
	if r.caller.Moderator, err = entry(r.moderator, r.grants); err != nil {
		return nil, fmt.Errorf("moderator entry of user %s: %w", r.caller.UserID, err)
	}
	r.caller.Use = use
	return &r.caller, nil
}

func entry(unrestricted *bool, grants []byte) (*permission.Entry, error) {
	if unrestricted == nil {
		return nil, nil
	}
	e := &permission.Entry{Unrestricted: *unrestricted}
	if err := json.Unmarshal(grants, &e.Grants); err != nil {
		return nil, fmt.Errorf("read grants: %w", err)
	}
	return e, nil
}

// A session may be used for everything its user may do.
func (s *Store) authenticateSession(ctx context.Context, id string) (*permission.Caller, error) {
	row, err := s.sessions.Ask(ctx, hashSecret(id))
	if err != nil {
		return nil, fmt.Errorf("authenticate session: %w", err)
	}
	if row == nil {
		return nil, nil
	}
	return row.result(permission.UseAdmin)
}

// findSessions finds the callers of many sessions, nil for those that are not there.
func (s *Store) findSessions(ctx context.Context, hashes [][]byte) ([]*callerRow, error) {
	rows, err := s.pool.Query(ctx, sessionCallers, hashes, s.time())
	if err != nil {
		return nil, err
	}
	found := make(map[string]callerRow, len(hashes))
	for rows.Next() {
		var hash []byte
		var row callerRow
		if err := rows.Scan(append([]any{&hash}, row.fields()...)...); err != nil {
			return nil, err
		}
		found[string(hash)] = row
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	callers := make([]*callerRow, len(hashes))
	for i, hash := range hashes {
		if row, ok := found[string(hash)]; ok {
			callers[i] = &row // a copy: no two requests share a caller
		}
	}
	return callers, nil
}

func (s *Store) authenticateToken(ctx context.Context, token string) (*permission.Caller, error) {
	if len(token) != len(tokenPrefix)+secretLength {
		return nil, unauthorized()
	}
	var (
		row      callerRow
		id       string
		use      permission.Use
		lastUsed *time.Time
		now      = s.time()
	)
	err := s.pool.QueryRow(ctx, tokenCaller, hashSecret(token), now).Scan(append([]any{&id, &use, &lastUsed}, row.fields()...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, unauthorized()
	}
	if err != nil {
		return nil, fmt.Errorf("authenticate token: %w", err)
	}
	if lastUsed == nil || now.Sub(*lastUsed) >= lastUsedEvery {
		if err := s.tokenUsed(ctx, id, now); err != nil {
			return nil, err
		}
	}
	return row.result(use)
}

const invalidToken = "The token is not valid, has expired or was revoked."

func unauthorized() error { return domain.Errorf(domain.CodeUnauthorized, "%s", invalidToken) }
