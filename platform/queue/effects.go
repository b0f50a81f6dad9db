package queue

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/target"
)

// Effects enqueues the effects of content actions in the command's transaction;
// the event store asks for them.
type Effects struct {
	Now  func() time.Time
	Wake func() // Queue.Wake of this server; nil: its workers find the tasks when they look
}

// EffectsCommitted lets the workers look at once.
func (e Effects) EffectsCommitted() {
	if e.Wake != nil {
		e.Wake()
	}
}

// QueueEffects adds a task of the plugin for each effect.
func (e Effects) QueueEffects(b *pgx.Batch, pluginID string, effects []target.Effect) error {
	tasks := make([]Task, len(effects))
	for i, effect := range effects {
		payload, err := json.Marshal(effect.Payload)
		if err != nil {
			return fmt.Errorf("encode effect %s: %w", effect.Task, err)
		}
		tasks[i] = Task{PluginID: pluginID, Name: effect.Task, Payload: payload}
	}
	return Enqueue(b, e.Now(), tasks...)
}
