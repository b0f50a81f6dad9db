package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
)

func TestExistingAsksInBoundedParts(t *testing.T) {
	t.Parallel()
	ids := make([]string, 0, 2*scope.MaxLookup+1)
	labels := map[string]string{}
	for i := range 2*scope.MaxLookup + 1 {
		id := "r" + strings.Repeat("x", i%60) + string(rune('a'+i%26)) + strings.Repeat("0", i/60%3)
		ids = append(ids, id)
		labels[id] = id
	}
	d := &scope.Definition{ID: "forum.category", Find: func(_ context.Context, ids []string) (items []scope.Item, _ error) {
		require.LessOrEqual(t, len(ids), scope.MaxLookup)
		for _, id := range ids {
			if labels[id] != "" {
				items = append(items, scope.Item{ID: id})
			}
		}
		return items, nil
	}}
	r := registry.NewScopes(d)

	existing, err := r.Existing(t.Context(), "forum.category", append(ids, "gone"))
	require.NoError(t, err)
	require.Subset(t, existing, ids)
	require.NotContains(t, existing, "gone")

	_, err = r.Existing(t.Context(), "forum.section", ids)
	require.ErrorContains(t, err, "not registered")
}

func TestErrorsOfAPluginAreGivenOn(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	r := registry.NewScopes(&scope.Definition{
		ID: "forum.category", Label: "forum.category",
		List: func(context.Context, scope.Query) ([]scope.Item, string, error) { return nil, "", down },
		Find: func(context.Context, []string) ([]scope.Item, error) { return nil, down },
	})
	_, err := r.Existing(t.Context(), "forum.category", []string{"general"})
	require.ErrorIs(t, err, down)
	_, err = r.Find("forum.category").Page(t.Context(), scope.Query{})
	require.ErrorIs(t, err, down)
}
