package staff

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
)

var _ moderation.Staff = (*Store)(nil)

func TestModerators(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.root("Zoe Root")
	carol, _ := b.staff("Carol Ann", permission.Moderator, permission.Entry{Grants: []permission.Grant{view("general"), {Plugin: "forum", Module: "profiles", Permission: permission.ViewReports}}})
	b.staff("Bob O'Brien", permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})
	b.staff("Anna", permission.Moderator, permission.Entry{})
	b.staff("Adam", permission.Admin, permission.Entry{Unrestricted: true})

	cases := map[string]struct {
		module, permission, search, id string
		want                           []string
	}{
		"everybody who holds it":  {"posts", permission.ViewReports, "", "", []string{"Bob O'Brien", "Carol Ann", "Zoe Root"}},
		"of another module":       {"profiles", permission.ViewReports, "", "", []string{"Carol Ann", "Zoe Root"}},
		"nobody but unrestricted": {"posts", permission.Hide, "", "", []string{"Zoe Root"}},
		"a word's beginning":      {"posts", permission.ViewReports, "an", "", []string{"Carol Ann"}},
		"two words":               {"posts", permission.ViewReports, "ann CAR", "", []string{"Carol Ann"}},
		"a quote":                 {"posts", permission.ViewReports, "o'b", "", []string{"Bob O'Brien"}},
		"operators are no words":  {"posts", permission.ViewReports, "bob & !carol:*", "", nil},
		"no word":                 {"posts", permission.ViewReports, "%", "", nil},
		"not an email":            {"posts", permission.ViewReports, "example", "", nil},
		"one":                     {"posts", permission.ViewReports, "", carol, []string{"Carol Ann"}},
		"one who does not":        {"posts", permission.Hide, "", carol, nil},
		"an unknown one":          {"posts", permission.ViewReports, "", uuid.NewString(), nil},
		"an id of no form":        {"posts", permission.ViewReports, "", "x", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			candidates, err := b.Moderators(t.Context(), "forum", c.module, c.permission, c.search, c.id)
			require.NoError(t, err)
			var names []string
			for _, m := range candidates {
				require.True(t, m.Entry.Has("forum", c.module, c.permission))
				names = append(names, m.Name)
			}
			require.Equal(t, c.want, names)
		})
	}
}
