package subscribers

import (
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"
)

// The waits after failed reads, doubling from first to last.
const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 5 * time.Second
)

// backoff says how long a group waits before it reads again. It is safe for
// concurrent use, as the subscriptions of one subscriber share it.
type backoff struct {
	poll time.Duration
	log  zerolog.Logger

	mu   sync.Mutex
	next time.Duration
}

// HandleError implements watermill-sql's BackoffManager.
func (b *backoff) HandleError(_ watermill.LoggerAdapter, noMessages bool, err error) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.next = 0
		if noMessages {
			return b.poll
		}
		return 0
	}
	b.next = min(max(2*b.next, firstBackoff), lastBackoff)
	if errors.Is(err, sql.ErrTxDone) {
		return b.next // the group gave the batch up itself and has said why
	}
	b.log.Warn().Err(err).Dur("wait", b.next).Msg("reading events failed")
	return b.next
}
