package cases_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/projector"
)

func follow(t *testing.T, d *logtest.Database) {
	t.Helper()
	d.Seal(t)
	followSealed(t, d)
}

// followSealed is follow without the events that have no position yet.
func followSealed(t *testing.T, d *logtest.Database) {
	t.Helper()
	require.NoError(t, projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), cases.Projection).CatchUp(t.Context()))
}

func rebuild(t testing.TB, d *logtest.Database) {
	t.Helper()
	_, err := cases.Projection.Rebuild(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
}

// requireVerified compares all cases and returns how many there are.
func requireVerified(t *testing.T, d *logtest.Database) int64 {
	t.Helper()
	r, err := cases.Projection.Verify(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
	require.Zero(t, r.Wrong)
	return r.Compared
}

// stored is a case as the table holds it.
type stored struct {
	Target    string
	Open      int
	Reasons   map[string]int
	Assignees []string
	Parts     []priority.Part
}

func all(t *testing.T, d *logtest.Database) []stored {
	t.Helper()
	rows, err := d.Pool.Query(t.Context(), `SELECT target_id, open_reports, reasons, assignees::text[], parts FROM core_moderation_cases ORDER BY rank DESC`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[stored])
	require.NoError(t, err)
	return found
}

func TestCasesFollowTheLog(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	follow(t, d) // with nothing in it

	// Given two reports of one target, of which somebody holds one, and one of another.
	first := d.File(t, 0, "1")
	d.File(t, 1, "1")
	d.Claim(t, first, 2)
	d.Wait(time.Hour)
	other := d.File(t, 3, "2")
	follow(t, d)
	grave, two, one := priority.Part{Name: priority.Reason, Points: 40}, priority.Part{Name: priority.Reporters, Points: 9}, priority.Part{Name: priority.Reporters, Points: 6}
	require.Equal(t, []stored{
		{"1", 2, map[string]int{"abusive": 2}, []string{d.Users[2]}, []priority.Part{grave, two}},
		{"2", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one}},
	}, all(t, d))

	// When one of them is upheld, its reporter's record and the target's past weigh more.
	d.Resolve(t, first, 2, report.ActionTaken)
	third := d.File(t, 0, "3")
	follow(t, d)
	past := priority.Part{Name: priority.Target, Points: 6}
	record := priority.Part{Name: priority.Records, Points: 2}
	require.Equal(t, []stored{
		{"1", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one, past}},
		{"3", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one, record}},
		{"2", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one}},
	}, all(t, d))

	// A decision elsewhere changes the record of whoever reported both.
	d.Reopen(t, first, 2)
	d.Resolve(t, first, 2, report.NoViolation)
	follow(t, d)
	require.Contains(t, all(t, d), stored{"3", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one, {Name: priority.Records, Points: -2}}})

	// And a target whose reports are all decided has no case.
	d.Resolve(t, other, 2, report.NoViolation)
	d.Resolve(t, third, 2, report.NoViolation)
	follow(t, d)
	require.Len(t, all(t, d), 1)
}

// Given cases that are read from their reports and one that grows by a filing, a trusted flagger's report
// weighs in each until it is decided, and nothing while the flagger is muted.
func TestATrustedFlaggersReportWeighs(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	flag := func(target string, muted bool) string {
		s, err := d.Store.File(t.Context(), moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Abusive, ReporterID: d.Users[3], Source: report.FromTrustedFlagger, Muted: muted,
			Words: report.CreatedWords{Flagger: "Hotline", Snapshot: json.RawMessage(`{"authors":[]}`)},
		}})
		require.NoError(t, err)
		return s.ID
	}
	weighing := func() (targets []string) {
		for _, c := range all(t, d) {
			for _, p := range c.Parts {
				if p.Name == priority.Trusted && p.Points == 20 {
					targets = append(targets, c.Target)
				}
			}
		}
		return targets
	}
	d.File(t, 0, "grows")
	d.File(t, 0, "never")
	d.File(t, 0, "muted")
	follow(t, d)
	d.Wait(time.Second)
	grows := flag("grows", false)
	alone := flag("alone", false)
	flag("muted", true)
	follow(t, d)
	require.ElementsMatch(t, []string{"grows", "alone"}, weighing())
	d.Wait(time.Second)
	d.File(t, 1, "grows")
	d.File(t, 1, "never")
	follow(t, d)
	require.ElementsMatch(t, []string{"grows", "alone"}, weighing(), "a further report of a member changes nothing")
	requireVerified(t, d)
	d.Resolve(t, grows, 2, report.NoViolation)
	d.Resolve(t, alone, 2, report.NoViolation)
	follow(t, d)
	require.Empty(t, weighing())
	requireVerified(t, d)
	d.Reopen(t, grows, 2)
	rebuild(t, d)
	require.Equal(t, []string{"grows"}, weighing())
	requireVerified(t, d)
}

// A case has the tags of its open reports that live rules gave them, once each, and loses those of a report
// that is decided.
func TestCasesHaveTheTagsOfTheirReports(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	match := func(id string, shadow bool, tags ...string) {
		d.Do(t, id, 0, func(s report.State) ([]report.Fact, error) {
			return report.DecideRuleMatched(s, []report.RuleMatch{{Rule: "rule", Version: 1, Title: "Rule", Then: report.RuleThen{Tags: tags}, Shadow: shadow}}), nil
		})
	}
	tags := func() []string {
		return pgtest.One[[]string](t, d.Pool, `SELECT tags FROM core_moderation_cases WHERE target_id = '1'`)
	}
	first, second := d.File(t, 0, "1"), d.File(t, 1, "1")
	follow(t, d)
	require.Empty(t, tags())
	match(first, false, "zebra", "links")
	match(second, false, "links", "a-b")
	third := d.File(t, 2, "1")
	match(third, true, "shadow")
	follow(t, d)
	require.Equal(t, []string{"a-b", "links", "zebra"}, tags())
	d.Wait(time.Second)
	d.File(t, 3, "1") // the case grows
	follow(t, d)
	require.Equal(t, []string{"a-b", "links", "zebra"}, tags())
	requireVerified(t, d)
	d.Resolve(t, first, 2, report.NoViolation)
	follow(t, d)
	require.Equal(t, []string{"a-b", "links"}, tags())
	requireVerified(t, d)

	d.SQL(t, `UPDATE core_moderation_cases SET tags = '{other}'`)
	r, err := cases.Projection.Verify(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 1, r.Wrong)
	rebuild(t, d)
	requireVerified(t, d)
}

func TestAnAuthorsPastWeighsInTheirOtherCases(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	file := func(reporter int, target string) string {
		s, err := d.Store.File(context.Background(), moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Abusive, ReporterID: d.Users[reporter],
			Words: report.CreatedWords{Snapshot: json.RawMessage(`{"authors":[{"id":"writer","name":"W"}]}`)},
		}})
		require.NoError(t, err)
		return s.ID
	}
	one := file(0, "1")
	file(1, "2")
	follow(t, d)
	partsOf := func(target string) []priority.Part {
		for _, c := range all(t, d) {
			if c.Target == target {
				return c.Parts
			}
		}
		return nil
	}
	fresh := partsOf("2")
	d.Resolve(t, one, 2, report.ActionTaken)
	follow(t, d)
	require.Equal(t, append(fresh, priority.Part{Name: priority.Author, Points: 4}), partsOf("2"))
	d.Reopen(t, one, 2)
	follow(t, d)
	require.Equal(t, fresh, partsOf("2"), "what was taken back weighs nothing")
	requireVerified(t, d)
}

func TestReportsOfMutedPeopleAreNoCase(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	file := func(reporter int, target string, muted bool) {
		_, err := d.Store.File(context.Background(), moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: d.Users[reporter], Muted: muted,
			Words: report.CreatedWords{Snapshot: json.RawMessage(`{}`)},
		}})
		require.NoError(t, err)
	}
	file(0, "1", true)
	file(1, "2", true)
	file(2, "2", false)
	follow(t, d)
	found := all(t, d)
	require.Len(t, found, 1)
	require.Equal(t, "2", found[0].Target)
	require.Equal(t, 1, found[0].Open)
}

func TestCasesAreTheSameAfterARebuild(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	follow(t, d)
	for i := range 40 {
		id := d.File(t, i%4, fmt.Sprint(i/3))
		if i%3 == 0 {
			d.Resolve(t, id, 1, report.Resolutions[i%2])
		}
		d.Wait(time.Minute)
	}
	follow(t, d)
	followed := all(t, d)
	require.EqualValues(t, 13, requireVerified(t, d))

	// Given a case that is gone and one that is wrong.
	d.SQL(t, `DELETE FROM core_moderation_cases WHERE target_id = '1'`)
	d.SQL(t, `UPDATE core_moderation_cases SET rank = rank + 1 WHERE target_id = '2'`)
	var wrong []string
	r, err := cases.Projection.Verify(t.Context(), d.Pool, projector.Options{Found: func(difference string) { wrong = append(wrong, difference) }})
	require.NoError(t, err)
	require.EqualValues(t, 2, r.Wrong)
	require.Equal(t, []string{"case of forum.post 1: is not what its reports make of it", "case of forum.post 2: is not what its reports make of it"}, wrong)

	var done, total int64
	_, err = cases.Projection.Rebuild(t.Context(), d.Pool, projector.Options{Progress: func(n, of int64) { done, total = n, of }})
	require.NoError(t, err)
	require.Equal(t, followed, all(t, d))
	require.Equal(t, total, done)
}

// A row with another build's number, which no release writes, is replaced by one rebuild.
func TestCatchingUpEndsWithABuildNumberThatIsAhead(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	follow(t, d)
	pgtest.Exec(t, d.Pool, "UPDATE core_projections SET build = 2 WHERE name = $1", cases.Projection.ID())

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), cases.Projection).CatchUp(ctx))
}
