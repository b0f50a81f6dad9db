// Package mute stores which reporters are muted. Their reports are stored, but have no weight and stay off the board.
// Other modules must not import it.
package mute

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/staff"
)

// Store stores mutes. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
	staff  *staff.Store
}

// New returns a Store.
func New(pool *pgxpool.Pool, l ledger.Ledger, staff *staff.Store) *Store {
	return &Store{pool: pool, ledger: l, staff: staff}
}

// Ledger declares what the ledger proves about mutes. Reasons are deleted with the account; their hash stays.
var Ledger = &ledger.Table{Kind: "mute", Name: "core_mutes", Key: "id", Owner: "user_id",
	Columns: []string{"user_id", "until", "muted_by", "muted_at", "ended_by", "ended_at", "reach"}, Texts: []string{"reason"},
	Accounts: []string{"muted_by", "ended_by"}}

// Mute is one mute of an account.
type Mute struct {
	Until   domain.Time        `json:"until"`
	Reason  string             `json:"reason"`
	MutedBy *moderation.Person `json:"mutedBy"` // nil once the account is deleted
	MutedAt domain.Time        `json:"mutedAt"`
	EndedAt *domain.Time       `json:"endedAt"` // when it was ended early
	Reach   []permission.Grant `json:"reach"`   // where it applies; nil means everywhere
}

// Reporter is an account with its mutes, the latest first.
type Reporter struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	MutedUntil *domain.Time `json:"mutedUntil"` // when the last mute in force ends; nil if it is muted nowhere
	Mutes      []Mute       `json:"mutes"`
}

// The bounds of a mute.
const (
	// Longest is how far in the future a mute may end.
	Longest = 10 * 366 * 24 * time.Hour
	// maxMutes is how many of the latest mutes of an account are shown.
	maxMutes = 50
)

// Mute mutes an account until a time, wherever the caller may mute. It replaces mutes within that reach; wider ones
// stay. It returns NotFound for an account that does not exist, and Forbidden for staff with permissions that the
// caller does not hold.
func (s *Store) Mute(ctx context.Context, caller *permission.Caller, userID string, until time.Time, reason string) error {
	return s.change(ctx, caller, userID, func(tx pgx.Tx, reach *permission.Entry, now time.Time) (ledger.Change, error) {
		id := uuid.Must(uuid.NewV7()).String()
		made := ledger.Row{"user_id": userID, "until": until, "reason": reason, "muted_by": caller.UserID, "muted_at": now, "reach": reach}
		return ledger.Change{Table: Ledger, Key: id, After: made},
			postgres.Exec(ctx, tx, "add a mute", `INSERT INTO core_mutes (id, user_id, until, reason, muted_by, muted_at, reach) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
				id, userID, until, reason, caller.UserID, now, reach)
	})
}

// Unmute ends the mutes of an account within the caller's reach. It does nothing if the account is not muted, and
// returns Forbidden if all its mutes are outside of that reach.
func (s *Store) Unmute(ctx context.Context, caller *permission.Caller, userID string) error {
	return s.change(ctx, caller, userID, nil)
}

// standing is a mute that is in force.
type standing struct {
	id    string
	reach *permission.Entry
}

// change locks the account, ends its mutes within the caller's reach, and adds one unless add
// is nil.
func (s *Store) change(ctx context.Context, caller *permission.Caller, userID string, add func(pgx.Tx, *permission.Entry, time.Time) (ledger.Change, error)) error {
	return postgres.Transact(ctx, s.pool, "mute an account", func(tx pgx.Tx) error {
		if add != nil {
			if err := s.staff.AllowMuting(ctx, tx, staff.By{UserID: caller.UserID}, userID); err != nil {
				return err
			}
		}
		if _, err := postgres.CollectFound(ctx, tx, "lock the account", pgx.RowTo[string], `SELECT id::text FROM core_users WHERE id = $1 FOR NO KEY UPDATE`, userID); err != nil {
			return err
		}
		now, reach := s.ledger.Now(), caller.Moderator.Only(permission.MuteReporters)
		found, err := postgres.Collect(ctx, tx, "read its mutes", func(row pgx.CollectableRow) (m standing, err error) {
			return m, row.Scan(&m.id, &m.reach)
		}, `SELECT id::text, reach FROM core_mutes WHERE user_id = $1 AND ended_at IS NULL AND until > $2 ORDER BY id`, userID, now)
		if err != nil {
			return err
		}
		wider, changes := 0, []ledger.Change{}
		for _, m := range found {
			if m.reach != nil && !permission.Within(m.reach, reach) {
				wider++
				continue
			}
			ended, err := Ledger.Find(ctx, tx, "id = $1", m.id)
			if err != nil {
				return err
			}
			for _, c := range ended {
				c.After = c.Before.With(ledger.Row{"ended_at": now, "ended_by": caller.UserID})
				changes = append(changes, c)
			}
			if err := postgres.Exec(ctx, tx, "end a mute", `UPDATE core_mutes SET ended_at = $2, ended_by = $3 WHERE id = $1`, m.id, now, caller.UserID); err != nil {
				return err
			}
		}
		if add == nil && wider > 0 && wider == len(found) {
			return domain.Errorf(domain.CodeForbidden, "This account is muted where your permission %s does not reach.", permission.MuteReporters)
		}
		if add != nil {
			added, err := add(tx, reach, now)
			if err != nil {
				return err
			}
			changes = append(changes, added)
		}
		// This is for servers of the previous release, where a mute counts everywhere.
		if err := postgres.Exec(ctx, tx, "note until when it is muted", `UPDATE core_users SET muted_until =
			(SELECT max(until) FROM core_mutes WHERE user_id = $1 AND ended_at IS NULL) WHERE id = $1`, userID); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, caller.UserID, changes...)
	})
}

// Find returns an account with its mutes, or NotFound.
func (s *Store) Find(ctx context.Context, userID string) (Reporter, error) {
	r, err := postgres.CollectFound(ctx, s.pool, "find a reporter", func(row pgx.CollectableRow) (r Reporter, err error) {
		return r, row.Scan(&r.ID, &r.Name, &r.MutedUntil)
	}, `SELECT id, name, (SELECT max(until) FROM core_mutes WHERE user_id = u.id AND ended_at IS NULL AND until > $2) FROM core_users u WHERE id = $1`, userID, s.ledger.Now())
	if err != nil {
		return Reporter{}, err
	}
	r.Mutes, err = postgres.Collect(ctx, s.pool, "list mutes", scan, `SELECT m.until, m.reason, coalesce(m.muted_by::text, ''), coalesce(u.name, ''), m.muted_at, m.ended_at, m.reach
		FROM core_mutes m LEFT JOIN core_users u ON u.id = m.muted_by WHERE m.user_id = $1 ORDER BY m.muted_at DESC LIMIT $2`, userID, maxMutes)
	return r, err
}

func scan(row pgx.CollectableRow) (m Mute, err error) {
	var by moderation.Person
	var reach *permission.Entry
	err = row.Scan(&m.Until, &m.Reason, &by.ID, &by.Name, &m.MutedAt, &m.EndedAt, &reach)
	m.MutedBy = moderation.PersonOf(by.ID, by.Name)
	if reach != nil && !reach.Unrestricted {
		m.Reach = reach.Grants
	}
	return m, err
}
