package staff

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestReplaceStoresGrantsAsAsked(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	admin := b.root("Ann")
	_, id := b.staff("Bob", permission.Moderator, permission.Entry{})

	asked := []permission.Grant{view("support", "general"), view("offtopic"), {Plugin: "forum", Module: "profiles", Permission: permission.ViewReports}}
	e, err := b.Replace(t.Context(), admin, permission.Moderator, id, Update{Grants: &asked})
	require.NoError(t, err)
	require.Equal(t, asked, e.Grants)

	stored, err := b.Get(t.Context(), permission.Moderator, id)
	require.NoError(t, err)
	require.Equal(t, e, stored)
	require.Equal(t, clock.Add(time.Microsecond), time.Time(stored.UpdatedAt), "later than before though the clock stands")

	again, err := b.Replace(t.Context(), admin, permission.Moderator, id, Update{Grants: &asked})
	require.NoError(t, err)
	require.Equal(t, stored, again, "what changes nothing is no change")
}

func TestReplaceLeavesWhatIsNotGiven(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	admin := b.root("Ann")
	_, id := b.staff("Bob", permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})

	e, err := b.Replace(t.Context(), admin, permission.Moderator, id, unrestricted(true))
	require.NoError(t, err)
	require.Equal(t, permission.Entry{Unrestricted: true, Grants: []permission.Grant{viewAll()}}, e.Entry)
	e, err = b.Replace(t.Context(), admin, permission.Moderator, id, grants())
	require.NoError(t, err)
	require.Equal(t, permission.Entry{Unrestricted: true, Grants: []permission.Grant{}}, e.Entry)
}

func TestReplaceRefusals(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	_, bob := b.staff("Bob", permission.Moderator, permission.Entry{Grants: []permission.Grant{view("general")}})
	_, carol := b.staff("Carol", permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})
	// Dan manages moderators, and holds general himself.
	danID, _ := b.staff("Dan", permission.Admin, permission.Entry{Grants: []permission.Grant{area("staff", "can_manage_moderators")}})
	b.also(danID, permission.Moderator, permission.Entry{Grants: []permission.Grant{view("general")}})
	dan, danEntry := By{danID}, b.entryOf(danID, permission.Moderator)
	stale := clock.Add(-time.Second)

	cases := map[string]struct {
		by     By
		kind   permission.Kind
		id     string
		update Update
		want   domain.Code
	}{
		"within the ceiling":            {dan, permission.Moderator, bob, grants(), ""},
		"above the ceiling":             {dan, permission.Moderator, bob, grants(view("general", "support")), domain.CodeForbidden},
		"unrestricted":                  {dan, permission.Moderator, bob, unrestricted(true), domain.CodeForbidden},
		"an entry that holds more":      {dan, permission.Moderator, carol, grants(view("general")), domain.CodeForbidden},
		"the own entry":                 {dan, permission.Moderator, danEntry, grants(), domain.CodeForbidden},
		"an area that is not held":      {dan, permission.Admin, b.entryOf(ann.UserID, permission.Admin), grants(), domain.CodeForbidden},
		"somebody without any entry":    {By{b.user("Eve")}, permission.Moderator, bob, grants(), domain.CodeForbidden},
		"an entry of the other kind":    {ann, permission.Admin, bob, grants(), domain.CodeNotFound},
		"no entry":                      {ann, permission.Moderator, uuid.NewString(), grants(), domain.CodeNotFound},
		"no id":                         {ann, permission.Moderator, "x", grants(), domain.CodeNotFound},
		"an unknown permission":         {ann, permission.Moderator, carol, grants(permission.Grant{Plugin: "blog"}), domain.CodeValidationFailed},
		"an unknown resource":           {ann, permission.Moderator, carol, grants(view("nowhere")), domain.CodeInvalidPermissions},
		"faults before the ceiling":     {dan, permission.Moderator, carol, grants(view("nowhere")), domain.CodeInvalidPermissions},
		"a stale expectation":           {ann, permission.Moderator, carol, Update{ExpectedUpdatedAt: &stale}, domain.CodeConflict},
		"a met expectation":             {ann, permission.Moderator, carol, Update{ExpectedUpdatedAt: &clock}, ""},
		"forbidden before the conflict": {dan, permission.Moderator, carol, Update{ExpectedUpdatedAt: &stale}, domain.CodeForbidden},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := b.Replace(t.Context(), c.by, c.kind, c.id, c.update)
			require.Equal(t, c.want, domain.ErrorCode(err), "%v", err)
			if c.want == "" {
				require.NoError(t, err)
			}
			if c.want == domain.CodeConflict {
				var e *domain.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.id, e.Current.(Entry).ID)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	_, bob := b.staff("Bob", permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})
	carol := By{b.user("Carol")}
	b.also(carol.UserID, permission.Admin, permission.Entry{Grants: []permission.Grant{area("staff", "can_manage_moderators")}})

	require.Equal(t, domain.CodeForbidden, domain.ErrorCode(b.Delete(t.Context(), carol, permission.Moderator, bob)))
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(b.Delete(t.Context(), ann, permission.Admin, bob)))
	require.NoError(t, b.Delete(t.Context(), ann, permission.Moderator, bob))
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(b.Delete(t.Context(), ann, permission.Moderator, bob)))
	require.Equal(t, domain.CodeForbidden, domain.ErrorCode(
		b.Delete(t.Context(), ann, permission.Admin, b.entryOf(ann.UserID, permission.Admin))), "the own entry")
	require.Equal(t, domain.CodeForbidden, domain.ErrorCode(
		b.Delete(t.Context(), Operator(), permission.Admin, b.entryOf(ann.UserID, permission.Admin))), "the last root")
}

func TestAccountDeletionIsUnderTheCeiling(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	member := b.user("Max")
	moderator, _ := b.staff("Mia", permission.Moderator, permission.Entry{Grants: []permission.Grant{view("general")}})
	deleter, _ := b.staff("Dan", permission.Admin, permission.Entry{Grants: []permission.Grant{area("users", "can_delete")}})

	cases := map[string]struct {
		by   By
		user string
		want domain.Code
	}{
		"a member by whoever may delete":         {By{deleter}, member, ""},
		"a moderator by one who holds less":      {By{deleter}, moderator, domain.CodeForbidden},
		"a moderator by root":                    {ann, moderator, ""},
		"a root by an admin":                     {By{deleter}, ann.UserID, domain.CodeForbidden},
		"the last root by the operator":          {Operator(), ann.UserID, domain.CodeForbidden},
		"a member by somebody without the area":  {By{moderator}, member, domain.CodeForbidden},
		"oneself, with an entry":                 {By{deleter}, deleter, domain.CodeForbidden},
		"an account that is of no form":          {ann, "x", domain.CodeNotFound},
		"a moderator by the operator":            {Operator(), moderator, ""},
		"an account that is not there, by admin": {ann, uuid.NewString(), ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tx := pgtest.Begin(t, b.pool)
			err := b.AllowAccountDeletion(t.Context(), tx, c.by, c.user)
			require.Equal(t, c.want, domain.ErrorCode(err), "%v", err)
		})
	}
}

func TestEntriesGoWithTheAccountAndTheHistorySaysWho(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ann := b.root("Ann")
	user, entry := b.staff("Mia", permission.Moderator, permission.Entry{Grants: []permission.Grant{view("general")}})

	require.NoError(t, b.deleteAccount(ann, user))

	_, err := b.Get(t.Context(), permission.Moderator, entry)
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
	history, err := b.History(t.Context(), permission.Moderator, entry, HistoryList.First(10))
	require.NoError(t, err)
	require.Len(t, history.Edges, 2)
	require.Equal(t, "deleted", history.Edges[0].Action)
	require.Equal(t, "Ann", *history.Edges[0].Actor.Name)
	require.Equal(t, &permission.Entry{Grants: []permission.Grant{view("general")}}, history.Edges[0].Before)
}
