package subscribers

import (
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// watermillGoroutines counts those that a message router has left or still uses.
func watermillGoroutines() int {
	stacks := make([]byte, 16<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "watermill/message.(*Router)")
}

// Given a start that fails because somebody holds the table of positions, then Run
// leaves nothing behind, and delivers when it is called again.
//
// It counts goroutines, so no other test may run meanwhile.
func TestAStartThatFailsCanBeTriedAgain(t *testing.T) {
	config := pgtest.New(t).Config()
	config.ConnConfig.RuntimeParams["lock_timeout"] = "100"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	var one, two recorder
	r, err := NewRouter(pool, fast(t), event.Listener{Group: "one", Handle: one.handle}, event.Listener{Group: "two", Handle: two.handle})
	require.NoError(t, err)
	before := watermillGoroutines()

	for _, mode := range []string{"ACCESS EXCLUSIVE", "SHARE"} { // who holds it so lets nobody read, or nobody write
		hold := pgtest.Begin(t, pool)
		pgtest.Exec(t, hold, `LOCK TABLE `+publicEvents.positions+` IN `+mode+` MODE`)
		require.ErrorContains(t, r.Run(t.Context()), "55P03")
		require.NoError(t, hold.Rollback(t.Context()))
		require.LessOrEqual(t, watermillGoroutines(), before)
	}

	messages := series(3)
	publish(t, pool, messages...)
	run(t, r)
	caughtUp(t, pool)
	require.Equal(t, ids(messages), one.seen())
	require.Equal(t, ids(messages), two.seen())
}
