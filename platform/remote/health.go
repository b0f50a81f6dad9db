package remote

import (
	"sync"
	"time"
)

// Health is how a platform has answered this server.
type Health struct {
	PluginID   string
	Open       bool // the circuit breaker holds questions back
	LastGood   time.Time
	LastFailed time.Time
	Path       string // of the last failed question
	Fault      string // of the last failed question
}

type health struct {
	mu   sync.Mutex
	last Health
}

func (h *health) good(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last.LastGood = now
}

func (h *health) failed(now time.Time, path, fault string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last.LastFailed, h.last.Path, h.last.Fault = now, path, fault
}

// Health returns how the platform has answered since this server started.
func (p *Platform) Health() Health {
	p.health.mu.Lock()
	last := p.health.last
	p.health.mu.Unlock()
	last.PluginID, last.Open = p.pluginID, p.breaker.open()
	return last
}
