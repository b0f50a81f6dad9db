package eventstore_test

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

var logStart = time.Date(2026, 10, 11, 0, 0, 0, 0, time.UTC)

func actorOf(i int) string { return fmt.Sprintf("00000000-0000-0000-0000-%012d", i) }

// longLog makes a log of n sealed events, one a second: of three types in turn, by five
// actors in turn, three events a report.
func longLog(t *testing.T, n int) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_report_events
			(event_id, report_id, sequence, version, type, payload, actor_id, occurred_at, prev_hash, hash)
		SELECT gen_random_uuid(), lpad((i / 3)::text, 32, '0')::uuid, i % 3 + 1, 1, (ARRAY['created', 'assigned', 'resolved'])[i % 3 + 1], '{}',
			lpad((i % 5)::text, 32, '0')::uuid, $2::timestamptz + i * interval '1 second', '', ''
		FROM generate_series(0, $1 - 1) i`, n, logStart)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_log (position, event_id, leaf_hash)
		SELECT row_number() OVER (ORDER BY occurred_at), event_id, '' FROM core_moderation_report_events`)
	pgtest.Exec(t, pool, `VACUUM ANALYZE core_moderation_report_events, core_moderation_log`)
	return pool
}

func filteredLog(t *testing.T, db postgres.Querier, f eventstore.LogFilter, query string) paging.Page[eventstore.Logged] {
	t.Helper()
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	request, err := eventstore.FilteredLogList.Parse(values)
	require.NoError(t, err)
	page, err := eventstore.FilteredLogPage(t.Context(), db, f, request)
	require.NoError(t, err)
	return page
}

func TestTheLogIsFiltered(t *testing.T) {
	t.Parallel()
	pool := longLog(t, 60)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		VALUES (gen_random_uuid(), gen_random_uuid(), 1, 1, 'created', '{}', $1, '', '')`, logStart.Add(time.Second))
	second := func(n int) *time.Time { at := logStart.Add(time.Duration(n) * time.Second); return &at }
	for name, c := range map[string]struct {
		filter    eventstore.LogFilter
		positions []int64
	}{
		"by actor":                    {eventstore.LogFilter{ActorID: actorOf(4)}, []int64{5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60}},
		"by type and time":            {eventstore.LogFilter{Type: report.ResolvedType, Before: second(11)}, []int64{3, 6, 9}},
		"by actor and type":           {eventstore.LogFilter{ActorID: actorOf(4), Type: report.ResolvedType}, []int64{15, 30, 45, 60}},
		"by time, not by unsealed":    {eventstore.LogFilter{After: second(-1), Before: second(3)}, []int64{1, 2, 3}},
		"by report":                   {eventstore.LogFilter{ReportID: actorOf(7)}, []int64{22, 23, 24}},
		"by report, actor and type":   {eventstore.LogFilter{ReportID: actorOf(7), ActorID: actorOf(2), Type: report.AssignedType}, []int64{23}},
		"by somebody who did nothing": {eventstore.LogFilter{ActorID: actorOf(9)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, order := range []string{"asc", "desc"} {
				var seen []int64
				for query, more := "order="+order+"&first=2", true; more; {
					page := filteredLog(t, pool, c.filter, query)
					for _, e := range page.Edges {
						seen = append(seen, e.Position)
					}
					if more = page.PageInfo.HasNextPage; more {
						query = "order=" + order + "&first=2&cursor=" + *page.PageInfo.EndCursor
					}
				}
				if order == "desc" {
					slices.Reverse(seen)
				}
				require.Equal(t, c.positions, seen, order)
			}
		})
	}
}

// TestAFilteredLogIsReadByItsIndexes counts the blocks that PostgreSQL reads for a page in the
// middle of a log of 30,000 events: a page of one type has 51 of them, and looks each up in the
// log.
func TestAFilteredLogIsReadByItsIndexes(t *testing.T) {
	t.Parallel()
	const n = 30_000
	pool := longLog(t, n)
	middle := logStart.Add(n / 2 * time.Second)
	request, err := eventstore.FilteredLogList.Parse(url.Values{"first": {"50"}, "order": {"desc"}})
	require.NoError(t, err)
	cursor := *paging.NewPage([]eventstore.Logged{{EventID: uuid.NewString(), OccurredAt: domain.Time(middle)}}, request,
		func(e eventstore.Logged) paging.Position { return paging.At(time.Time(e.OccurredAt), e.EventID) }).PageInfo.StartCursor

	for name, c := range map[string]struct {
		filter eventstore.LogFilter
		index  string
		blocks int
	}{
		"by actor":          {eventstore.LogFilter{ActorID: actorOf(4)}, "core_moderation_report_events_by_actor", 3 * 51 * 8},
		"by type":           {eventstore.LogFilter{Type: report.ResolvedType}, "core_moderation_report_events_type", 51 * 8},
		"by actor and type": {eventstore.LogFilter{ActorID: actorOf(4), Type: report.ResolvedType}, "core_moderation_report_events_by_actor", 51 * 8},
		"by time":           {eventstore.LogFilter{Before: &middle}, "core_moderation_report_events_type", 3 * 51 * 8},
		"by report":         {eventstore.LogFilter{ReportID: actorOf(7)}, "core_moderation_report_events_stream", 3 * 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, query := range []string{"order=asc&first=50", "order=desc&first=50&cursor=" + cursor} {
				db := &explained{Querier: pool, t: t}
				filteredLog(t, db, c.filter, query)
				require.Contains(t, db.plan, c.index, db.plan)
				require.NotContains(t, db.plan, "Seq Scan", db.plan)
				blocks, err := strconv.Atoi(regexp.MustCompile(`Buffers: shared hit=(\d+)`).FindStringSubmatch(db.plan)[1])
				require.NoError(t, err)
				require.Less(t, blocks, c.blocks+200, db.plan)
			}
		})
	}
}

// explained notes how PostgreSQL runs a query, and how many blocks it reads.
type explained struct {
	postgres.Querier
	t    *testing.T
	plan string
}

func (e *explained) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	for range 2 { // the first reads the blocks that are not in memory
		e.plan = ""
		lines := pgtest.All[string](e.t, e.Querier, `EXPLAIN (ANALYZE, BUFFERS) `+sql, args...)
		for _, line := range lines {
			e.plan += line + "\n"
		}
	}
	return e.Querier.Query(ctx, sql, args...)
}
