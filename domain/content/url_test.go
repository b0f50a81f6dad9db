package content_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/content"
)

func TestAnAddressIsReadByTheTemplateThatFilledIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ template, address, id string }{
		{"/forum/posts/{id}", "/forum/posts/7", "7"},
		{"/forum/posts/{id}", "/forum/posts/7/?page=2#reply", "7"},
		{"/forum/posts/{id}", "/forum/posts/a%2Fb%20c", "a/b c"},
		{"/forum/posts/{id}", "/forum/posts/7/edit", ""},
		{"/forum/posts/{id}", "/forum/posts/", ""},
		{"/forum/posts/{id}", "/forum/posts/%zz", ""},
		{"/forum/posts/{id}", "https://elsewhere.test/forum/posts/7", ""},
		{"https://blog.example/{locale}/{id}-{slug}/", "https://blog.example/ar/7-the-title/", "7"},
		{"https://blog.example/{locale}/{id}-{slug}/", "https://blog.example/ar/7/", ""},
		{"/view?id={id}&x=1", "/view?id=7&x=1", "7"},
		{"/view?id={id}", "/view?other=7", ""},
		{"/posts/{slug}", "/posts/the-title", ""}, // names no id
		{"", "/anything", ""},
	} {
		var t2 content.URLTemplate
		if c.template != "" {
			var err error
			t2, err = content.ParseURL(c.template, func(string) bool { return true })
			require.NoError(t, err)
		}
		id, ok := t2.Match(c.address)
		require.Equal(t, c.id != "", ok, c.address)
		if ok {
			require.Equal(t, c.id, id, c.address)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		template, err := content.ParseURL("/{locale}/posts/{id}", func(string) bool { return true })
		require.NoError(t, err)
		want := rapid.StringN(1, 20, -1).Draw(t, "id")
		filled := template.Fill(func(name string) string { return map[string]string{"locale": "en", "id": want}[name] })
		if filled == "" {
			return
		}
		id, ok := template.Match(filled)
		require.True(t, ok, filled)
		require.Equal(t, want, id)
	})
}
