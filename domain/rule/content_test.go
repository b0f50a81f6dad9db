package rule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/rule"
)

func TestEveryFaultOfARuleIsTold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key, title, when string
		then             *rule.Then
		faults           []string
	}{
		"a rule":                 {"links", " Links ", "links.size() > 2", &rule.Then{Points: 10, Due: "1h", Tags: []string{"b", "a", "b"}, Hide: true}, nil},
		"the least":              {"0", "L", "true", &rule.Then{Points: -50}, nil},
		"everything":             {"-a", " ", "nobody && nothing", &rule.Then{}, []string{"key:invalid", "title:required", "when:invalid", "when:invalid", "then:required"}},
		"nothing":                {"", "", "", nil, []string{"key:invalid", "title:required", "when:required"}},
		"a long title":           {"a", strings.Repeat("ä", 201), "muted", &rule.Then{Hide: true}, []string{"title:too_long"}},
		"a condition of a kilo":  {"a", "A", strings.Repeat("x", 64_000), &rule.Then{Hide: true}, []string{"when:too_long"}},
		"a pattern without end":  {"a", "A", `text.matches("(a{1000}){1000}")`, &rule.Then{Hide: true}, []string{"when:invalid"}},
		"every part of then":     {"a", "A", "muted", &rule.Then{Points: 101, Due: "1s", Tags: []string{"a", "B", "", "c", "d", "e"}}, []string{"then.points:out_of_range", "then.due:out_of_range", "then.tags:too_many", "then.tags[1]:invalid", "then.tags[2]:invalid"}},
		"less than the fewest":   {"a", "A", "muted", &rule.Then{Points: -51, Due: "soon"}, []string{"then.points:out_of_range", "then.due:invalid"}},
		"a condition of numbers": {"a", "A", "reporters", &rule.Then{Hide: true}, []string{"when:wrong_type"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, issues := rule.ParseContent(test.key, test.title, test.when, test.then)
			var faults []string
			for _, i := range issues {
				faults = append(faults, i.Path+":"+i.Code)
			}
			require.Equal(t, test.faults, faults)
			require.Equal(t, strings.TrimSpace(test.title), c.Title)
			if name == "a rule" {
				require.Equal(t, []string{"a", "b"}, c.Then.Tags)
			}
		})
	}
}

func TestAVersionKeepsTheModeOfTheOneInForce(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	content := rule.Content{Key: "links", Title: "Links", When: "muted", Then: rule.Then{Points: 10, Tags: []string{"a"}}}
	first, published := rule.Rule{}.Next(content, "1", day(1))
	require.True(t, published)
	require.Equal(t, rule.Rule{Ref: rule.Ref{Key: "links", Version: 1}, ID: "1", Title: "Links", When: "muted", Then: content.Then,
		Mode: rule.Draft, ModeAt: day(1), PublishedAt: day(1)}, first)
	live, err := first.InMode(rule.Live, day(2))
	require.NoError(t, err)
	require.Equal(t, []any{rule.Live, day(2)}, []any{live.Mode, live.ModeAt})
	again, err := live.InMode(rule.Live, day(3))
	require.NoError(t, err)
	require.Equal(t, live, again)

	same, published := live.Next(content, "2", day(3))
	require.False(t, published)
	require.Equal(t, live, same)
	for name, change := range map[string]func(*rule.Content){
		"title": func(c *rule.Content) { c.Title = "L" }, "when": func(c *rule.Content) { c.When = "!muted" },
		"points": func(c *rule.Content) { c.Then.Points = 11 }, "due": func(c *rule.Content) { c.Then.Due = "1h" },
		"tags": func(c *rule.Content) { c.Then.Tags = []string{"b"} }, "hide": func(c *rule.Content) { c.Then.Hide = true },
	} {
		other := content
		change(&other)
		second, published := live.Next(other, "2", day(3))
		require.True(t, published, name)
		require.Equal(t, []any{2, rule.Live, day(3)}, []any{second.Version, second.Mode, second.ModeAt}, name)
	}

	retired, at := live, day(4)
	retired.RetiredAt = &at
	_, err = retired.InMode(rule.Draft, day(5))
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	back, published := retired.Next(content, "3", day(5))
	require.True(t, published)
	require.Equal(t, []any{2, rule.Draft, day(5), (*time.Time)(nil)}, []any{back.Version, back.Mode, back.ModeAt, back.RetiredAt})
}
