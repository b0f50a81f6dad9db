package cases_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/cases"
)

// replace decides a report again that stays done, as an overturned appeal does.
func replace(t *testing.T, d *logtest.Database, id string, resolution report.Resolution) {
	t.Helper()
	d.Do(t, id, 3, func(report.State) ([]report.Fact, error) {
		return []report.Fact{&report.Resolved{Resolution: resolution}}, nil
	})
}

// pointsOf returns the points of one part by target, as the table holds them.
func pointsOf(t *testing.T, d *logtest.Database, part string) map[string]int {
	t.Helper()
	points := map[string]int{}
	for _, c := range all(t, d) {
		points[c.Target] = 0
		for _, p := range c.Parts {
			if p.Name == part {
				points[c.Target] = p.Points
			}
		}
	}
	return points
}

// naive reads a fact of each open target from all reports.
func naive(t *testing.T, d *logtest.Database, sql string) map[string][]int {
	t.Helper()
	rows, err := d.Pool.Query(t.Context(), sql)
	require.NoError(t, err)
	found := map[string][]int{}
	var target string
	var figures []int
	_, err = pgx.ForEachRow(rows, []any{&target, &figures}, func() error {
		found[target] = figures
		return nil
	})
	require.NoError(t, err)
	return found
}

// Given random filings, decisions, reopenings, replaced decisions and erasures, then the points
// of authors and reporters are those that reading every report gives, whatever was skipped.
func TestPointsAreThoseOfReadingEveryReport(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	random := rand.New(rand.NewPCG(1, 2))
	authors := func(target int) []string {
		named := []string{fmt.Sprint("writer ", target%2)}
		if target%5 == 0 {
			named = append(named, fmt.Sprint("guest ", target%3))
		}
		return named
	}
	d.SQL(t, `CREATE TABLE written (target_id text, author text)`) // the authors, whatever is erased
	for target := range 16 {
		d.SQL(t, `INSERT INTO written SELECT $1, unnest($2::text[])`, fmt.Sprint(target), authors(target))
	}
	type filed struct {
		id, key string
		done    bool
	}
	var reports []*filed
	open := map[string]bool{}
	for step := range 240 {
		d.Wait(5 * time.Minute)
		r := &filed{}
		if len(reports) > 0 {
			r = reports[random.IntN(len(reports))]
		}
		if r.id != "" && random.IntN(6) == 0 {
			_, err := d.Store.Erase(t.Context(), r.id, nil, report.EveryWord)
			require.NoError(t, err)
		}
		target, reporter := random.IntN(16), random.IntN(4)
		key := fmt.Sprint(reporter, "-", target)
		switch n := random.IntN(10); {
		case n < 4 && !open[key]:
			reports, open[key] = append(reports, &filed{id: d.File(t, reporter, fmt.Sprint(target), logtest.By(authors(target)...)), key: key}), true
		case n < 8 && r.id != "" && !r.done:
			d.Resolve(t, r.id, 3, report.Resolutions[random.IntN(3)])
			r.done, open[r.key] = true, false
		case n == 8 && r.done && !open[r.key]:
			d.Reopen(t, r.id, 3)
			r.done, open[r.key] = false, true
		case n == 9 && r.done:
			replace(t, d, r.id, report.Resolutions[random.IntN(3)])
		}
		if step%3 != 0 {
			continue
		}
		d.Follow(t, cases.Projection)
		want := map[string]int{}
		for target, n := range naive(t, d, `SELECT o.target_id, ARRAY[(SELECT count(DISTINCT u.target_id) FROM core_moderation_reports u JOIN written a USING (target_id)
				WHERE u.resolution = 'action_taken' AND u.target_id <> o.target_id
				  AND a.author IN (SELECT b.author FROM written b WHERE b.target_id = o.target_id))::int]
				FROM (SELECT DISTINCT target_id FROM core_moderation_reports WHERE status <> 'done') o`) {
			want[target] = priority.AuthorPoints(n[0])
		}
		require.Equal(t, want, pointsOf(t, d, priority.Author), "step %d", step)
		for target, n := range naive(t, d, `SELECT o.target_id, ARRAY[count(*) FILTER (WHERE b.resolution = 'action_taken'), count(*) FILTER (WHERE b.resolution = 'no_violation')]::int[]
				FROM core_moderation_reports o LEFT JOIN core_moderation_reports b ON b.reporter_id = o.reporter_id AND b.status = 'done'
				WHERE o.status <> 'done' GROUP BY o.target_id`) {
			for _, p := range priority.Reweigh(nil, priority.Facts{Upheld: n[0], Rejected: n[1]}) {
				if p.Name == priority.Records {
					want[target+" record"] = p.Points
				}
			}
			require.Equal(t, want[target+" record"], pointsOf(t, d, priority.Records)[target], "step %d", step)
		}
	}
	d.Follow(t, cases.Projection)
	require.Empty(t, d.Wrong(t, cases.Projection))
}

// Given an author whose points rise with each target until they are full, when decisions are
// taken back, then they fall again.
func TestAnAuthorsPointsAreFullAtFourTargets(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 0, "open", logtest.By("writer"))
	var ids []string
	for i, want := range []int{4, 6, 7, 8, 8, 8} {
		ids = append(ids, d.File(t, 1, fmt.Sprint(i), logtest.By("writer")))
		d.Resolve(t, ids[i], 2, report.ActionTaken)
		d.Follow(t, cases.Projection)
		require.Equal(t, map[string]int{"open": want}, pointsOf(t, d, priority.Author))
	}
	for i, want := range []int{8, 8, 7, 6, 4, 0} {
		replace(t, d, ids[i], report.NoViolation)
		d.Follow(t, cases.Projection)
		require.Equal(t, want, pointsOf(t, d, priority.Author)["open"])
	}
}

// Given a reporter whose account is removed from one report and not yet from another, as when
// the deletion is interrupted, then the case of the other is right.
func TestAnAccountIsRemovedFromOneReportAfterAnother(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	decided := d.File(t, 0, "1")
	d.Resolve(t, decided, 2, report.ActionTaken)
	open := d.File(t, 0, "2")
	d.Follow(t, cases.Projection)
	require.Equal(t, 2, pointsOf(t, d, priority.Records)["2"])
	for _, id := range []string{decided, open} {
		d.Do(t, id, 3, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(d.Users[0]), nil })
		d.Follow(t, cases.Projection)
		require.Equal(t, 0, pointsOf(t, d, priority.Records)["2"])
		require.Empty(t, d.Wrong(t, cases.Projection))
	}
}

// pages returns how many pages a statement reads.
func pages(t *testing.T, d *logtest.Database, sql string, args ...any) int {
	t.Helper()
	var plan []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	text := pgtest.One[[]byte](t, d.Pool, `EXPLAIN (ANALYZE, BUFFERS, FORMAT json) `+sql, args...)
	require.NoError(t, json.Unmarshal(text, &plan))
	return plan[0].Plan.Hit + plan[0].Plan.Read
}

// Given an author of 1,000 targets with 10,000 upheld reports and 10,000 open cases, a target with 10,000 open
// reports and a reporter of 10,000 decided ones, then what is read of each is a few pages.
func TestWhatIsReadDoesNotGrowWithReports(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	const insert = `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
			requested_locale, reason, title, excerpt, search, reporter_id, resolution, created_at, updated_at)
		SELECT gen_random_uuid(), %s, 1, 1, 'forum', 'forum.post', %s, 'posts', 'en', 'en', 'spam', '', '', '', %s, %s,
			now() - n * interval '1 second', now() FROM generate_series(1, 10000) n`
	d.SQL(t, fmt.Sprintf(insert, `'done'`, `n % 1000`, `NULL`, `'action_taken'`))
	d.SQL(t, fmt.Sprintf(insert, `'new'`, `'crowded'`, `NULL`, `NULL`))
	d.SQL(t, fmt.Sprintf(insert, `'done'`, `'of one ' || n`, `'`+d.Users[0]+`'::uuid`, `'no_violation'`))
	d.SQL(t, `INSERT INTO core_moderation_report_authors (report_id, plugin_id, author) SELECT id, plugin_id, 'writer' FROM core_moderation_reports WHERE resolution = 'action_taken'`)
	d.SQL(t, `UPDATE core_moderation_reports SET reporter_id = $1 WHERE target_id = 'crowded'`, d.Users[1])
	d.SQL(t, `UPDATE core_moderation_reports SET reporter_id = $1 WHERE id = (SELECT id FROM core_moderation_reports WHERE target_id = 'crowded' ORDER BY created_at LIMIT 1)`, d.Users[0])
	full, err := json.Marshal(priority.Reweigh(nil, priority.Facts{Author: priority.MostAuthor}))
	require.NoError(t, err)
	d.SQL(t, `INSERT INTO core_moderation_cases (plugin_id, target_type, target_id, permission_module, title, excerpt, open_reports, reasons, assignees, authors, first_at, last_at, parts, rank)
		SELECT 'forum', 'forum.post', n, 'posts', '', '', 1, '{}', '{}', '{writer}', now(), now(), $1, n FROM generate_series(1, 10000) n`, full)
	d.SQL(t, `VACUUM ANALYZE core_moderation_reports, core_moderation_report_authors, core_moderation_cases`)

	require.Less(t, pages(t, d, cases.ReadUpheld, []string{"forum"}, []string{"writer"}), 50)
	require.Less(t, pages(t, d, cases.SelectRising, []string{"forum"}, []string{"writer"}), 50, "of the cases without full points alone")
	require.Less(t, pages(t, d, cases.ReadRecords, []string{"forum"}, []string{"forum.post"}, []string{"crowded"}), 300)
	require.Less(t, pages(t, d, cases.SelectReported, []string{d.Users[0]}), 50, "of the open reports alone")
}

// Given reporters of many decided reports and more open reports by others than PostgreSQL has
// counted, then what the reporters have reported is read without those.
func TestOpenReportsOfOthersAreNotRead(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	const insert = `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
			requested_locale, reason, title, excerpt, search, reporter_id, created_at, updated_at)
		SELECT gen_random_uuid(), $1, 1, 1, 'forum', 'forum.post', n, 'posts', 'en', 'en', 'spam', '', '', '', u::uuid, now(), now()
		FROM generate_series(1, $2) n, unnest($3::text[]) u`
	d.SQL(t, insert, "done", 5000, d.Users[:2])
	d.SQL(t, insert, "new", 2, d.Users[:2])
	d.SQL(t, `VACUUM ANALYZE core_moderation_reports`)
	d.SQL(t, insert, "new", 20_000, []*string{nil})
	require.Less(t, pages(t, d, cases.SelectReported, d.Users[:2]), 50)
}
