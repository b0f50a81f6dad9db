package queue

import (
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/target"
)

// Effects enqueues the effects of content actions in the command's transaction.
type Effects struct {
	Wake func() // Queue.Wake of this server; if nil, its workers find the tasks at their next poll
}

// EffectsCommitted wakes the workers.
func (e Effects) EffectsCommitted() {
	if e.Wake != nil {
		e.Wake()
	}
}

// effectPriority puts a moderator's actions before the webhooks and mails about them.
const effectPriority = 1

// QueueEffects adds one task of the plugin per effect.
func (e Effects) QueueEffects(b *pgx.Batch, pluginID string, effects []target.Effect) error {
	tasks := make([]Task, len(effects))
	for i, effect := range effects {
		tasks[i] = Task{PluginID: pluginID, Name: effect.Task, Payload: effect.Payload, MaxAttempts: effect.Attempts, Priority: effectPriority}
		if effect.Outbound {
			tasks[i].Queue = Outbound
		}
	}
	return Enqueue(b, tasks...)
}
