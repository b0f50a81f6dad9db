package account

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestCreateUserRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ada@example.test")
	tests := []struct {
		name string
		user NewUser
		code domain.Code
		path string
	}{
		{"an email in use, in another case", NewUser{Email: "ADA@example.test", Name: "A"}, domain.CodeAlreadyExists, ""},
		{"no name", NewUser{Name: "  "}, domain.CodeValidationFailed, "name"},
		{"a name of invisible characters", NewUser{Name: "\u200b \ufeff"}, domain.CodeValidationFailed, "name"},
		{"a long name", NewUser{Name: strings.Repeat("ü", 101)}, domain.CodeValidationFailed, "name"},
		{"a name of two lines", NewUser{Name: "a\nb"}, domain.CodeValidationFailed, "name"},
		{"a name that turns the line round", NewUser{Name: "a\u202eb"}, domain.CodeValidationFailed, "name"},
		{"a name with a zero byte", NewUser{Name: "a\x00b"}, domain.CodeValidationFailed, "name"},
		{"a name of invalid UTF-8", NewUser{Name: "a\xff"}, domain.CodeValidationFailed, "name"},
		{"no email at all", NewUser{Email: "ada", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"two ats", NewUser{Email: "a@b@c", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"an email with a space", NewUser{Email: "a b@c", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"an email in brackets", NewUser{Email: "<a@b.test>", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"an email with a comma", NewUser{Email: "a,b@c.test", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"an email too long", NewUser{Email: strings.Repeat("a", 254) + "@b", Name: "A"}, domain.CodeValidationFailed, "email"},
		{"a short password", NewUser{Name: "A", Password: "1234567"}, domain.CodeValidationFailed, "password"},
		{"a long password", NewUser{Name: "A", Password: strings.Repeat("x", 257)}, domain.CodeValidationFailed, "password"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := b.CreateUser(t.Context(), test.user)
			requireCode(t, test.code, err)
			if test.path != "" {
				var e *domain.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.path, e.Issues[0].Path)
			}
		})
	}
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_users"))
}

func TestFindUser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	want := b.user(t, "Ada@example.test")
	found, err := b.FindByEmail(t.Context(), " aDA@example.test ")
	require.NoError(t, err)
	require.Equal(t, want, found)
	found, err = b.FindByID(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, found)
	for _, email := range []string{"", "nobody@example.test", "a\x00@b", "a\xff@b"} {
		_, err = b.FindByEmail(t.Context(), email)
		requireCode(t, domain.CodeNotFound, err)
	}
	for _, id := range []string{"", "x", uuid.NewString()} {
		_, err = b.FindByID(t.Context(), id)
		requireCode(t, domain.CodeNotFound, err)
	}
	names, err := b.Names(t.Context(), []string{want.ID, uuid.NewString()})
	require.NoError(t, err)
	require.Equal(t, map[string]string{want.ID: "Ada"}, names)
}

func TestEnsureUsersIsRepeatable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	all := []NewUser{
		{Email: "a@demo.test", Name: "A", Password: password, Demo: true},
		{Email: "b@demo.test", Name: "B", Password: password, Demo: true},
		{Email: "c@demo.test", Name: "C", Demo: true},
	}
	exist, err := b.DemoAccountsExist(t.Context())
	require.NoError(t, err)
	require.False(t, exist)

	first, err := b.EnsureUsers(t.Context(), all)
	require.NoError(t, err)
	require.Equal(t, []string{"A", "B", "C"}, []string{first[0].Name, first[1].Name, first[2].Name})
	again, err := b.EnsureUsers(t.Context(), all)
	require.NoError(t, err)
	require.Equal(t, first, again)
	exist, err = b.DemoAccountsExist(t.Context())
	require.NoError(t, err)
	require.True(t, exist)

	for _, email := range []string{"a@demo.test", "b@demo.test"} {
		require.NoError(t, b.signsIn(t, email, password))
	}
	_, err = b.EnsureUsers(t.Context(), []NewUser{{Name: "D"}})
	requireCode(t, domain.CodeValidationFailed, err)
}

func TestListUsers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, u := range []NewUser{
		{Name: "Zoë O'Brien-Smith", Email: "zoe.obrien@example.test"}, {Name: "Ada", Email: "lovelace@example.test"},
		{Name: "ada", Email: "other@mail.test"}, {Name: "Nobody's account"}, {Name: "ÉMILE", Email: "e_zola@example.test"},
	} {
		_, err := b.CreateUser(t.Context(), u)
		require.NoError(t, err)
		b.clock.Advance(time.Second)
	}
	names := func(search, query string) []string {
		t.Helper()
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		request, err := UserList.Parse(values)
		require.NoError(t, err)
		page, err := b.ListUsers(t.Context(), search, request)
		require.NoError(t, err)
		found := []string{}
		for _, u := range page.Edges {
			found = append(found, u.Name)
		}
		return found
	}
	all := []string{"Ada", "Nobody's account", "Zoë O'Brien-Smith", "ada", "ÉMILE"}
	require.Equal(t, all, names("", ""))
	require.Equal(t, all, names("  ", ""))
	require.Equal(t, []string{"ÉMILE", "Nobody's account", "ada", "Ada", "Zoë O'Brien-Smith"}, names("", "orderBy=createdAt"))

	searches := map[string][]string{
		"ad": {"Ada", "ada"}, "ADA": {"Ada", "ada"}, "zoë": {"Zoë O'Brien-Smith"}, "o'brien": {"Zoë O'Brien-Smith"},
		"smith zo": {"Zoë O'Brien-Smith"}, "Brien-Sm": {"Zoë O'Brien-Smith"}, "lovelace@example.test": {"Ada"},
		"lovelace@exa": {"Ada"}, "mail": {"ada"}, "zola": {"ÉMILE"}, "émile": {"ÉMILE"}, "nothing": {}, "da": {},
		"!!!": {}, "ad:*|x": {}, `'\`: {}, "& | ! <-> ( )": {}, strings.Repeat("word ", 1000): {},
	}
	for search, want := range searches {
		require.Equal(t, want, names(search, ""), search)
	}

	request := UserList.First(2)
	first, err := b.ListUsers(t.Context(), "", request)
	require.NoError(t, err)
	require.True(t, first.PageInfo.HasNextPage)
	require.Equal(t, []string{"Zoë O'Brien-Smith", "ada"}, names("", "first=2&cursor="+*first.PageInfo.EndCursor))
}
