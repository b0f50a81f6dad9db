package subscribers

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func exec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	pgtest.Exec(t, pool, sql, args...)
}

func strs(t *testing.T, pool *pgxpool.Pool, sql string) []string {
	t.Helper()
	out := pgtest.All[string](t, pool, sql)
	return out
}

// place puts one message at a place of the test's choice.
func place(t *testing.T, pool *pgxpool.Pool, id, transaction string, offset int, age time.Duration) {
	t.Helper()
	placeFreely(t, pool)
	exec(t, pool, `INSERT INTO watermill_docket_events ("offset", uuid, payload, metadata, transaction_id, created_at)
		VALUES ($1, $2, '{}', json_build_object('name', 'n', 'occurred_at', now()), $3::text::xid8, (now() AT TIME ZONE 'UTC') - $4::interval)`,
		offset, id, transaction, age)
}

// Given a dump that was taken with groups at different places and restored into a
// cluster whose transaction ids begin low, with something new written before the
// servers start, then each group gets what it had not read, in order, and no more.
func TestARestoredTopicDeliversWhatWasUnread(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const high = "90000000000"
	for i, m := range []struct {
		id          string
		transaction string
		offset      int
	}{
		{"a", high + "1", 101}, {"b", high + "1", 103}, {"c", high + "2", 102}, // numbered before b, committed after it
		{"d", high + "3", 104}, {"e", high + "4", 105},
	} {
		place(t, pool, m.id, m.transaction, m.offset, time.Duration(10-i)*time.Minute)
	}
	exec(t, pool, `INSERT INTO watermill_offsets_docket_events VALUES
		('read-b', 103, '`+high+`1'), ('read-all', 105, '`+high+`4'), ('read-none', 0, '0')`)
	exec(t, pool, `SELECT setval(pg_get_serial_sequence('watermill_docket_events', 'offset'), 105)`)
	exec(t, pool, `INSERT INTO watermill_docket_events (uuid, payload, metadata, transaction_id)
		VALUES ('new', '{}', json_build_object('name', 'n', 'occurred_at', now()), pg_current_xact_id())`)

	some, all, none := &recorder{}, &recorder{}, &recorder{}
	start(t, pool,
		event.Listener{Group: "read-b", Handle: some.handle},
		event.Listener{Group: "read-all", Handle: all.handle},
		event.Listener{Group: "read-none", Handle: none.handle},
	)
	caughtUp(t, pool)
	require.Equal(t, []string{"c", "d", "e", "new"}, some.seen())
	require.Equal(t, []string{"new"}, all.seen())
	require.Equal(t, []string{"a", "b", "c", "d", "e", "new"}, none.seen())

	t.Log("and goes on from there")
	later := created(1)
	publish(t, pool, later)
	caughtUp(t, pool)
	require.Equal(t, later.ID.String(), all.seen()[1])

	t.Log("a second restore of the same dump finds places under id 0 taken, and moves them")
	exec(t, pool, `UPDATE watermill_offsets_docket_events SET last_processed_transaction_id = '`+high+`9', offset_acked = 1000 WHERE consumer_group = 'read-all'`)
	require.NoError(t, Restored(t.Context(), pool, zerolog.Nop()))
	require.Equal(t, []string{"0"}, strs(t, pool, `SELECT DISTINCT transaction_id::text FROM watermill_docket_events`))
}

func TestATopicOfThisClusterIsLeftAlone(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	publish(t, pool, series(3)...)
	places := `SELECT transaction_id || '/' || "offset" FROM watermill_docket_events ORDER BY 1`
	before := strs(t, pool, places)
	require.NoError(t, Restored(t.Context(), pool, zerolog.Nop()))
	require.Equal(t, before, strs(t, pool, places))
}

func TestTrimDeletesWhatEveryGroupHasRead(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	cases := map[string]struct {
		positions string
		want      []string
	}{
		"all groups have read all":                            {`('here', 4, '4')`, nil},
		"the slowest counts":                                  {`('here', 4, '4'), ('also-here', 2, '2')`, []string{"3", "4"}},
		"no group has read anything":                          {`('here', 0, '0')`, []string{"1", "2", "3", "4"}},
		"a group of another release holds back what is young": {`('here', 4, '4'), ('elsewhere', 0, '0')`, []string{"3", "4"}},
		"and no more than it has not read":                    {`('here', 4, '4'), ('elsewhere', 3, '3')`, []string{"4"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			for i, age := range []time.Duration{40 * day, 31 * day, 29 * day, 0} {
				n := string(rune('1' + i))
				place(t, pool, n, n, i+1, age)
			}
			exec(t, pool, `INSERT INTO watermill_offsets_docket_events VALUES `+c.positions)
			nothing := func(context.Context, pgx.Tx, event.Event) error { return nil }
			r, err := NewRouter(pool, fast(t), event.Listener{Group: "here", Handle: nothing}, event.Listener{Group: "also-here", Handle: nothing})
			require.NoError(t, err)
			n, err := r.Trim(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 4-len(c.want), n)
			require.ElementsMatch(t, c.want, strs(t, pool, `SELECT uuid FROM watermill_docket_events`))
		})
	}
}
