package queue_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/queue"
)

func TestAnEffectsPayloadArrivesAsGiven(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]any{
		"struct":       struct{ Name string }{"Ann"},
		"text":         "plain",
		"bytes":        json.RawMessage(`{"Name":"Ann"}`),
		"nothing":      nil,
		"JSON in text": `{"Name":"Ann"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, queue.Config{})
			var arrived json.RawMessage
			b.handle("effect", func(_ context.Context, a queue.Attempt) error {
				arrived = a.Payload
				return nil
			})
			batch := &pgx.Batch{}
			require.NoError(t, queue.Effects{}.QueueEffects(batch, plugin, []target.Effect{{Task: "effect", Payload: given}}))
			require.NoError(t, b.pool.SendBatch(t.Context(), batch).Close())

			b.drain()

			want, err := json.Marshal(given)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(arrived))
		})
	}
}

// A platform may be away for a day before a requested action fails.
func TestRemoteActionsAreTriedForADay(t *testing.T) {
	t.Parallel()
	var waited time.Duration
	for attempt := 1; attempt < target.RemoteAttempts; attempt++ {
		waited += queue.Backoff(attempt)
	}
	require.GreaterOrEqual(t, waited, 24*time.Hour)
	require.Less(t, waited, 32*time.Hour)
}

// Given many webhooks that wait, when a moderator hides content elsewhere, then its platform is asked
// before them.
func TestAnEffectRunsBeforeWhatWaits(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{Concurrency: map[queue.Name]int{queue.Outbound: 1}})
	var order []string
	for _, name := range []string{"webhook", "hide"} {
		b.handle(name, func(context.Context, queue.Attempt) error {
			order = append(order, name)
			return nil
		})
	}
	webhook := queue.Task{PluginID: plugin, Name: "webhook", Queue: queue.Outbound}
	b.enqueue(webhook, webhook)
	batch := &pgx.Batch{}
	require.NoError(t, queue.Effects{}.QueueEffects(batch, plugin, []target.Effect{{Task: "hide", Outbound: true}}))
	require.NoError(t, b.pool.SendBatch(t.Context(), batch).Close())

	b.drain()

	require.Equal(t, []string{"hide", "webhook", "webhook"}, order)
}
