package publicnotice_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/publicnotice"
)

func request(change func(*publicnotice.Request)) publicnotice.Request {
	r := publicnotice.Request{URL: "https://forum.example/posts/7", Explanation: strings.Repeat("x", 50), Name: " Ada ", Email: "ada@example.test", GoodFaith: true, Language: "ar"}
	change(&r)
	return r
}

func TestANoticeSaysWhatIsWrongAndWhoSaysIt(t *testing.T) {
	t.Parallel()
	n, issues := publicnotice.Parse(request(func(r *publicnotice.Request) { r.Law = " " }))
	require.Empty(t, issues)
	require.Equal(t, "Ada", *n.Name)
	require.Nil(t, n.Law)
	for name, c := range map[string]struct {
		change func(*publicnotice.Request)
		path   string // "" if it is fine
	}{
		"the longest":                 {func(r *publicnotice.Request) { r.Explanation = strings.Repeat("ع", 5000) }, ""},
		"one character too many":      {func(r *publicnotice.Request) { r.Explanation = strings.Repeat("ع", 5001) }, "explanation"},
		"spaces do not count":         {func(r *publicnotice.Request) { r.Explanation = strings.Repeat("x", 49) + strings.Repeat(" ", 9) }, "explanation"},
		"invalid UTF-8":               {func(r *publicnotice.Request) { r.Explanation += "\xff" }, "explanation"},
		"lines in an explanation":     {func(r *publicnotice.Request) { r.Explanation += "\nand more" }, ""},
		"lines in a name":             {func(r *publicnotice.Request) { r.Name = "Ada\nBcc: x" }, "name"},
		"an invisible name":           {func(r *publicnotice.Request) { r.Name = "\u200b" }, "name"},
		"another scheme":              {func(r *publicnotice.Request) { r.URL = "ftp://forum.example/posts/7" }, "url"},
		"no host":                     {func(r *publicnotice.Request) { r.URL = "https:///posts/7" }, "url"},
		"a password in the address":   {func(r *publicnotice.Request) { r.URL = "https://a:b@forum.example/posts/7" }, "url"},
		"a list of addresses":         {func(r *publicnotice.Request) { r.Email = "a@example.test, b@example.test" }, "email"},
		"a name with the address":     {func(r *publicnotice.Request) { r.Email = "A <a@example.test>" }, "email"},
		"lines in an email":           {func(r *publicnotice.Request) { r.Email = "ada@example.test\nBcc: x" }, "email"},
		"a very long address":         {func(r *publicnotice.Request) { r.URL = strings.Repeat("x", 9000) }, "url"},
		"no at sign":                  {func(r *publicnotice.Request) { r.Email = "ada" }, "email"},
		"a comment in the address":    {func(r *publicnotice.Request) { r.Email = "ada@example.test (Ada)" }, "email"},
		"no name":                     {func(r *publicnotice.Request) { r.Name = "" }, "name"},
		"about a child, by nobody":    {func(r *publicnotice.Request) { r.Category, r.Name, r.Email = publicnotice.ChildSafety, "", "" }, ""},
		"about a child, half a name":  {func(r *publicnotice.Request) { r.Category, r.Email = publicnotice.ChildSafety, "" }, "email"},
		"about a child, in bad faith": {func(r *publicnotice.Request) { r.Category, r.GoodFaith = publicnotice.ChildSafety, false }, "goodFaith"},
	} {
		_, issues := publicnotice.Parse(request(c.change))
		if c.path == "" {
			require.Empty(t, issues, name)
			continue
		}
		require.Len(t, issues, 1, name)
		require.Equal(t, c.path, issues[0].Path, name)
	}
}

func TestCandidatesAreWholeAndBelowTheBase(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("https://Docket.example")
	require.NoError(t, err)
	require.Equal(t, []string{"https://docket.example/forum/posts/7?page=2", "/forum/posts/7?page=2"}, publicnotice.Candidates("https://DOCKET.example/forum/posts/7?page=2#reply", base))
	require.Equal(t, []string{"http://docket.example/x"}, publicnotice.Candidates("http://docket.example/x", base), "another scheme is another place")
	require.Equal(t, []string{"https://docket.example.evil.test/x"}, publicnotice.Candidates("https://docket.example.evil.test/x", base))
	require.Equal(t, []string{"https://docket.example/x"}, publicnotice.Candidates("https://docket.example/x", nil))
	require.Empty(t, publicnotice.Candidates("/x", base))
}
