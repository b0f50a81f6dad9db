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
	"github.com/docketmod/docket/eventstore/postgres"
)

// Credentials are the credentials of a request. Both empty means a guest.
type Credentials struct {
	SessionID string // from the cookie
	Bearer    string // from the Authorization header; takes precedence
}

// Authenticate finds the caller and the caller's grants. The query begins after the
// call, so that a changed entry, a sign-out or a deletion applies to the next request;
// under load, requests share a query. The caller is nil for a guest, and for a cookie
// that is unknown, expired or revoked. An invalid bearer token is unauthorized.
// Authenticate writes only when a session or token was last used, and a host
// identity that is seen for the first time. It ends within the store's patience.
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

// callerJoins follow a FROM with core_users as u. The unique index (user_id, kind)
// finds both staff entries of a user, the hash everything else.
const (
	callerColumns = `coalesce(u.id::text, ''), coalesce(u.name, ''), coalesce(u.email, ''), u.muted_until,
		a.unrestricted, a.permissions, m.unrestricted, m.permissions`
	callerJoins = `
		LEFT JOIN core_staff_entries a ON a.user_id = u.id AND a.kind = 'admin'
		LEFT JOIN core_staff_entries m ON m.user_id = u.id AND m.kind = 'moderator'`

	// The limit makes PostgreSQL look up each session by itself instead of joining
	// whole tables.
	sessionCallers = `SELECT asked.hash, caller.* FROM unnest($1::bytea[]) AS asked (hash) CROSS JOIN LATERAL (
		SELECT coalesce(s.last_used_at, s.created_at), ` + callerColumns + `
		FROM core_sessions s JOIN core_users u ON u.id = s.user_id AND u.disabled_at IS NULL` + callerJoins + `
		WHERE s.hash = asked.hash AND s.expires_at > $2 LIMIT 1) caller`
	tokenCaller = `SELECT t.id, t.use, t.last_used_at, ` + callerColumns + `
		FROM core_api_tokens t JOIN core_users u ON u.id = t.user_id AND u.disabled_at IS NULL` + callerJoins + `
		WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`
)

// callerRow receives callerColumns.
type callerRow struct {
	caller              permission.Caller
	admin, moderator    *bool // unrestricted; null without an entry
	adminGrants, grants []byte
	lastUsed            time.Time // of a session
}

func (r *callerRow) fields() []any {
	return []any{&r.caller.UserID, &r.caller.Name, &r.caller.Email, &r.caller.MutedUntil,
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

// A session may do everything that its user may do.
func (s *Store) authenticateSession(ctx context.Context, id string) (*permission.Caller, error) {
	hash := hashSecret(id)
	row, err := s.sessions.Do(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("authenticate session: %w", err)
	}
	if row == nil {
		return nil, nil
	}
	if now := s.time(); now.Sub(row.lastUsed) >= sessionUsedEvery {
		if err := sessionUsed(ctx, s.pool, hash, now); err != nil {
			return nil, err
		}
	}
	return row.result(permission.UseAdmin)
}

// findSessions finds the callers of many sessions, nil for unknown ones.
func (s *Store) findSessions(ctx context.Context, hashes [][]byte) ([]*callerRow, error) {
	found := make(map[string]callerRow, len(hashes))
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	b.Queue(sessionCallers, hashes, s.time()).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var hash []byte
			var row callerRow
			if err := rows.Scan(append([]any{&hash, &row.lastUsed}, row.fields()...)...); err != nil {
				return err
			}
			found[string(hash)] = row
		}
		return rows.Err()
	})
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
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
		return s.authenticateHostToken(ctx, token)
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
