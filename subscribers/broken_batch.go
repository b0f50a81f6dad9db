package subscribers

import (
	"errors"
	"fmt"
	"sync"
)

// maxLosses is how often in a row the connection may be lost while one message is handled before
// that message becomes a dead letter. A restart of the database loses one or two connections, a
// poisoned message one each time.
const maxLosses = 10

var (
	// errEnded is the error of a listener that ended its transaction, with COMMIT or ROLLBACK as
	// plain SQL. Its changes can no longer be undone.
	errEnded = fmt.Errorf("the listener ended its transaction: %w", errBatchOver)
	// errLost is the error of an attempt whose connection was lost.
	errLost = fmt.Errorf("the connection was lost: %w", errBatchOver)
)

// brokenBatches stores the last message whose handling ended or lost the transaction of its batch.
// Since that transaction cannot record it, the message is delivered again. A message whose listener
// ended the transaction, or that lost it maxLosses times, becomes a dead letter without another
// attempt.
type brokenBatches struct {
	mu     sync.Mutex
	id     string
	losses int // in a row
	ended  bool
}

// record records that handling the message ended or lost the transaction; cause is errEnded or
// errLost.
func (s *brokenBatches) record(id string, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id != id {
		s.id, s.losses, s.ended = id, 0, false
	}
	if errors.Is(cause, errEnded) {
		s.ended = true
	} else {
		s.losses++
	}
}

// forget deletes the message's record, because it was handled. It keeps the record of another one,
// since the messages before that one in its batch are handled again each time.
func (s *brokenBatches) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id == id {
		s.id, s.losses, s.ended = "", 0, false
	}
}

// fault returns why the message must become a dead letter, or nil if it may be handled.
func (s *brokenBatches) fault(id, group string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.id != id:
		return nil
	case s.ended:
		return fmt.Errorf("listener %s ended the message's transaction", group)
	case s.losses >= maxLosses:
		return fmt.Errorf("the connection was lost %d times in a row while it was handled", s.losses)
	}
	return nil
}
