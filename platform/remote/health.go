package remote

import (
	"slices"
	"sync"
	"time"
)

// Health is how a platform has responded to this server.
type Health struct {
	PluginID   string
	Open       bool // the circuit breaker is open
	LastGood   time.Time
	LastFailed time.Time
	Path       string // of the last failed request
	Fault      string // of the last failed request
	Calls      []Call // the latest, newest first
}

// Call is a request to a platform and its outcome.
type Call struct {
	At     time.Time
	Path   string
	Status int // 0 without a response
	Took   time.Duration
	Fault  string // "" if the response was valid
}

// keptCalls is how many of the last calls of a platform a server stores.
const keptCalls = 20

type health struct {
	mu    sync.Mutex
	last  Health
	calls []Call // oldest first
}

// note records a call, and when the last one succeeded or failed. A call that its caller cancelled is neither.
func (h *health) note(c Call, err error, failed, gone bool) {
	if err != nil {
		c.Fault = err.Error()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case gone:
	case failed:
		h.last.LastFailed, h.last.Path, h.last.Fault = c.At.Add(c.Took), c.Path, c.Fault
	default:
		h.last.LastGood = c.At.Add(c.Took)
	}
	h.calls = append(h.calls[max(0, len(h.calls)-keptCalls+1):], c)
}

// TakeOver makes p continue the health of former, an earlier version of the platform. p must not have been called yet.
func (p *Platform) TakeOver(former *Platform) { p.health = former.health }

// Health returns how the platform has responded since this server started.
func (p *Platform) Health() Health {
	p.health.mu.Lock()
	last := p.health.last
	last.Calls = slices.Clone(p.health.calls)
	p.health.mu.Unlock()
	slices.Reverse(last.Calls)
	last.PluginID, last.Open = p.pluginID, p.breaker.open()
	return last
}
