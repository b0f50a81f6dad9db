package hold_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/domain/measure"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func content() hold.Content {
	return hold.Content{Reports: []string{"b", "a", "b"}, Basis: " Article 17(3)(e) ", Reference: "4 O 12/26", Until: noon.AddDate(10, 0, 0)}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*hold.Content)
		faults []string // as path: code
	}{
		"reports":              {func(*hold.Content) {}, nil},
		"an author":            {func(c *hold.Content) { c.Reports, c.Author = nil, &measure.Author{ID: "ada"} }, nil},
		"an author, a plugin":  {func(c *hold.Content) { c.Reports, c.Author = nil, &measure.Author{PluginID: "forum", ID: "a:b"} }, nil},
		"both":                 {func(c *hold.Content) { c.Author = &measure.Author{ID: "ada"} }, []string{"authorId: invalid"}},
		"neither":              {func(c *hold.Content) { c.Reports = nil }, []string{"reports: required"}},
		"as many as may be":    {func(c *hold.Content) { c.Reports = make([]string, hold.MaxReports) }, nil},
		"too many":             {func(c *hold.Content) { c.Reports = make([]string, hold.MaxReports+1) }, []string{"reports: too_many"}},
		"no author":            {func(c *hold.Content) { c.Reports, c.Author = nil, &measure.Author{} }, []string{"authorId: invalid"}},
		"a long author":        {func(c *hold.Content) { c.Reports, c.Author = nil, &measure.Author{ID: strings.Repeat("a", 801)} }, []string{"authorId: invalid"}},
		"no plugin":            {func(c *hold.Content) { c.Reports, c.Author = nil, &measure.Author{PluginID: "a:b", ID: "ada"} }, []string{"pluginId: invalid"}},
		"the longest texts":    {func(c *hold.Content) { c.Basis, c.Reference = strings.Repeat("ß", 1000), strings.Repeat("ß", 200) }, nil},
		"too long texts":       {func(c *hold.Content) { c.Basis, c.Reference = strings.Repeat("ß", 1001), strings.Repeat("ß", 201) }, []string{"basis: too_long", "reference: too_long"}},
		"texts of nothing":     {func(c *hold.Content) { c.Basis, c.Reference = " ", "\u200b" }, []string{"basis: required", "reference: required"}},
		"the soonest end":      {func(c *hold.Content) { c.Until = noon.Add(time.Microsecond) }, nil},
		"an end in the past":   {func(c *hold.Content) { c.Until = noon }, []string{"until: in_the_past"}},
		"an end in ten years":  {func(c *hold.Content) { c.Until = c.Until.Add(time.Microsecond) }, []string{"until: too_far"}},
		"every fault together": {func(c *hold.Content) { *c = hold.Content{} }, []string{"reports: required", "basis: required", "reference: required", "until: in_the_past"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := content()
			c.change(&given)
			_, issues := hold.Parse(given, noon)
			var faults []string
			for _, i := range issues {
				faults = append(faults, i.Path+": "+i.Code)
			}
			require.Equal(t, c.faults, faults)
		})
	}
	given := content()
	parsed, _ := hold.Parse(given, noon)
	require.Equal(t, []string{"a", "b"}, parsed.Reports)
	require.Equal(t, []string{"b", "a", "b"}, given.Reports)
	require.Equal(t, "Article 17(3)(e)", parsed.Basis)
}

func TestWhatAHoldCovers(t *testing.T) {
	t.Parallel()
	one, other := uuid.NewString(), uuid.NewString()
	named := hold.Hold{Content: hold.Content{Reports: []string{one}}}
	require.True(t, named.Covers(one, "forum", nil))
	require.False(t, named.Covers(other, "forum", []string{one}))

	authored := hold.Hold{Authors: []string{":ada", "shop:42"}}
	for name, c := range map[string]struct {
		plugin  string
		authors []string
		covered bool
	}{
		"in any plugin":                {"forum", []string{"bob", "ada"}, true},
		"in the plugin that means her": {"shop", []string{"42"}, true},
		"somebody else's 42":           {"forum", []string{"42"}, false},
		"somebody else":                {"shop", []string{"bob"}, false},
		"nobody":                       {"shop", nil, false},
	} {
		require.Equal(t, c.covered, authored.Covers(one, c.plugin, c.authors), name)
	}
}

func TestLift(t *testing.T) {
	t.Parallel()
	set := hold.Hold{Content: hold.Content{Until: noon.Add(time.Hour)}, SetBy: "ada", SetAt: noon}
	require.Equal(t, hold.Standing, set.Status(noon))
	require.Equal(t, hold.Ended, set.Status(set.Until))
	require.Equal(t, set.Until, set.EndsAt())

	_, err := set.Lift("ada", noon)
	require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(err))

	lifted, err := set.Lift("bob", noon.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, hold.Lifted, lifted.Status(noon.Add(time.Minute)))
	require.Equal(t, noon.Add(time.Minute), lifted.EndsAt())

	for _, by := range []string{"ada", "bob", "eve"} {
		again, err := lifted.Lift(by, noon.Add(2*time.Minute))
		require.NoError(t, err)
		require.Equal(t, lifted, again)
		ended, err := set.Lift(by, set.Until)
		require.NoError(t, err)
		require.Equal(t, set, ended)
	}
	orphan := set
	orphan.SetBy = ""
	lifted, err = orphan.Lift("ada", noon)
	require.NoError(t, err)
	require.NotNil(t, lifted.LiftedAt, "the account that set it is gone")
}
