package sqlpage_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

const someID = "0199c0de-0000-7000-8000-000000000001"

func parse(t testing.TB, query string) (paging.Request, error) {
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	return rows.Parse(values)
}

// cursorOf is the cursor that a page asked for by the query gives out for a position.
func cursorOf(t testing.TB, query string, p paging.Position) string {
	r, err := parse(t, query)
	require.NoError(t, err)
	page := paging.NewPage([]paging.Position{p}, r, func(p paging.Position) paging.Position { return p })
	return *page.PageInfo.StartCursor
}

func TestSQL(t *testing.T) {
	t.Parallel()
	created := cursorOf(t, "", paging.At(time.Date(2026, 10, 11, 19, 33, 21, 500_000_000, time.UTC), someID))
	ranks := cursorOf(t, "orderBy=rank", paging.Position{Value: paging.IntValue(-7), ID: paging.UUIDValue(someID)})
	never := cursorOf(t, "orderBy=lastRun", paging.Position{Value: paging.NullTimeValue(nil), ID: paging.UUIDValue(someID)})
	cases := []struct {
		name, query, sql string
		args             []any
	}{
		{"the head", "", "SELECT * FROM t ORDER BY created_at::timestamptz DESC, id::uuid DESC LIMIT 26", nil},
		{"the tail", "last=2", "SELECT * FROM t ORDER BY created_at::timestamptz ASC, id::uuid ASC LIMIT 3", nil},
		{
			"after", "first=2&cursor=" + created,
			"SELECT * FROM t WHERE (created_at, id) < ($1::timestamptz, $2::uuid) ORDER BY created_at::timestamptz DESC, id::uuid DESC LIMIT 3",
			[]any{"2026-10-11T19:33:21.500000Z", someID},
		},
		{
			"before", "last=2&cursor=" + created,
			"SELECT * FROM t WHERE (created_at, id) > ($1::timestamptz, $2::uuid) ORDER BY created_at::timestamptz ASC, id::uuid ASC LIMIT 3",
			[]any{"2026-10-11T19:33:21.500000Z", someID},
		},
		{
			"ascending", "orderBy=rank&cursor=" + ranks,
			"SELECT * FROM t WHERE (rank, id) > ($1::bigint, $2::uuid) ORDER BY rank::bigint ASC, id::uuid ASC LIMIT 26",
			[]any{"-7", someID},
		},
		{
			"null", "orderBy=lastRun&cursor=" + never,
			"SELECT * FROM t WHERE (coalesce(last_run, 'infinity'::timestamptz), id) < ($1::timestamptz, $2::uuid) " +
				"ORDER BY coalesce(last_run, 'infinity'::timestamptz) DESC, id::uuid DESC LIMIT 26",
			[]any{"infinity", someID},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := parse(t, c.query)
			require.NoError(t, err)

			sql, args, err := sqlpage.Apply(r, squirrel.Select("*").From("t").PlaceholderFormat(squirrel.Dollar)).ToSql()

			require.NoError(t, err)
			require.Equal(t, c.sql, sql)
			require.Equal(t, c.args, args)
			condition, bare := sqlpage.Condition(r, 1)
			require.Equal(t, c.args, bare)
			if bare != nil {
				require.Contains(t, sql, "WHERE "+condition+" ORDER BY "+sqlpage.OrderClause(r)+" LIMIT")
			}
		})
	}
}
