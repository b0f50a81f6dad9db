package cases_test

import (
	"context"
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
	d.Follow(t, cases.Projection) // with nothing in it

	// Given two reports of one target, of which somebody holds one, and one of another.
	first := d.File(t, 0, "1")
	d.File(t, 1, "1")
	d.Claim(t, first, 2)
	d.Wait(time.Hour)
	other := d.File(t, 3, "2")
	d.Follow(t, cases.Projection)
	grave, two, one := priority.Part{Name: priority.Reason, Points: 40}, priority.Part{Name: priority.Reporters, Points: 9}, priority.Part{Name: priority.Reporters, Points: 6}
	require.Equal(t, []stored{
		{"1", 2, map[string]int{"abusive": 2}, []string{d.Users[2]}, []priority.Part{grave, two}},
		{"2", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one}},
	}, all(t, d))

	// When one of them is upheld, its reporter's record and the target's past weigh more.
	d.Resolve(t, first, 2, report.ActionTaken)
	third := d.File(t, 0, "3")
	d.Follow(t, cases.Projection)
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
	d.Follow(t, cases.Projection)
	require.Contains(t, all(t, d), stored{"3", 1, map[string]int{"abusive": 1}, []string{}, []priority.Part{grave, one, {Name: priority.Records, Points: -2}}})

	// And a target whose reports are all decided has no case.
	d.Resolve(t, other, 2, report.NoViolation)
	d.Resolve(t, third, 2, report.NoViolation)
	d.Follow(t, cases.Projection)
	require.Len(t, all(t, d), 1)
}

// Given cases that are read from their reports and one that grows by a filing, a trusted flagger's report
// weighs in each until it is decided, and nothing while the flagger is muted.
func TestATrustedFlaggersReportWeighs(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	flag := func(target string, changes ...func(*moderation.Filing)) string {
		return d.File(t, 3, target, append(changes, func(f *moderation.Filing) {
			f.Created.Source, f.Created.Words.Flagger = report.FromTrustedFlagger, "Hotline"
		})...)
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
	d.Follow(t, cases.Projection)
	d.Wait(time.Second)
	grows := flag("grows")
	alone := flag("alone")
	flag("muted", logtest.Muted)
	d.Follow(t, cases.Projection)
	require.ElementsMatch(t, []string{"grows", "alone"}, weighing())
	d.Wait(time.Second)
	d.File(t, 1, "grows")
	d.File(t, 1, "never")
	d.Follow(t, cases.Projection)
	require.ElementsMatch(t, []string{"grows", "alone"}, weighing(), "a further report of a member changes nothing")
	require.Empty(t, d.Wrong(t, cases.Projection))
	d.Resolve(t, grows, 2, report.NoViolation)
	d.Resolve(t, alone, 2, report.NoViolation)
	d.Follow(t, cases.Projection)
	require.Empty(t, weighing())
	require.Empty(t, d.Wrong(t, cases.Projection))
	d.Reopen(t, grows, 2)
	d.Rebuild(t, cases.Projection)
	require.Equal(t, []string{"grows"}, weighing())
	require.Empty(t, d.Wrong(t, cases.Projection))
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
	d.Follow(t, cases.Projection)
	require.Empty(t, tags())
	match(first, false, "zebra", "links")
	match(second, false, "links", "a-b")
	third := d.File(t, 2, "1")
	match(third, true, "shadow")
	d.Follow(t, cases.Projection)
	require.Equal(t, []string{"a-b", "links", "zebra"}, tags())
	d.Wait(time.Second)
	d.File(t, 3, "1") // the case grows
	d.Follow(t, cases.Projection)
	require.Equal(t, []string{"a-b", "links", "zebra"}, tags())
	require.Empty(t, d.Wrong(t, cases.Projection))
	d.Resolve(t, first, 2, report.NoViolation)
	d.Follow(t, cases.Projection)
	require.Equal(t, []string{"a-b", "links"}, tags())
	require.Empty(t, d.Wrong(t, cases.Projection))

	d.SQL(t, `UPDATE core_moderation_cases SET tags = '{other}'`)
	require.Len(t, d.Wrong(t, cases.Projection), 1)
	d.Rebuild(t, cases.Projection)
	require.Empty(t, d.Wrong(t, cases.Projection))
}

func TestReportsOfMutedPeopleAreNoCase(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 0, "1", logtest.Muted)
	d.File(t, 1, "2", logtest.Muted)
	d.File(t, 2, "2")
	d.Follow(t, cases.Projection)
	found := all(t, d)
	require.Len(t, found, 1)
	require.Equal(t, "2", found[0].Target)
	require.Equal(t, 1, found[0].Open)
}

func TestCasesAreTheSameAfterARebuild(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.Follow(t, cases.Projection)
	for i := range 40 {
		id := d.File(t, i%4, fmt.Sprint(i/3))
		if i%3 == 0 {
			d.Resolve(t, id, 1, report.Resolutions[i%2])
		}
		d.Wait(time.Minute)
	}
	d.Follow(t, cases.Projection)
	followed := all(t, d)
	require.Len(t, followed, 13)
	require.Empty(t, d.Wrong(t, cases.Projection))

	// Given a case that is gone and one that is wrong.
	d.SQL(t, `DELETE FROM core_moderation_cases WHERE target_id = '1'`)
	d.SQL(t, `UPDATE core_moderation_cases SET rank = rank + 1 WHERE target_id = '2'`)
	require.Equal(t, []string{"case of forum.post 1: is not what its reports make of it", "case of forum.post 2: is not what its reports make of it"}, d.Wrong(t, cases.Projection))

	var done, total int64
	_, err := cases.Projection.Rebuild(t.Context(), d.Pool, projector.Options{Progress: func(n, of int64) { done, total = n, of }})
	require.NoError(t, err)
	require.Equal(t, followed, all(t, d))
	require.Equal(t, total, done)
}

// A row with another build's number, which no release writes, is replaced by one rebuild.
func TestCatchingUpEndsWithABuildNumberThatIsAhead(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.Follow(t, cases.Projection)
	pgtest.Exec(t, d.Pool, "UPDATE core_projections SET build = 2 WHERE name = $1", cases.Projection.ID())

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), cases.Projection).CatchUp(ctx))
}
