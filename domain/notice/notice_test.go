package notice_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/notice"
)

func request(change func(*notice.Request)) notice.Request {
	r := notice.Request{URL: "https://forum.example/posts/7", Explanation: strings.Repeat("x", 50), Name: " Ada ", Email: "ada@example.test", GoodFaith: true, Language: "ar"}
	change(&r)
	return r
}

func TestANoticeSaysWhatIsWrongAndWhoSaysIt(t *testing.T) {
	t.Parallel()
	n, issues := notice.Parse(request(func(r *notice.Request) { r.Law = " " }))
	require.Empty(t, issues)
	require.Equal(t, "Ada", *n.Name)
	require.Nil(t, n.Law)
	for name, c := range map[string]struct {
		change func(*notice.Request)
		path   string // "" if it is fine
	}{
		"the longest":                 {func(r *notice.Request) { r.Explanation = strings.Repeat("ع", 5000) }, ""},
		"one character too many":      {func(r *notice.Request) { r.Explanation = strings.Repeat("ع", 5001) }, "explanation"},
		"spaces do not count":         {func(r *notice.Request) { r.Explanation = strings.Repeat("x", 49) + strings.Repeat(" ", 9) }, "explanation"},
		"invalid UTF-8":               {func(r *notice.Request) { r.Explanation += "\xff" }, "explanation"},
		"lines in an explanation":     {func(r *notice.Request) { r.Explanation += "\nand more" }, ""},
		"lines in a name":             {func(r *notice.Request) { r.Name = "Ada\nBcc: x" }, "name"},
		"an invisible name":           {func(r *notice.Request) { r.Name = "\u200b" }, "name"},
		"another scheme":              {func(r *notice.Request) { r.URL = "ftp://forum.example/posts/7" }, "url"},
		"no host":                     {func(r *notice.Request) { r.URL = "https:///posts/7" }, "url"},
		"no at sign":                  {func(r *notice.Request) { r.Email = "ada" }, "email"},
		"a comment in the address":    {func(r *notice.Request) { r.Email = "ada@example.test (Ada)" }, "email"},
		"no name":                     {func(r *notice.Request) { r.Name = "" }, "name"},
		"about a child, by nobody":    {func(r *notice.Request) { r.Category, r.Name, r.Email = notice.ChildSafety, "", "" }, ""},
		"about a child, half a name":  {func(r *notice.Request) { r.Category, r.Email = notice.ChildSafety, "" }, "email"},
		"about a child, in bad faith": {func(r *notice.Request) { r.Category, r.GoodFaith = notice.ChildSafety, false }, "goodFaith"},
	} {
		_, issues := notice.Parse(request(c.change))
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
	require.Equal(t, []string{"https://docket.example/forum/posts/7?page=2", "/forum/posts/7?page=2"}, notice.Candidates("https://DOCKET.example/forum/posts/7?page=2#reply", base))
	require.Equal(t, []string{"http://docket.example/x"}, notice.Candidates("http://docket.example/x", base), "another scheme is another place")
	require.Equal(t, []string{"https://docket.example.evil.test/x"}, notice.Candidates("https://docket.example.evil.test/x", base))
	require.Equal(t, []string{"https://docket.example/x"}, notice.Candidates("https://docket.example/x", nil))
	require.Empty(t, notice.Candidates("/x", base))
}
