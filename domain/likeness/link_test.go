package likeness_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/snapshot"
)

func TestLinksOfContent(t *testing.T) {
	t.Parallel()
	const document = `{"type":"doc","content":[{"type":"paragraph","content":[
		{"type":"text","text":"Read this","marks":[{"type":"link","attrs":{"href":"https://spam.example/offer?b=1&a=2"}}]},
		{"type":"text","text":" and this","marks":[{"type":"bold"},{"type":"link","attrs":{"href":"https://spam.example/offer?b=1&a=2"}}]},
		{"type":"text","text":" or http://SPAM.example/offer/?a=2&b=1&utm_source=x#top (see http://wiki.example/A_(b)), www.third.example."}]}]}`
	stored := snapshot.Build(snapshot.Capture{URL: "https://forum.example/42", Fields: []snapshot.Field{
		{Name: "website", Kind: snapshot.KindValue, Value: json.RawMessage(`"https://home.example"`)},
		{Name: "rank", Kind: snapshot.KindValue, Value: json.RawMessage(`"gold"`)},
		{Name: "body", Kind: snapshot.KindRichText, Value: json.RawMessage(document)},
		{Name: "picture", Kind: snapshot.KindFile, Value: json.RawMessage(`{"url":"https://files.example/a.png"}`)},
	}}, snapshot.BuildInput{}).JSON
	var urls []string
	for _, l := range likeness.Of(stored).Links {
		urls = append(urls, l.URL)
	}
	require.Equal(t, []string{"https://home.example", "https://spam.example/offer?b=1&a=2", "http://wiki.example/A_(b)", "www.third.example"}, urls)
	require.Equal(t, likeness.Of(stored).Links, likeness.LinksOf(stored))
}

func TestWhereAnAddressInTextEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"[url]https://a.example[/url]":                                       {"https://a.example"},
		"[url=https://a.example/b]here[/url]":                                {"https://a.example/b"},
		"[a](https://a.example)[b](https://b.example \"b\")":                 {"https://a.example", "https://b.example"},
		"(https://a.example),(see www.b.example/c_(d).)":                     {"https://a.example", "www.b.example/c_(d)"},
		"**https://a.example/b** `https://b.example`":                        {"https://a.example/b", "https://b.example"},
		"https://a.example/?b[]=1&c[d][e]=2 http://[::1]:80/f":               {"https://a.example/?b[]=1&c[d][e]=2", "http://[::1]:80/f"},
		"http://[2001:db8::1], https://a.example/b(c":                        {"http://[2001:db8::1]", "https://a.example/b"},
		"请看https://a.example，还有https://b.example/c。（https://c.example）":      {"https://a.example", "https://b.example/c", "https://c.example"},
		"「https://a.example/b」を見て！https://b.example、https://c.example\u3000": {"https://a.example/b", "https://b.example", "https://c.example"},
	} {
		var urls []string
		for _, l := range of(text).Links {
			urls = append(urls, l.URL)
		}
		require.Equal(t, want, urls, text)
	}
}

func TestTheFirst20LinksCount(t *testing.T) {
	t.Parallel()
	var text string
	for n := range 22 {
		text += fmt.Sprintf("https://a.example/%d ", n)
	}
	links := of(text).Links
	require.Len(t, links, 20)
	require.Equal(t, "https://a.example/19", links[19].URL)
}

func TestTheSameLinkInOtherWriting(t *testing.T) {
	t.Parallel()
	parse := func(u string) likeness.Link {
		l, ok := likeness.ParseLink(u)
		require.True(t, ok, u)
		return l
	}
	spam := parse("https://spam.example/a%20b?x=1&y=2")
	for _, same := range []string{
		"http://spam.example/a%20b?x=1&y=2", "HTTPS://www.Spam.EXAMPLE/a b/?y=2&x=1", "https://spam.example:443/a%20b?x=1&y=2#end",
		"https://someone:secret@spam.example./a%20b?x=1&y=2&utm_campaign=z", "www.spam.example/a%20b?x=1&y=2", " https://spam.example/a%20b?x=1&y=2 ",
	} {
		require.Equal(t, spam.Key, parse(same).Key, same)
	}
	for _, other := range []string{"https://spam.example/a", "https://spam.example/a%20b?x=1", "https://spam.example:8080/a%20b?x=1&y=2", "https://not.spam.example/a%20b?x=1&y=2"} {
		require.NotEqual(t, spam.Key, parse(other).Key, other)
	}
	for _, none := range []string{"", "spam", "mailto:a@b.example", "javascript:alert(1)", "https://", "http://[::1", "https://%zz/", "ftp://a.example"} {
		_, ok := likeness.ParseLink(none)
		require.False(t, ok, none)
	}
}

func TestHostsThatMixScriptsAreSuspicious(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]likeness.Link{
		"https://paypal.com":                {Host: "paypal.com"},
		"https://раураl.com":                {Host: "xn--l-7sba6dbr.com", Suspicious: true}, // Cyrillic but for the l
		"https://xn--l-7sba6dbr.com":        {Host: "xn--l-7sba6dbr.com", Suspicious: true},
		"https://пример.com":                {Host: "пример.com"},                // scripts are mixed within a part only
		"https://www.аррӏе-1.com":           {Host: "www.xn---1-6kcu8ca51h.com"}, // Cyrillic throughout, and looks Latin
		"https://νικο.example":              {Host: "xn--uxachk.example"},
		"https://BÜCHER.example":            {Host: "bücher.example"},
		"https://日本語テスト.jp":                 {Host: "日本語テスト.jp"},
		"https://한국漢字.kr":                   {Host: "한국漢字.kr"},
		"https://مثال.example":              {Host: "مثال.example"},
		"https://goοgle.com":                {Host: "xn--gogle-sce.com", Suspicious: true}, // a Greek omicron
		"https://127.0.0.1/a":               {Host: "127.0.0.1"},
		"https://bank.example@evil.example": {Host: "evil.example"},
		"https://a_b.example":               {Host: "a_b.example"},
	} {
		got, ok := likeness.ParseLink(given)
		require.True(t, ok, given)
		require.Equal(t, want.Host, got.Host, given)
		require.Equal(t, want.Suspicious, got.Suspicious, given)
	}
}

func FuzzParseLink(f *testing.F) {
	for _, seed := range []string{"https://раураl.com/a?b=c", "www.x.example", "http://[::1]:80/", "http://xn--/", "http://a%00.example"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := likeness.ParseLink(text)
		if again, stillOK := likeness.ParseLink(l.URL); ok && (!stillOK || again != l) {
			t.Errorf("%q is %v, and again %v", text, l, again)
		}
	})
}
