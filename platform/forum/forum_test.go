package forum_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/forum"
)

// bundle is the forum on a database of the test's own.
type bundle struct {
	pool *pgxpool.Pool
	*registry.Registered
}

func setup(t *testing.T) *bundle {
	t.Helper()
	pool := pgtest.New(t)
	_, err := migrations.Plugin("forum", forum.Tables()).Up(t.Context(), pool)
	require.NoError(t, err)
	registered, err := registry.Register(t.Context(), registry.Deps{Content: content.NewStore(pool)}, &registry.Declaration{Plugin: *forum.Plugin(pool)})
	require.NoError(t, err)
	return &bundle{pool, registered}
}

func (b *bundle) member(t *testing.T, name string) string {
	t.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	pgtest.Exec(t, b.pool, "INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, $3)", id, name, time.Now())
	return id
}

func TestForumRegisters(t *testing.T) {
	t.Parallel()
	b := setup(t)

	var types []string
	for _, d := range b.Targets.All() {
		types = append(types, d.PluginID+" "+d.Type+" "+d.PermissionModule+" "+d.ScopeFamily)
	}
	require.Equal(t, []string{
		"forum forum.topic topics forum.category",
		"forum forum.post posts forum.category",
		"forum forum.profile profiles ",
	}, types)

	hide, ok := b.Permissions.Find(permission.Moderator, "forum", "posts", permission.Hide)
	require.True(t, ok)
	require.Equal(t, "forum.category", hide.Scope)
	require.Equal(t, permission.ViewHidden, hide.DependsOn)
	_, ok = b.Permissions.Find(permission.Moderator, "forum", "profiles", permission.Hide)
	require.False(t, ok, "profiles cannot be hidden")

	page, err := b.Scopes.Find("forum.category").Page(t.Context(), scope.Query{})
	require.NoError(t, err)
	require.Equal(t, []scope.Item{
		{ID: "general", Label: "General", Context: []string{"Community"}},
		{ID: "offtopic", Label: "Off topic", Context: []string{"Community"}},
		{ID: "support", Label: "Support", Context: []string{"Help"}},
	}, page.Items)
}

func TestProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.member(t, "Ada")
	profile := b.Targets.Find("forum", "forum.profile")

	captured, err := profile.Capture(t.Context(), target.CaptureRequest{TargetID: ada, Locale: "de"})
	require.NoError(t, err)
	require.Equal(t, "Ada", captured.Title)
	require.Equal(t, "de", captured.Served)
	require.Nil(t, captured.Scope)
	state, err := profile.Current(t.Context(), ada, "en")
	require.NoError(t, err)
	require.Equal(t, &target.State{URL: "/forum/profiles/" + ada}, state)

	pgtest.Exec(t, b.pool, "DELETE FROM core_users WHERE id = $1", ada)
	captured, err = profile.Capture(t.Context(), target.CaptureRequest{TargetID: ada})
	require.NoError(t, err)
	require.Nil(t, captured)
	state, err = profile.Current(t.Context(), ada, "en")
	require.NoError(t, err)
	require.Nil(t, state)
	require.Empty(t, profile.Actions)
}
