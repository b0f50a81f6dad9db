package projections

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/projector"
)

// coverable is a report as far as coverage goes.
type coverable struct {
	plugin, module string
	at             *scope.Resource // nil for an unscoped target
}

// coverables is one report for each place there is: `other` is a resource that
// no grant selects, and "" a target that is in no resource of its family.
func coverables() []coverable {
	var all []coverable
	for _, plugin := range coveredPlugins {
		for _, module := range coveredModules {
			all = append(all, coverable{plugin, module, nil})
			for _, family := range append([]string{"family.other"}, coveredFamilies...) {
				for _, id := range append([]string{"", "other"}, coveredIDs...) {
					all = append(all, coverable{plugin, module, &scope.Resource{Family: family, ID: id}})
				}
			}
		}
	}
	return all
}

var (
	coveredPlugins  = []string{"forum", "blog"}
	coveredModules  = []string{"topics", "posts"}
	coveredFamilies = []string{"forum.category", "forum.section"}
	coveredIDs      = []string{"a", "b", "c"}
)

// drawEntry draws an entry, malformed scopes included, which no validation lets in.
func drawEntry(t *rapid.T) *permission.Entry {
	switch rapid.IntRange(0, 19).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return &permission.Entry{Unrestricted: true}
	}
	e := &permission.Entry{}
	for range rapid.IntRange(0, 6).Draw(t, "grants") {
		g := permission.Grant{
			Plugin:     rapid.SampledFrom(coveredPlugins).Draw(t, "plugin"),
			Module:     rapid.SampledFrom(coveredModules).Draw(t, "module"),
			Permission: rapid.SampledFrom([]string{permission.ViewReports, permission.ManageReports}).Draw(t, "permission"),
		}
		if rapid.IntRange(0, 4).Draw(t, "scoped") > 0 {
			g.Scope = &scope.Scope{
				Family: rapid.SampledFrom(append([]string{""}, coveredFamilies...)).Draw(t, "family"),
				Mode:   rapid.SampledFrom([]scope.Mode{scope.All, scope.Selected, scope.Selected, ""}).Draw(t, "mode"),
				IDs:    rapid.SliceOfN(rapid.SampledFrom(append([]string{""}, coveredIDs...)), 0, 3).Draw(t, "ids"),
			}
		}
		e.Grants = append(e.Grants, g)
	}
	return e
}

// TestSQLCoverageEqualsTheDomains asks for lists and counts of reports whose
// targets are elsewhere than at the filing: one half has moved since, one half
// between the capture and the filing.
func TestSQLCoverageEqualsTheDomains(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	batch := &pgx.Batch{}
	reports := map[string]coverable{}
	all := coverables()
	for i, c := range all {
		id := uuid.NewString()
		reports[id] = c
		then := all[(i*7+5)%len(all)].at
		before := c.at
		if i%2 == 0 {
			before = then
		}
		batch.Queue(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
			VALUES ($1, 'thing', $2, $3, $4)`, c.plugin, id, familyOf(before), idOf(before))
		batch.Queue(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, scope_family, scope_id,
				permission_module, locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
			VALUES ($1, 'new', 1, 1, $2, 'thing', $3, $4, $5, $6, 'en', 'en', 'spam', '', '', 'word', now(), now())`,
			id, c.plugin, id, familyOf(then), idOf(then), c.module)
		batch.Queue(`UPDATE core_moderation_targets SET scope_family = $2, scope_id = $3 WHERE target_id = $1`, id, familyOf(c.at), idOf(c.at))
	}
	require.NoError(t, pool.SendBatch(t.Context(), batch).Close())
	_, err := counts.Projection.Rebuild(t.Context(), pool, projector.Options{})
	require.NoError(t, err)
	queries := NewReports(pool)

	rapid.Check(t, func(rt *rapid.T) {
		e, f := drawEntry(rt), drawFilter(rt)
		want := map[string]bool{}
		for id, c := range reports {
			var at scope.Resource
			if c.at != nil {
				at = *c.at
			}
			if e.Covers(c.plugin, c.module, permission.ViewReports, at) &&
				(f.Scope == nil || *f.Scope == at) && (f.PluginID == "" || f.PluginID == c.plugin) {
				want[id] = true
			}
		}

		coverage := e.Coverage(permission.ViewReports)
		page, err := queries.List(t.Context(), coverage, f, ReportList.First(100))
		require.NoError(rt, err)
		got := map[string]bool{}
		for _, s := range page.Edges {
			got[s.ID] = true
		}
		require.Equal(rt, want, got)
		require.Equal(rt, len(want), *page.PageInfo.TotalCount)

		tabs := Counts{New: len(want), Unassigned: len(want)}
		byRows, err := queries.Counts(t.Context(), coverage, f, uuid.NewString())
		require.NoError(rt, err)
		require.Equal(rt, tabs, byRows)
		if !f.hasKinds() {
			return
		}
		var many bool
		var byKinds Counts
		err = queries.count(t.Context(), append([]any{&many}, byKinds.fields()...)...)(kindsQuery(coverage, f, tabsByKind(uuid.NewString())))
		require.NoError(rt, err)
		require.Equal(rt, tabs, byKinds)
		require.False(rt, many)
	})
}

// drawFilter draws filters that all reports pass but for plugin and resource,
// in every way that a count is read.
func drawFilter(t *rapid.T) Filter {
	f := rapid.SampledFrom([]Filter{
		{},
		{Statuses: []report.Status{report.New}, Unassigned: true},
		{TargetType: "thing"},
		{Search: "wor"},
	}).Draw(t, "filter")
	if rapid.Bool().Draw(t, "by plugin") {
		f.PluginID = rapid.SampledFrom(coveredPlugins).Draw(t, "of plugin")
	}
	if rapid.Bool().Draw(t, "by resource") {
		f.Scope = &scope.Resource{
			Family: rapid.SampledFrom(coveredFamilies).Draw(t, "in family"),
			ID:     rapid.SampledFrom(append([]string{""}, coveredIDs...)).Draw(t, "in resource"),
		}
	}
	return f
}

func familyOf(r *scope.Resource) *string {
	if r == nil {
		return nil
	}
	return &r.Family
}

func idOf(r *scope.Resource) *string {
	if r == nil {
		return nil
	}
	return &r.ID
}
