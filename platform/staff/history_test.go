package staff

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

func TestHistoryKeepsEveryChange(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann, bob := b.root("Ann"), b.user("Bob")
	e, err := b.Create(t.Context(), ann, permission.Moderator, bob)
	require.NoError(t, err)
	for _, u := range []Update{grants(viewAll()), grants(viewAll()), unrestricted(true)} { // the second changes nothing
		_, err = b.Replace(t.Context(), ann, permission.Moderator, e.ID, u)
		require.NoError(t, err)
	}
	_, err = b.pool.Exec(t.Context(), `DELETE FROM core_staff_entries WHERE id = $1`, e.ID) // a hand in the database
	require.NoError(t, err)
	_, err = b.ledger.Adopt(t.Context(), b.pool, nil, Ledger)
	require.NoError(t, err)

	page, err := b.History(t.Context(), permission.Moderator, e.ID, HistoryList.First(10))
	require.NoError(t, err)
	none := &permission.Entry{Grants: []permission.Grant{}}
	some := &permission.Entry{Grants: []permission.Grant{viewAll()}}
	all := &permission.Entry{Unrestricted: true, Grants: []permission.Grant{viewAll()}}
	want := []Event{
		{Action: "deleted", Before: all},
		{Action: "updated", Actor: &Actor{ann.UserID, new("Ann")}, Before: some, After: all},
		{Action: "updated", Actor: &Actor{ann.UserID, new("Ann")}, Before: none, After: some},
		{Action: "created", Actor: &Actor{ann.UserID, new("Ann")}, After: none},
	}
	require.Len(t, page.Edges, len(want))
	for i, got := range page.Edges {
		require.False(t, time.Time(got.At).IsZero())
		want[i].Position, want[i].At = got.Position, got.At
		require.Equal(t, want[i], got)
	}
}

func TestHistoryPages(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	_, id := b.staff("Bob", permission.Moderator, permission.Entry{})
	for i := range 4 {
		_, err := b.Replace(t.Context(), ann, permission.Moderator, id, unrestricted(i%2 == 0))
		require.NoError(t, err)
	}
	var actions []string
	query := url.Values{"first": {"2"}, "order": {"asc"}}
	for {
		r, err := HistoryList.Parse(query)
		require.NoError(t, err)
		page, err := b.History(t.Context(), permission.Moderator, id, r)
		require.NoError(t, err)
		for _, e := range page.Edges {
			actions = append(actions, e.Action)
		}
		if !page.PageInfo.HasNextPage {
			break
		}
		query.Set("cursor", *page.PageInfo.EndCursor)
	}
	require.Equal(t, []string{"created", "updated", "updated", "updated", "updated"}, actions)
}

func TestHistoryOfNothing(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	_, moderator := b.staff("Bob", permission.Moderator, permission.Entry{})
	for _, id := range []string{"x", uuid.NewString()} {
		_, err := b.History(t.Context(), permission.Moderator, id, HistoryList.First(1))
		require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
	}
	_, err := b.History(t.Context(), permission.Admin, moderator, HistoryList.First(1))
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err), "the other kind's")
}

func TestHistoryIsAppendOnly(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.root("Ann")
	for _, sql := range []string{
		`UPDATE core_staff_history SET actor_id = NULL`,
		`DELETE FROM core_staff_history`,
		`TRUNCATE core_staff_history`,
		`TRUNCATE core_staff_entries`,
	} {
		_, err := b.pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "append-only", sql)
	}
}
