package rule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/rule"
)

func filing() *rule.Facts {
	return &rule.Facts{Reason: "spam", Locale: "en", Type: "post", Plugin: "forum", Scope: "board:7", Title: "Cheap followers",
		Text: "Buy followers at https://shop.example today", Links: []string{"https://shop.example"}, Authors: []string{"u7"},
		Reporters: 2, Reasons: map[string]int{"spam": 1, "other": 1}, ReporterUpheld: 3, AuthorStrikes: 2, Signals: map[string]float64{"spam": 0.9, "acme.nsfw": 0.1}}
}

func TestAnExpressionSeesTheFactsOfAFiling(t *testing.T) {
	t.Parallel()
	for when, want := range map[string]bool{
		`reason == "spam" && reporters >= 2`:                      true,
		`reason in ["abusive", "other"]`:                          false,
		`text.matches("(?i)BUY\\s+followers")`:                    true,
		`title.contains("followers") || text.contains("nothing")`: true,
		`links.exists(l, l.startsWith("https://shop."))`:          true,
		`links.size() == 0`:                                       false,
		`"u7" in authors`:                                         true,
		`reasons["other"] == 1`:                                   true,
		`"abusive" in reasons`:                                    false,
		`reporter.upheld > reporter.rejected`:                     true,
		`author.upheld == 0 && author.strikes == 2`:               true,
		`muted`:                                       false,
		`signals.spam > 0.8`:                          true,
		`signals["acme.nsfw"] < 0.5`:                  true,
		`signals[?"absent"].orValue(0.0) > 0.5`:       false,
		`"absent" in signals && signals.absent > 0.5`: false,
		`scope == "board:7" && plugin == "forum" && type == "post"`: true,
		`locale == "en"`:   true,
		`signals.spam > 0`: true,
		`links.filter(l, !l.contains("shop")).size() < links.size() + 1`: true,
	} {
		e, issues := rule.Parse(when)
		require.Empty(t, issues, when)
		got, err := e.Matches(filing())
		require.NoError(t, err, when)
		require.Equal(t, want, got, when)
	}
}

func TestAnExpressionWithFaultsIsRefusedWithAllOfThem(t *testing.T) {
	t.Parallel()
	for when, want := range map[string]string{
		``:                                 `1:1 required`,
		"  ":                               `1:1 required`,
		`reporters`:                        `1:1 wrong_type`,
		`reason == 7`:                      `1:8 invalid`,
		`reporter.uphold > 1`:              `1:9 invalid`,
		`raeson == "spam" || tittle == ""`: `1:1 invalid, 1:21 invalid`,
		"reason == \"spam\" &&\n  nobody":  `2:3 invalid`,
		`reason == "spam" &&`:              `1:20 invalid`,
		`text.matches("(")`:                `1:14 invalid`,
		`text.matches(title)`:              `1:14 invalid`,
		`text.matches("a" + title)`:        `1:18 invalid`,
		`text.matches("(a{900}){900}")`:    `1:14 invalid`,
		`now() > timestamp(0)`:             `1:4 invalid`,
		strings.Repeat("(", 60) + "muted" + strings.Repeat(")", 60): `1:1 invalid`,
		`"` + strings.Repeat("x", rule.MaxWhen) + `" == text`:       `1:4001 too_long`,
		// Each of these would take seconds.
		`links.all(a, links.all(b, links.all(c, text.matches("a.*b.*c"))))`:                            `1:1 too_costly`,
		`authors.all(a, authors.all(b, signals.all(c, signals.all(d, a == b || c == d))))`:             `1:1 too_costly`,
		strings.TrimSuffix(strings.Repeat(`text.matches("(x+x+)+y(x+x+)+y(x+x+)+y") || `, 90), " || "): `1:1 too_costly`,
	} {
		e, issues := rule.Parse(when)
		assert.Nil(t, e, when)
		var got []string
		for _, i := range issues {
			require.Equal(t, "when", i.Path)
			require.NotContains(t, i.Message, "container")
			got = append(got, fmt.Sprintf("%d:%d %s", i.Line, i.Column, i.Code))
		}
		assert.Equal(t, want, strings.Join(got, ", "), "%s: %v", when, issues)
	}
}

func TestASignalThatIsNotThereIsNoMatchAndAnError(t *testing.T) {
	t.Parallel()
	e, issues := rule.Parse(`signals.absent > 0.5`)
	require.Empty(t, issues)
	matched, err := e.Matches(filing())
	require.False(t, matched)
	require.ErrorContains(t, err, "absent")

	e, issues = rule.Parse(`reason == "spam" || signals.absent > 0.5`)
	require.Empty(t, issues)
	matched, err = e.Matches(filing())
	require.NoError(t, err)
	require.True(t, matched)
}

// Given what is filed with a text of 64 KB that backtracks, a thousand links and two hundred authors, when the dearest
// expressions that may be published judge it, then each ends soon: facts are bounded, and patterns take linear time.
func TestTheDearestExpressionEndsSoon(t *testing.T) {
	t.Parallel()
	terms := make([]string, 12)
	for i := range terms {
		terms[i] = fmt.Sprintf(`text.matches("(x+x+)+y%d")`, i)
	}
	c, links, authors := created("mina", "1"), make([]string, 1000), make([]string, 200)
	for i := range links {
		links[i] = fmt.Sprintf(`{"name":"l%d","kind":"value","value":"https://shop.example/%d"}`, i, i)
	}
	for i := range authors {
		authors[i] = fmt.Sprintf(`{"id":"u%d","name":"U"}`, i)
	}
	c.Words.Snapshot = []byte(`{"version":1,"title":"x","fields":[{"name":"a","kind":"text","value":"` + strings.Repeat("x", 64<<10) + `"},` +
		strings.Join(links, ",") + `],"authors":[` + strings.Join(authors, ",") + `]}`)
	f := rule.FactsOf(c, contentOf(c), nil)
	require.Len(t, []rune(f.Text), 20_000)
	require.Len(t, f.Links, 20)
	for when, want := range map[string]bool{
		strings.Join(terms, " || "):                                      false,
		`authors.all(a, authors.all(b, size(a) + size(b) > 0))`:          true,
		`links.exists(a, links.exists(b, a == b && text.contains("y")))`: false,
		`authors.size() == 50 && !("u50" in authors)`:                    true,
	} {
		e, issues := rule.Parse(when)
		require.Empty(t, issues, when)
		start := time.Now()
		matched, err := e.Matches(f)
		require.NoError(t, err, when)
		require.Equal(t, want, matched, when)
		require.Less(t, time.Since(start), 10*time.Second, "a backtracking engine would never end: %s", when)
		t.Log(time.Since(start), when[:40])
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`reason == "spam" && links.exists(l, l.matches("x"))`)
	f.Add(`[1, 2].map(x, x * 2).exists(y, y in [4])`)
	f.Fuzz(func(t *testing.T, when string) {
		e, issues := rule.Parse(when)
		require.Equal(t, e == nil, len(issues) > 0)
		if e != nil {
			_, _ = e.Matches(filing())
			_, _ = e.Matches(&rule.Facts{})
		}
	})
}
