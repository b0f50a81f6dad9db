package staff

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// locked has the entries that a change depends on, each row locked until its transaction ends: the
// actor's, the changed ones, and all roots if one might be removed. So no two concurrent changes
// can both rely on a permission that one of them removes.
type locked struct {
	by       By
	actor    permission.Actor
	entries  map[string]Entry // by id
	disabled map[string]bool  // disabled root users, who do not count as roots
}

// lock also sets the actor for the history's trigger, which servers of the previous release read.
// It locks rows by id, so that two changes cannot deadlock.
func lock(ctx context.Context, tx pgx.Tx, by By, entryID, userID *string, roots bool) (locked, error) {
	l := locked{by: by, actor: permission.Actor{UserID: by.UserID, Operator: by == Operator()}, entries: map[string]Entry{}, disabled: map[string]bool{}}
	var found []Entry
	var disabled []string
	batch := &pgx.Batch{}
	batch.Queue(`SELECT set_config('docket.actor_id', $1, true)`, by.UserID)
	postgres.QueueCollect(batch, &found, scanEntry, `SELECT `+entryColumns+`
		FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE e.id = $1 OR e.user_id = $2 OR e.user_id = nullif($3, '')::uuid OR ($4 AND e.kind = 'admin' AND e.unrestricted)
		ORDER BY e.id FOR UPDATE OF e`, entryID, userID, by.UserID, roots)
	// Disabling a root locks its entry, so this statement sees the result.
	postgres.QueueCollect(batch, &disabled, pgx.RowTo[string], `SELECT u.id FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE $1 AND e.kind = 'admin' AND e.unrestricted AND u.disabled_at IS NOT NULL`, roots)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return locked{}, fmt.Errorf("lock staff entries: %w", err)
	}
	for _, e := range found {
		l.add(e)
	}
	for _, id := range disabled {
		l.disabled[id] = true
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

// enter returns an error if the actor has lost the area since the request was authorised.
func (l *locked) enter(area permission.Area) error {
	if l.actor.Operator || l.actor.Admin.MayEnter(area) {
		return nil
	}
	return domain.Errorf(domain.CodeForbidden, "You need the admin permission %s.", area)
}

// allow checks the change of one user's entry. Before or after is nil if there is no entry.
func (l *locked) allow(kind permission.Kind, userID string, before, after *permission.Entry) error {
	change := permission.Change{Kind: kind, UserID: userID, Before: before, After: after}
	for _, e := range l.entries {
		if e.Kind == permission.Admin && e.Unrestricted && e.User.ID != userID && !l.disabled[e.User.ID] {
			change.OtherRoots++
		}
	}
	return change.Allow(l.actor)
}
