package platformtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain/statement/statementtest"
)

// Statements simulates the EU's transparency database: it accepts statements and checks each field. It is safe for
// concurrent use.
type Statements struct {
	Token string
	// Answer, if not nil, may respond to a call before it is checked, and reports whether it did.
	Answer func(w http.ResponseWriter, r *http.Request) bool

	mu     sync.Mutex
	calls  int
	stored map[string]map[string]any      // by puid
	refuse map[string]map[string][]string // faults by puid
}

// Stored returns the statements by puid.
func (r *Statements) Stored() map[string]map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]map[string]any{}
	for id, s := range r.stored {
		all[id] = s
	}
	return all
}

// Calls returns the number of calls so far.
func (r *Statements) Calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls
}

// Store stores a statement as if it had been sent before.
func (r *Statements) Store(puid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(map[string]any{"puid": puid})
}

// Refuse makes the database refuse the statement for the faults of its fields; without faults it accepts it.
func (r *Statements) Refuse(puid string, faults map[string][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse == nil {
		r.refuse = map[string]map[string][]string{}
	}
	r.refuse[puid] = faults
}

func (r *Statements) keep(s map[string]any) {
	if r.stored == nil {
		r.stored = map[string]map[string]any{}
	}
	s["uuid"] = uuid.NewString()
	r.stored[s["puid"].(string)] = s
}

// ServeHTTP implements http.Handler.
func (r *Statements) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if r.Answer != nil && r.Answer(w, q) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	switch {
	case q.Method != http.MethodPost || q.URL.Path != "/api/v1/statements":
		answer(w, http.StatusNotFound, map[string]any{"message": "Not found."})
		return
	case q.Header.Get("Authorization") != "Bearer "+r.Token:
		answer(w, http.StatusUnauthorized, map[string]any{"message": "Unauthenticated."})
		return
	case q.Header.Get("Accept") != "application/json":
		answer(w, http.StatusNotAcceptable, map[string]any{"message": "Ask for JSON."})
		return
	}
	var body struct {
		Statements []map[string]any `json:"statements"`
	}
	if err := json.NewDecoder(q.Body).Decode(&body); err != nil || len(body.Statements) == 0 || len(body.Statements) > 100 {
		answer(w, http.StatusUnprocessableEntity, map[string]any{"message": "1 to 100 statements.", "errors": map[string]any{"statements": []string{"1 to 100"}}})
		return
	}
	faults := map[string]any{}
	for i, s := range body.Statements {
		puid, _ := s["puid"].(string)
		found := statementtest.Check(s)
		maps.Copy(found, r.refuse[puid])
		if len(found) > 0 {
			faults[fmt.Sprintf("statement_%d", i)] = found
		}
	}
	if len(faults) > 0 {
		answer(w, http.StatusUnprocessableEntity, map[string]any{"errors": faults})
		return
	}
	var existing []string
	for _, s := range body.Statements {
		if puid := s["puid"].(string); r.stored[puid] != nil {
			existing = append(existing, puid)
		}
	}
	if existing != nil {
		answer(w, http.StatusUnprocessableEntity, map[string]any{"message": "The puid exists.", "errors": map[string]any{
			"puid": []string{"The puid has already been taken."}, "existing_puids": existing}})
		return
	}
	for _, s := range body.Statements {
		r.keep(s)
	}
	answer(w, http.StatusCreated, map[string]any{"statements": body.Statements})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
