package subscribers

import (
	"errors"
	"fmt"
)

// A message is condemned when to handle it has cost its transaction: it is set aside
// the next time, without another try.

// maxDeaths is how often in a row a message may cost its connection before it is
// condemned: a server that restarts does so once or twice, a poisoned message always.
const maxDeaths = 10

// errEnded is the failure of a listener that ended the transaction it works in, with
// COMMIT or ROLLBACK as plain SQL. What it did can no longer be undone.
var errEnded = errors.New("ended the message's transaction")

func (g *group) errEnded() error { return fmt.Errorf("listener %s %w", g.Group, errEnded) }

func (g *group) died(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.blame(id)
	g.deaths++
}

func (g *group) end(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.blame(id)
	g.ended = true
}

// blame needs the lock.
func (g *group) blame(id string) {
	if g.dying != id {
		g.dying, g.deaths, g.ended = id, 0, false
	}
}

// survived forgets what the message has cost. What another has cost stays: messages
// before it in its batch are handled again each time.
func (g *group) survived(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dying == id {
		g.blame("")
	}
}

// condemned is why the message is to be set aside; nil when it may be handled.
func (g *group) condemned(id string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.dying != id:
		return nil
	case g.ended:
		return &handlerError{g.errEnded()}
	case g.deaths >= maxDeaths:
		return &handlerError{fmt.Errorf("the connection was lost %d times in a row while it was handled", g.deaths)}
	}
	return nil
}
