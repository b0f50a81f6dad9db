package broker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/broker"
	"github.com/docketmod/docket/subscribers/notice"
	"github.com/docketmod/docket/subscribers/webhook"
)

// Given a broker that takes long for each event and has many to take, then webhooks, notices and
// plugins hear of events as soon as without it.
func TestABrokerThatIsSlowDelaysNobody(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{500 * time.Millisecond, 1300 * time.Millisecond} {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			s := startBroker(t, -1, t.TempDir())
			publisher := connect(t, "nats://"+platformtest.SlowProxy(t, s.Addr().String(), func() time.Duration { return delay }))
			pgtest.Eventually(t, publisher.Connected, "the broker is connected")
			r, err := subscribers.NewRouter(pool, subscribers.Config{PollInterval: 5 * time.Millisecond, Forwarders: []subscribers.Forwarder{publisher.Forwarder()}},
				webhook.NewStore(pool, webhook.Config{}).Listener(), notice.NewStore(pool, time.Now, nil).Listener(),
				event.Listener{Group: "plugin", Handle: func(context.Context, pgx.Tx, event.Event) error { return nil }})
			require.NoError(t, err)
			platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, r.Run(ctx)) })

			all := publish(t, pool, 0, 20)
			pgtest.Eventually(t, func() bool { return held(t, s.ClientURL()) > 0 }, "the broker takes the first")
			for range 5 {
				all = append(all, publish(t, pool, len(all), 1)...)
				began := time.Now()
				pgtest.Eventually(t, func() bool { return behind(t, pool) == nil }, "the other groups hear of it")
				require.Less(t, time.Since(began), 3*time.Second)
			}
			require.Less(t, held(t, s.ClientURL()), len(all), "the broker has not taken all by then")
		})
	}
}

// behind names the groups that have not read everything, without that of the broker.
func behind(t *testing.T, pool *pgxpool.Pool) (groups []string) {
	lags, err := subscribers.Lags(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, lags, 4)
	for _, l := range lags {
		if l.Group != broker.Group && l.Messages > 0 {
			groups = append(groups, fmt.Sprint(l.Group, " ", l.Messages))
		}
	}
	return groups
}
