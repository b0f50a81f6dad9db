package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestAllowChange(t *testing.T) {
	t.Parallel()
	var (
		root      = &Entry{Unrestricted: true}
		empty     = &Entry{}
		inGeneral = &Entry{Grants: []Grant{posts(ViewReports, selected("general"))}}
		inAll     = &Entry{Grants: []Grant{posts(ViewReports, all())}}
		auditor   = &Entry{Grants: []Grant{{CorePlugin, "audit", "can_view", nil}}}
	)
	moderators := func(before, after *Entry) Change { return Change{Moderator, "bob", before, after, 0} }
	admins := func(before, after *Entry, otherRoots int) Change {
		return Change{Admin, "bob", before, after, otherRoots}
	}
	cases := map[string]struct {
		change  Change
		actor   Actor
		refused string // "" when allowed
	}{
		"granting what one holds":        {moderators(empty, inGeneral), Actor{UserID: "ann", Moderator: inGeneral}, ""},
		"granting less than one holds":   {moderators(empty, inGeneral), Actor{UserID: "ann", Moderator: inAll}, ""},
		"making an empty entry":          {moderators(nil, empty), Actor{UserID: "ann", Admin: root}, ""},
		"granting more than one holds":   {moderators(empty, inAll), Actor{UserID: "ann", Moderator: inGeneral}, "forum:posts:can_view_reports (all of forum.category)"},
		"taking more than one holds":     {moderators(inAll, empty), Actor{UserID: "ann", Moderator: inGeneral}, "This entry allows more than your own"},
		"deleting more than one holds":   {moderators(inAll, nil), Actor{UserID: "ann", Moderator: inGeneral}, "This entry allows more than your own"},
		"unrestricted from a restricted": {moderators(empty, root), Actor{UserID: "ann", Moderator: inAll}, "what you hold yourself: unrestricted"},
		"unrestricted from unrestricted": {moderators(empty, root), Actor{UserID: "ann", Moderator: root}, ""},
		"a root admin holds no moderator permission by that": {
			moderators(empty, inGeneral), Actor{UserID: "ann", Admin: root}, "what you hold yourself",
		},
		"a moderator holds no admin permission by that": {
			admins(empty, auditor, 1), Actor{UserID: "ann", Moderator: root}, "what you hold yourself",
		},
		"the own entry": {moderators(inAll, inGeneral), Actor{UserID: "bob", Moderator: root}, "You cannot change your own"},

		"a root touched by an admin":      {admins(root, auditor, 1), Actor{UserID: "ann", Admin: auditor}, "This entry allows more than your own: unrestricted."},
		"a root touched by another root":  {admins(root, auditor, 1), Actor{UserID: "ann", Admin: root}, ""},
		"the last root demoted":           {admins(root, auditor, 0), Actor{Operator: true}, "last unrestricted administrator"},
		"the last root deleted":           {admins(root, nil, 0), Actor{Operator: true}, "last unrestricted administrator"},
		"the last root left what it is":   {admins(root, root, 0), Actor{Operator: true}, ""},
		"an operator grants anything":     {moderators(nil, root), Actor{Operator: true}, ""},
		"the last unrestricted moderator": {moderators(root, nil), Actor{Operator: true}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.change.Allow(c.actor)
			if c.refused == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, domain.CodeForbidden, domain.ErrorCode(err))
			require.ErrorContains(t, err, c.refused)
		})
	}
}

func TestRefusalNamesAFewGrantsOnly(t *testing.T) {
	t.Parallel()
	wide := &Entry{}
	for _, permission := range []string{"p1", "p2", "p3", "p4", "p5", "p6"} {
		wide.Grants = append(wide.Grants, Grant{"forum", "posts", permission, nil})
	}
	err := Change{Moderator, "bob", nil, wide, 0}.Allow(Actor{UserID: "ann"})
	require.ErrorContains(t, err, "forum:posts:p5, and more.")
	require.NotContains(t, err.Error(), "p6")
}
