package remote

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
)

// keepState is how long the state of a target is cached.
const keepState = 5 * time.Second

// maxStates bounds how many states are cached.
const maxStates = 10_000

// State is the response to `current`.
type State struct {
	target.State
	Scope *string // nil if the platform does not return it
}

type stateKey struct{ targetType, id string }

// stateEntry is a cached state with the time of its request; nil means deleted.
type stateEntry struct {
	asked time.Time
	state *State
}

// states caches the states of targets for a few seconds.
type states struct {
	mu   sync.Mutex
	byID map[stateKey]stateEntry
}

func (s *states) get(k stateKey, notBefore time.Time) (*State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, there := s.byID[k]
	if !there || e.asked.Before(notBefore) {
		return nil, false
	}
	return e.state, true
}

// put stores the newer of two states.
func (s *states) put(k stateKey, e stateEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.byID) >= maxStates {
		for key, old := range s.byID {
			if e.asked.Sub(old.asked) > keepState || len(s.byID) >= maxStates {
				delete(s.byID, key)
			}
		}
	}
	if s.byID[k].asked.Before(e.asked) {
		s.byID[k] = e
	}
}

func (s *states) forget(k stateKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, k)
}

type currentQuestion struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Locale string `json:"locale"`
}

// state returns the state of a target, from the cache if that is recent enough.
func (p *Platform) state(ctx context.Context, t *plugin.RemoteType, id, locale string) (*State, error) {
	k, now := stateKey{t.ID, id}, p.settings.Now()
	oldest := now.Add(-keepState)
	if since := target.CachedSince(ctx); since.After(oldest) {
		oldest = since
	}
	if state, ok := p.states.get(k, oldest); ok {
		return state, nil
	}
	question := currentQuestion{t.ID, id, cmp.Or(locale, p.settings.Locale)}
	state, err := askFor(ctx, p, "current", question, func(body []byte) (*State, []domain.Issue) {
		return ReadCurrent(t, body)
	}, http.StatusNotFound)
	if err != nil {
		return nil, err
	}
	p.states.put(k, stateEntry{now, state})
	return state, nil
}

// ReadCurrent parses the response to `current` and returns every fault.
func ReadCurrent(t *plugin.RemoteType, raw []byte) (*State, []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	s := &State{State: target.State{Hidden: o.boolean("hidden", true), URL: publicURL(o.text("url", maxURL, false)), Actions: map[string]bool{}}}
	if t.Scope != nil && o.member("scope", false) != nil {
		s.Scope = new(o.resource("scope", false))
	}
	if actions, ok := o.object("actions", false); ok {
		for _, a := range t.Names() {
			s.Actions[a.Name] = actions.boolean(a.Name, false)
		}
	}
	if fields := o.member("fields", false); fields != nil && fields.Kind() != '{' {
		f.add("fields", codeWrongType, "Must be a JSON object.")
	}
	if len(f.issues) > 0 {
		return nil, f.issues
	}
	return s, nil
}
