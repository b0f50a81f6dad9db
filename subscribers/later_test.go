package subscribers

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a listener that writes nothing to the database, when the world outside is not
// ready for one event of a batch, then only that event is tried again: those before
// it are not, whether the listener hears of them or passes them by.
func TestWhatIsNotReadyRepeatsNothingBeforeIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	messages := series(10)
	messages[4].Name = event.ReportResolved // not heard, and last before what is not ready
	publish(t, pool, messages...)
	var got recorder
	var tried atomic.Int32
	start(t, pool, event.Listener{Group: "forwards", Events: []string{event.ReportCreated}, Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		_ = got.handle(ctx, tx, e)
		if e.ID == messages[5].ID.String() && tried.Add(1) <= 2 {
			return ErrLater
		}
		return nil
	}})
	caughtUp(t, pool)
	all := ids(messages)
	want := append(append([]string{}, all[:4]...), all[5], all[5])
	require.Equal(t, append(want, all[5:]...), got.seen())
}
