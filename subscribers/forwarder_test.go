package subscribers

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// forwarding is the configuration of tests with a forwarder.
func forwarding(t *testing.T, forward func(ctx context.Context, e event.Event) error) Config {
	config := fast(t)
	config.Forwarders = []Forwarder{{Group: "forwards", Forward: forward}}
	return config
}

// Given another system that does not take one event of a batch at first, then only that event is
// tried again.
func TestWhatIsNotForwardedRepeatsNothingBeforeIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	messages := series(10)
	publish(t, pool, messages...)
	var got recorder
	var tried atomic.Int32
	r, err := NewRouter(pool, forwarding(t, func(ctx context.Context, e event.Event) error {
		_ = got.handle(ctx, nil, e)
		if e.ID == messages[5].ID.String() && tried.Add(1) <= 2 {
			return errors.New("not yet")
		}
		return nil
	}))
	require.NoError(t, err)
	run(t, r)
	caughtUp(t, pool)
	all := ids(messages)
	want := append(append([]string{}, all[:5]...), all[5], all[5])
	require.Equal(t, append(want, all[5:]...), got.seen())
}

// Given two servers, then one of them forwards, and the other when that one stops.
func TestOneServerForwards(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var got recorder
	var stops [2]func()
	for i := range stops {
		r, err := NewRouter(pool, forwarding(t, func(ctx context.Context, e event.Event) error { return got.handle(ctx, nil, e) }))
		require.NoError(t, err)
		stops[i] = run(t, r)
	}
	messages := series(60)
	for i, stop := range stops {
		some := messages[30*i : 30*(i+1)]
		publish(t, pool, some...)
		caughtUp(t, pool)
		stop()
	}
	require.Equal(t, ids(messages), got.seen())
}

// Given another system that does not answer, then other groups hear of events all the same, and
// the server stops.
func TestASlowForwarderDelaysNobody(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	heard := make(chan string, 100)
	asked := make(chan struct{}, 100)
	r, err := NewRouter(pool, forwarding(t, func(ctx context.Context, _ event.Event) error {
		asked <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}), event.Listener{Group: "other", Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error { heard <- e.ID; return nil }})
	require.NoError(t, err)
	stop := run(t, r)
	publish(t, pool, created(0))
	<-asked
	<-heard
	messages := series(20)
	publish(t, pool, messages...)
	for _, id := range ids(messages) {
		select {
		case got := <-heard:
			require.Equal(t, id, got)
		case <-time.After(time.Minute):
			t.Fatal("the other group waits")
		}
	}
	stop()
}
