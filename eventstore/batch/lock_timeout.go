package batch

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// How long a statement waits for a lock. In a batch, all callers wait with it; a question that runs
// by itself delays nobody else.
const (
	lockTimeout      = 500 * time.Millisecond
	lockTimeoutAlone = 3 * time.Second
)

type aloneKey struct{}

// Alone reports whether ctx, of a Batcher's Run, is that of a question which runs by itself.
func Alone(ctx context.Context) bool {
	alone, _ := ctx.Value(aloneKey{}).(bool)
	return alone
}

// QueueLockTimeout bounds the waits for locks in the transaction of a Batcher's Run, whose
// context is ctx. It keeps them well below the Batcher's Timeout and Alone, so that a batch
// with a caller whose row is locked fails early and the others run by themselves.
func QueueLockTimeout(ctx context.Context, b *pgx.Batch) {
	timeout := lockTimeout
	if Alone(ctx) {
		timeout = lockTimeoutAlone
	}
	b.Queue(`SELECT set_config('lock_timeout', $1, true)`, timeout.String())
}
