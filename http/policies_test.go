package http_test

import (
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

func richText(words string) map[string]any {
	return map[string]any{"type": "doc", "content": []any{map[string]any{"type": "paragraph",
		"content": []any{map[string]any{"type": "text", "text": words}}}}}
}

func TestPoliciesAreVersionsThatNeverChange(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	rules := b.admin("Rules", permission.AreaPolicies)
	draft := map[string]any{"key": "be-kind", "title": "Be kind", "text": richText("Be kind."), "template": richText("You were not kind.")}

	first := rules.post("/admin/policies", draft).status(nethttp.StatusCreated)
	require.EqualValues(t, 1, first.body["version"])
	require.Equal(t, richText("Be kind."), first.body["text"])
	require.Nil(t, first.body["retiredAt"])

	t.Log("what is said already is not published again")
	again := rules.post("/admin/policies", draft).status(nethttp.StatusOK)
	require.Equal(t, first.body, again.body)

	draft["text"], draft["template"] = "Be very kind.", nil
	second := rules.post("/admin/policies", draft).status(nethttp.StatusCreated)
	require.EqualValues(t, 2, second.body["version"])
	require.Equal(t, richText("Be very kind."), second.body["text"])

	t.Log("guests see what is in force, and every version of a key")
	rules.post("/admin/policies", map[string]any{"key": "no-spam", "title": "No spam", "text": richText("None.")}).status(nethttp.StatusCreated)
	keys := func(query string) (got []any) {
		for _, e := range b.guest().get("/moderation/policies" + query).status(nethttp.StatusOK).edges() {
			got = append(got, e["key"], e["version"])
		}
		return got
	}
	require.Equal(t, []any{"be-kind", 2., "no-spam", 1.}, keys(""))
	require.Equal(t, []any{"be-kind", 2.}, keys("?key=be-kind"))
	require.Equal(t, []any{"be-kind", 1., "be-kind", 2.}, keys("?key=be-kind&versions=all"))
	require.Equal(t, map[string]string{"key": "invalid", "versions": "invalid"}, b.guest().get("/moderation/policies?key=A&versions=some").fault(400, "validation_failed").issues())

	t.Log("a retired key is in force no longer; publishing it makes the next version")
	retired := rules.post("/admin/policies/be-kind/retire", "").status(nethttp.StatusOK)
	require.NotNil(t, retired.body["retiredAt"])
	require.Equal(t, retired.body, rules.post("/admin/policies/be-kind/retire", "").status(nethttp.StatusOK).body)
	require.Equal(t, []any{"no-spam", 1.}, keys(""))
	require.Equal(t, []any{"be-kind", 2., "no-spam", 1.}, keys("?versions=latest"))
	third := rules.post("/admin/policies", draft).status(nethttp.StatusCreated)
	require.EqualValues(t, 3, third.body["version"])
	require.Equal(t, []any{"be-kind", 3., "no-spam", 1.}, keys(""))
	rules.post("/admin/policies/unknown/retire", "").fault(404, "not_found")
	rules.post("/admin/policies/A+b/retire", "").fault(404, "not_found")

	_, err := b.pool.Exec(t.Context(), `UPDATE core_policies SET title = 'Changed'`)
	require.ErrorContains(t, err, "never changes")
}

func TestAPolicyThatIsPublishedIsValid(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	root := b.admin("Root")
	require.Equal(t, map[string]string{"key": "invalid", "title": "required", "text": "required", "more": "unknown_field"},
		root.post("/admin/policies", map[string]any{"key": "A", "title": " ", "text": "", "more": 1}).fault(400, "validation_failed").issues())

	t.Log("of many publications at once, each gets a version of its own")
	var all sync.WaitGroup
	versions := make([]float64, 8)
	for i := range versions {
		all.Go(func() {
			a := root.post("/admin/policies", map[string]any{"key": "a", "title": string(rune('A' + i)), "text": richText("A.")})
			versions[i], _ = a.body["version"].(float64)
		})
	}
	all.Wait()
	require.ElementsMatch(t, []float64{1, 2, 3, 4, 5, 6, 7, 8}, versions)
}
