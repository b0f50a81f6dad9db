package staff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestTwoRootsCannotBothDemoteTheOther(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann, bob := b.root("Ann"), b.root("Bob")
	annEntry, bobEntry := b.entryOf(ann.UserID, permission.Admin), b.entryOf(bob.UserID, permission.Admin)
	both := []struct {
		by    By
		other string // whose entry
	}{{ann, bobEntry}, {bob, annEntry}}
	for range 20 {
		stayed := 0
		outcomes := platformtest.Outcomes(2, func(i int) error {
			_, err := b.Replace(t.Context(), both[i].by, permission.Admin, both[i].other, unrestricted(false))
			if err == nil {
				stayed = i
			}
			return err
		})
		require.Equal(t, 1, outcomes[""], "%v", outcomes)

		var roots int
		err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_staff_entries WHERE kind = 'admin' AND unrestricted`).Scan(&roots)
		require.NoError(t, err)
		require.Equal(t, 1, roots)
		// The one who stayed takes the other back.
		_, err = b.Replace(t.Context(), both[stayed].by, permission.Admin, both[stayed].other, unrestricted(true))
		require.NoError(t, err)
	}
}

func TestTwoRootAccountsCannotBothBeDeleted(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann, bob := b.root("Ann"), b.root("Bob")
	deletions := []struct {
		by     By
		userID string
	}{{ann, bob.UserID}, {bob, ann.UserID}, {Operator(), ann.UserID}, {Operator(), bob.UserID}}
	outcomes := platformtest.Outcomes(len(deletions), func(i int) error { return b.deleteAccount(deletions[i].by, deletions[i].userID) })
	var roots int
	err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_staff_entries WHERE kind = 'admin' AND unrestricted`).Scan(&roots)
	require.NoError(t, err)
	require.Equal(t, 1, roots, "%v", outcomes)
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
	changes := []permission.Grant{view("general"), view("support"), viewAll()}
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeConflict: 2}, platformtest.Outcomes(len(changes), func(i int) error {
		u := grants(changes[i])
		u.ExpectedUpdatedAt = &clock
		_, err := b.Replace(t.Context(), ann, permission.Moderator, id, u)
		return err
	}))
}
