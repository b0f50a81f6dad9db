package staff

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// locked is the entries that a change looks at, each row locked until the end
// of its transaction: the actor's, those that change, and, where a root might
// go, all roots. So two changes cannot both rest on a right that one of them
// takes away.
type locked struct {
	by      By
	actor   permission.Actor
	entries map[string]Entry // by id
}

// lock also names the actor to the history's trigger. Rows are locked in the
// order of their ids, so that two changes wait for each other and never deadlock.
func lock(ctx context.Context, tx pgx.Tx, by By, entryID, userID *string, roots bool) (locked, error) {
	l := locked{by: by, actor: permission.Actor{UserID: by.UserID, Operator: by == Operator()}, entries: map[string]Entry{}}
	batch := &pgx.Batch{}
	batch.Queue(`SELECT set_config('docket.actor_id', $1, true)`, by.UserID)
	batch.Queue(`SELECT `+entryColumns+`
		FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE e.id = $1 OR e.user_id = $2 OR e.user_id = nullif($3, '')::uuid OR ($4 AND e.kind = 'admin' AND e.unrestricted)
		ORDER BY e.id FOR UPDATE OF e`, entryID, userID, by.UserID, roots).
		Query(func(rows pgx.Rows) error {
			found, err := pgx.CollectRows(rows, scanEntry)
			for _, e := range found {
				l.add(e)
			}
			return err
		})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return locked{}, fmt.Errorf("lock staff entries: %w", err)
	}
	return l, nil
}

func (l *locked) add(e Entry) {
	l.entries[e.ID] = e
	if e.User.ID != l.by.UserID {
		return
	}
	held := e.Entry
	if e.Kind == permission.Admin {
		l.actor.Admin = &held
	} else {
		l.actor.Moderator = &held
	}
}

// enter refuses an actor who has lost the area since the request was let in.
func (l *locked) enter(area permission.Area) error {
	if l.actor.Operator || l.actor.Admin.MayEnter(area) {
		return nil
	}
	return domain.Errorf(domain.CodeForbidden, "You need the admin permission %s.", area)
}

// allow holds a change of one user's entry to the rules. Before and after are
// nil where there is no entry.
func (l *locked) allow(kind permission.Kind, userID string, before, after *permission.Entry) error {
	change := permission.Change{Kind: kind, UserID: userID, Before: before, After: after}
	for _, e := range l.entries {
		if e.Kind == permission.Admin && e.Unrestricted && e.User.ID != userID {
			change.OtherRoots++
		}
	}
	return change.Allow(l.actor)
}
