package account

import (
	"context"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// OwnSession is a session as its owner sees it.
type OwnSession struct {
	ID         string      `json:"id"` // opens nothing
	CreatedAt  domain.Time `json:"createdAt"`
	LastUsedAt domain.Time `json:"lastUsedAt"` // to five minutes
	ExpiresAt  domain.Time `json:"expiresAt"`
	Address    *netip.Addr `json:"address"` // for IPv6 the network; nil if unknown
	UserAgent  string      `json:"userAgent"`
	Current    bool        `json:"current"` // the session of the request
}

// SessionList orders the sessions of an account, by default newest first.
var SessionList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "s.created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "s.id", Kind: paging.UUID},
}

// Sessions returns a page of the sessions of an account. current is the cookie value of the
// request's session, or "".
func (s *Store) Sessions(ctx context.Context, userID, current string, r paging.Request) (paging.Page[OwnSession], error) {
	return sqlpage.List[OwnSession]{Task: "list sessions",
		SQL: `SELECT s.id, s.created_at, coalesce(s.last_used_at, s.created_at), s.expires_at, s.address, s.user_agent, s.hash = $2
			FROM core_sessions s WHERE s.user_id = $1 AND s.expires_at > $3`,
		Args: []any{userID, HashSecret(current), s.time()},
		Scan: pgx.RowToStructByPos[OwnSession],
		Key:  func(o OwnSession) paging.Position { return paging.At(time.Time(o.CreatedAt), o.ID) }}.Read(ctx, s.pool, r)
}

// EndSession ends one session of an account. It returns not_found if there is none.
func (s *Store) EndSession(ctx context.Context, userID, id string) error {
	id, err := parseID(id)
	if err != nil {
		return err
	}
	return postgres.ExecFound(ctx, s.pool, "end session", "DELETE FROM core_sessions WHERE id = $1 AND user_id = $2", id, userID)
}
