package staff

import (
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// together runs the functions at once and returns their errors in order.
func together(functions ...func() error) []error {
	errs := make([]error, len(functions))
	start := make(chan struct{})
	var done sync.WaitGroup
	for i, f := range functions {
		done.Go(func() {
			<-start
			errs[i] = f()
		})
	}
	close(start)
	done.Wait()
	return errs
}

func TestTwoRootsCannotBothDemoteTheOther(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann, bob := b.root("Ann"), b.root("Bob")
	annEntry, bobEntry := b.entryOf(ann.UserID, permission.Admin), b.entryOf(bob.UserID, permission.Admin)
	demote := func(by By, id string) func() error {
		return func() error {
			_, err := b.Replace(t.Context(), by, permission.Admin, id, unrestricted(false))
			return err
		}
	}
	for range 20 {
		errs := together(demote(ann, bobEntry), demote(bob, annEntry))
		require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v", errs)

		var roots int
		err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_staff_entries WHERE kind = 'admin' AND unrestricted`).Scan(&roots)
		require.NoError(t, err)
		require.Equal(t, 1, roots)
		// The one who stayed takes the other back.
		if errs[0] == nil {
			_, err = b.Replace(t.Context(), ann, permission.Admin, bobEntry, unrestricted(true))
		} else {
			_, err = b.Replace(t.Context(), bob, permission.Admin, annEntry, unrestricted(true))
		}
		require.NoError(t, err)
	}
}

func TestTwoRootAccountsCannotBothBeDeleted(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann, bob := b.root("Ann"), b.root("Bob")
	remove := func(by By, userID string) func() error {
		return func() error {
			return pgx.BeginFunc(t.Context(), b.pool, func(tx pgx.Tx) error {
				if err := b.AllowAccountDeletion(t.Context(), tx, by, userID); err != nil {
					return err
				}
				_, err := tx.Exec(t.Context(), `DELETE FROM core_users WHERE id = $1`, userID)
				return err
			})
		}
	}
	errs := together(remove(ann, bob.UserID), remove(bob, ann.UserID), remove(Operator(), ann.UserID), remove(Operator(), bob.UserID))
	var roots int
	err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_staff_entries WHERE kind = 'admin' AND unrestricted`).Scan(&roots)
	require.NoError(t, err)
	require.Equal(t, 1, roots, "%v", errs)
}

func TestGrantRestsOnWhatTheGiverStillHolds(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	giver := By{b.user("Gil")}
	b.also(giver.UserID, permission.Admin, permission.Entry{Grants: []permission.Grant{area("staff", "can_manage_moderators")}})
	b.also(giver.UserID, permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})
	giverEntry := b.entryOf(giver.UserID, permission.Moderator)
	_, taker := b.staff("Tim", permission.Moderator, permission.Entry{})

	// Given a change that takes the right from the giver and is not committed yet,
	tx := pgtest.Begin(t, b.pool)
	_, before, err := lockEntry(t.Context(), tx, ann, permission.Moderator, giverEntry)
	require.NoError(t, err)
	_, err = b.update(t.Context(), tx, ann, before, permission.Entry{Grants: []permission.Grant{}})
	require.NoError(t, err)

	// when the giver gives it meanwhile,
	given := make(chan error, 1)
	go func() {
		_, err := b.Replace(t.Context(), giver, permission.Moderator, taker, grants(viewAll()))
		given <- err
	}()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, tx.Commit(t.Context()))

	// then the gift waits for the change and is refused.
	require.Equal(t, domain.CodeForbidden, domain.ErrorCode(<-given))
}

func TestConcurrentUpdatesWithTheSameExpectation(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	_, id := b.staff("Bob", permission.Moderator, permission.Entry{})
	change := func(g permission.Grant) func() error {
		return func() error {
			u := grants(g)
			u.ExpectedUpdatedAt = &clock
			_, err := b.Replace(t.Context(), ann, permission.Moderator, id, u)
			return err
		}
	}
	errs := together(change(view("general")), change(view("support")), change(viewAll()))
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Equal(t, domain.CodeConflict, domain.ErrorCode(err), "%v", err)
	}
	require.Equal(t, 1, won)
}
