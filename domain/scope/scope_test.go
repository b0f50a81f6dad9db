package scope

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestValidResourceID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"general": true, "7": true, "A.b_c:d-e": true, "x" + strings.Repeat("y", 63): true,
		"": false, "-a": false, ".a": false, "a b": false, "a\n": false, "ä": false, "a\x00": false,
		"x" + strings.Repeat("y", 64): false,
	} {
		require.Equal(t, want, ValidResourceID(id), "%q", id)
	}
}

func TestScopeCovers(t *testing.T) {
	t.Parallel()
	const family = "forum.category"
	general, none, elsewhere := Resource{family, "general"}, Resource{family, ""}, Resource{"blog.section", "general"}
	cases := map[string]struct {
		scope  *Scope
		covers []Resource
	}{
		"no scope":               {nil, []Resource{general, none, elsewhere, {}}},
		"all":                    {&Scope{family, All, nil}, []Resource{general, none}},
		"selected":               {&Scope{family, Selected, []string{"support", "general"}}, []Resource{general}},
		"another is selected":    {&Scope{family, Selected, []string{"support"}}, nil},
		"nothing is selected":    {&Scope{family, Selected, nil}, nil},
		"the empty id, selected": {&Scope{family, Selected, []string{""}}, nil},
		"no family":              {&Scope{"", All, nil}, nil},
		"an unknown mode":        {&Scope{family, "most", []string{"general"}}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []Resource{general, none, elsewhere, {}} {
				require.Equal(t, slices.Contains(c.covers, r), c.scope.Covers(r), "%+v", r)
			}
		})
	}
}

// family is a definition over labels by id, as a plugin in Go would write one.
func family(id string, labels map[string]string) *Definition {
	return &Definition{
		ID: id, Label: id,
		List: func(_ context.Context, q Query) ([]Item, string, error) {
			return make([]Item, q.Limit), "more", nil
		},
		Find: func(_ context.Context, ids []string) ([]Item, error) {
			items := []Item{{ID: "unasked", Label: "Nobody asked"}}
			for _, id := range ids {
				if labels[id] != "" {
					items = append(items, Item{ID: id, Label: labels[id]})
				}
			}
			return items, nil
		},
	}
}

func TestPageBoundsItsLimit(t *testing.T) {
	t.Parallel()
	d := family("forum.category", nil)
	for limit, want := range map[int]int{-1: DefaultLimit, 0: DefaultLimit, 1: 1, 100: 100, 101: MaxLimit} {
		page, err := d.Page(t.Context(), Query{Limit: limit})
		require.NoError(t, err)
		require.Len(t, page.Items, want)
		require.Equal(t, "more", *page.NextCursor)
	}
}

func TestLastPageHasNoCursorAndNoNullItems(t *testing.T) {
	t.Parallel()
	d := &Definition{List: func(context.Context, Query) ([]Item, string, error) { return nil, "", nil }}
	page, err := d.Page(t.Context(), Query{})
	require.NoError(t, err)
	require.Equal(t, Page{Items: []Item{}}, page)
}

func TestAPluginThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	for message, fail := range map[string]func(context.Context) error{
		"takes too long": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"failed":         func(context.Context) error { return errors.New("its own service is down") },
	} {
		d := Definition{ID: "forum.category", Timeout: 10 * time.Millisecond,
			List: func(ctx context.Context, _ Query) ([]Item, string, error) { return nil, "", fail(ctx) },
			Find: func(ctx context.Context, _ []string) ([]Item, error) { return nil, fail(ctx) }}
		_, listed := d.Page(t.Context(), Query{})
		_, found := d.Lookup(t.Context(), []string{"1"})
		for _, err := range []error{listed, found} {
			e, ok := errors.AsType[*domain.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, domain.CodeUnavailable, e.Code)
			require.Contains(t, e.Message, message)
		}
	}
}

func TestLookupLabelsASavedSelection(t *testing.T) {
	t.Parallel()
	d := family("forum.category", map[string]string{"general": "General", "support": "Support"})

	got, err := d.Lookup(t.Context(), []string{"support", "gone", "general", "-bad-", "support", "gone"})
	require.NoError(t, err)
	require.Equal(t, Labelled{
		Items:   []Item{{ID: "support", Label: "Support"}, {ID: "general", Label: "General"}},
		Missing: []string{"gone", "-bad-"},
	}, got)

	got, err = d.Lookup(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, Labelled{Items: []Item{}, Missing: []string{}}, got)
}
