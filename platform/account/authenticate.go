package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// patience bounds finding the caller of a request, including the wait for a connection and for the
// host platform's keys, and each of the two database steps of a sign-in. After that the database
// counts as unavailable, so that requests do not accumulate while it does not respond.
const patience = 8 * time.Second

// Credentials are the credentials of a request. Both empty means a guest.
type Credentials struct {
	SessionID string  // from the cookie
	Bearer    string  // from the Authorization header; takes precedence
	Filing    *Filing // for a session's request that files a report
}

// Authenticate finds the caller and the caller's grants. The query begins after the call, so that a
// changed entry, a sign-out or a deletion applies to the next request. Under load, requests share a
// query. The caller is nil for a guest, and for a cookie that is unknown, expired or revoked. An
// invalid bearer token is unauthorized. Authenticate writes only times of last use, renewed
// bindings, new host identities and the attempt of a Filing. It ends within the store's patience.
func (s *Store) Authenticate(ctx context.Context, c Credentials) (*permission.Caller, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	switch {
	case strings.HasPrefix(c.Bearer, tokenPrefix):
		return s.authenticateToken(ctx, c.Bearer)
	case c.Bearer != "":
		return s.authenticateHost(ctx, c.Bearer)
	case len(c.SessionID) == secretLength:
		return s.authenticateSession(ctx, HashSecret(c.SessionID), c.Filing)
	}
	return nil, nil
}

// authenticateSession returns the session's user with all of their permissions, or nil.
func (s *Store) authenticateSession(ctx context.Context, hash []byte, f *Filing) (*permission.Caller, error) {
	var row *sessionRow
	var err error
	if f != nil {
		row, err = s.file(ctx, filer{session: hash}, f)
	} else {
		row, err = s.callers.sessions.Do(ctx, hash)
	}
	if err != nil {
		return nil, fmt.Errorf("authenticate session: %w", err)
	}
	if row == nil {
		return nil, nil
	}
	b := sessionBinding(row.caller.UserID, hash)
	ok, renew := s.accepts(b, row.mac)
	if !ok {
		return nil, nil
	}
	if renew {
		if err := postgres.Exec(ctx, s.pool, "bind a session", "UPDATE core_sessions SET mac = $3 WHERE hash = $1 AND user_id = $2", hash, b.owner, s.keys.mac(b)); err != nil {
			return nil, err
		}
	}
	if now := s.time(); now.Sub(row.lastUsed) >= sessionUsedEvery {
		if err := sessionUsed(ctx, s.pool, hash, now); err != nil {
			return nil, err
		}
	}
	caller, err := row.result(permission.UseAdmin)
	if err == nil {
		caller.Session = true
		caller.LacksFactor = s.staffTwoFactor && row.single && (caller.Admin != nil || caller.Moderator != nil)
	}
	return caller, err
}

func (s *Store) authenticateToken(ctx context.Context, token string) (*permission.Caller, error) {
	if len(token) != len(tokenPrefix)+secretLength {
		return nil, unauthorized()
	}
	hash := HashSecret(token)
	row, err := s.callers.tokens.Do(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("authenticate token: %w", err)
	}
	if row == nil {
		return nil, unauthorized()
	}
	b := row.binding(hash)
	ok, renew := s.accepts(b, row.mac)
	if !ok {
		return nil, unauthorized()
	}
	if renew {
		if err := postgres.Exec(ctx, s.pool, "bind a token", "UPDATE "+row.table()+" SET mac = $3 WHERE id = $1 AND hash = $2", row.id, hash, s.keys.mac(b)); err != nil {
			return nil, err
		}
	}
	if now := s.time(); row.lastUsed == nil || now.Sub(*row.lastUsed) >= lastUsedEvery {
		if err := s.tokenUsed(ctx, row, now); err != nil {
			return nil, err
		}
	}
	if row.use.OfPlugin() { // of no account
		return &permission.Caller{Use: row.use, TokenID: row.id, PluginID: row.pluginID}, nil
	}
	row.caller.TokenID = row.id
	return row.result(row.use)
}

const invalidToken = "The token is not valid, has expired or was revoked."

func unauthorized() error { return domain.Errorf(domain.CodeUnauthorized, "%s", invalidToken) }
