package statement_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/domain/statement/statementtest"
)

var day = time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)

func doc(text string) json.RawMessage { return richtext.FromText(text).JSON() }

func decision() statement.Decision {
	return statement.Decision{
		ID: "0193a1f0-0000-7000-8000-000000000001", DecidedAt: day, ContentDate: day.AddDate(0, 0, -3), Language: "de-AT", ContentType: "text", Source: "member",
		Policy: &statement.Policy{Key: "spam", Version: 2, Title: "No spam", Text: doc("Do not advertise."), Template: doc("You advertised something."),
			Basis: &statement.Basis{Ground: statement.Incompatible, Category: "SCAMS_AND_FRAUD", Keywords: []string{"PHISHING"}}}, Hidden: true,
	}
}

func fields(t require.TestingT, s *statement.Statement) map[string]any {
	b, err := json.Marshal(s)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(b, &m))
	return m
}

func TestAHiddenPostOfARuleHasAStatement(t *testing.T) {
	t.Parallel()
	s, missing := statement.Make(decision())
	require.Empty(t, missing)
	require.Equal(t, map[string]any{
		"decision_visibility":              []any{"DECISION_VISIBILITY_CONTENT_DISABLED"},
		"decision_ground":                  "DECISION_GROUND_INCOMPATIBLE_CONTENT",
		"incompatible_content_ground":      "No spam (spam, version 2)",
		"incompatible_content_explanation": "Do not advertise.",
		"content_type":                     []any{"CONTENT_TYPE_TEXT"},
		"category":                         "STATEMENT_CATEGORY_SCAMS_AND_FRAUD",
		"category_specification":           []any{"KEYWORD_PHISHING"},
		"content_language":                 "DE",
		"content_date":                     "2026-11-23",
		"application_date":                 "2026-11-26",
		"decision_facts":                   "You advertised something.",
		"source_type":                      "SOURCE_TYPE_OTHER_NOTIFICATION",
		"automated_detection":              "No",
		"automated_decision":               "AUTOMATED_DECISION_NOT_AUTOMATED",
		"puid":                             "0193a1f0-0000-7000-8000-000000000001",
	}, fields(t, s))
	require.Empty(t, statementtest.Check(fields(t, s)))
}

func TestTheLanguageIsThatOfTheLocale(t *testing.T) {
	t.Parallel()
	for locale, language := range map[string]any{"de": "DE", "de-AT": "DE", "de_AT": "DE", "ast": nil, "": nil} {
		d := decision()
		d.Language = locale
		s, missing := statement.Make(d)
		require.Empty(t, missing)
		require.Equal(t, language, fields(t, s)["content_language"], locale)
	}
}

func TestWhatADecisionLacksIsNamed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given func(*statement.Decision)
		then  []statement.Missing
	}{
		"no policy":                         {func(d *statement.Decision) { d.Policy = nil }, []statement.Missing{statement.NoPolicy}},
		"a policy that says nothing":        {func(d *statement.Decision) { d.Policy.Basis = nil }, []statement.Missing{statement.NoBasis}},
		"a type without a kind":             {func(d *statement.Decision) { d.ContentType = "" }, []statement.Missing{statement.NoContentType}},
		"a kind that the database does not": {func(d *statement.Decision) { d.ContentType = "smell" }, []statement.Missing{statement.NoContentType}},
		"both":                              {func(d *statement.Decision) { d.Policy.Basis, d.ContentType = nil, "" }, []statement.Missing{statement.NoBasis, statement.NoContentType}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := decision()
			test.given(&d)
			s, missing := statement.Make(d)
			require.Nil(t, s)
			require.Equal(t, test.then, missing)
		})
	}
}

func TestABasisHasEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given statement.Basis
		then  []string
	}{
		"nothing":              {statement.Basis{}, []string{"statement.ground:invalid", "statement.category:required"}},
		"a law without a name": {statement.Basis{Ground: "illegal", Law: " \n", Category: "VIOLENCE"}, []string{"statement.law:required"}},
		"a long law":           {statement.Basis{Ground: "illegal", Law: strings.Repeat("ä", 501), Category: "VIOLENCE"}, []string{"statement.law:too_long"}},
		"a category of nobody": {statement.Basis{Ground: "incompatible", Category: "NOISE", Keywords: []string{"PHISHING", "x"}}, []string{"statement.category:invalid", "statement.keywords[1]:invalid"}},
		"with prefixes":        {statement.Basis{Ground: "incompatible", Category: "STATEMENT_CATEGORY_VIOLENCE", Keywords: []string{"KEYWORD_OTHER"}}, nil},
		"too many keywords":    {statement.Basis{Ground: "incompatible", Category: "VIOLENCE", Keywords: slicesOf("OTHER", 21)}, []string{"statement.keywords:too_many"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, i := range test.given.Check() {
				found = append(found, i.Path+":"+i.Code)
			}
			require.Equal(t, test.then, found)
		})
	}
}

func slicesOf(s string, n int) (all []string) {
	for range n {
		all = append(all, s)
	}
	return all
}

// Given any decision that restricts somebody, when a statement is made of it, then the database takes it or
// what is missing is named, and no word of it is by a member.
func TestTheDatabaseTakesEveryStatement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := func(name string) time.Time {
			return time.Unix(rapid.Int64Range(0, 2_500_000_000).Draw(t, name), 0)
		}
		d := statement.Decision{
			ID: rapid.StringMatching(`[a-f0-9-]{36}`).Draw(t, "id"), DecidedAt: times("decided"), ContentDate: times("content"),
			Language:    rapid.SampledFrom([]string{"", "en", "de-AT", "ast", "ÄÖ", "zh-Hant"}).Draw(t, "language"),
			ContentType: rapid.SampledFrom([]string{"", "text", "CONTENT_TYPE_IMAGE", "other", "smell"}).Draw(t, "type"),
			Source:      rapid.SampledFrom([]string{"member", "host", "notice", "trusted_flagger", "", "x"}).Draw(t, "source"),
			Hidden:      rapid.Bool().Draw(t, "hidden"), ByRule: rapid.Bool().Draw(t, "by rule"),
			Others: rapid.SliceOfN(rapid.StringMatching(`[A-Z][a-z ]{0,300}`), 0, 4).Draw(t, "others"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "measures") {
			m := statement.Measure{Kind: rapid.SampledFrom(measure.Kinds).Draw(t, "kind")}
			if rapid.Bool().Draw(t, "ends") {
				until := times("until")
				m.Until = &until
			}
			d.Measures = append(d.Measures, m)
		}
		if rapid.Bool().Draw(t, "policy") {
			long := rapid.SampledFrom([]int{1, 200, 3000, 9000}).Draw(t, "length")
			d.Policy = &statement.Policy{Key: "spam", Version: 1, Title: strings.Repeat("ä", min(long, 200)), Text: doc(strings.Repeat("x", long))}
			if rapid.Bool().Draw(t, "template") {
				d.Policy.Template = doc(strings.Repeat("y", long))
			}
			if rapid.Bool().Draw(t, "basis") {
				d.Policy.Basis = &statement.Basis{Ground: rapid.SampledFrom([]statement.Ground{statement.Illegal, statement.Incompatible}).Draw(t, "ground"),
					Law: "Act 5", Category: rapid.SampledFrom(statement.Categories).Draw(t, "category"), Keywords: []string{rapid.SampledFrom(statement.Keywords).Draw(t, "keyword")}}
				require.Empty(t, d.Policy.Basis.Check())
			}
		}
		if !d.Restricts() {
			return
		}
		s, missing := statement.Make(d)
		require.Equal(t, s == nil, len(missing) > 0)
		if s != nil {
			require.Empty(t, statementtest.Check(fields(t, s)))
		}
	})
}
