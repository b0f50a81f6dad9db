package http

import (
	"context"
	"net/http"
	"strconv"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

// Replay is the area of contract section 8's replay.
type Replay struct {
	Moderation *moderation.Service
	// Events reads a report's events, oldest first.
	Events func(ctx context.Context, reportID string) ([]report.Event, error)
	// Names gives the names of the accounts that are still there.
	Names func(ctx context.Context, ids []string) (map[string]string, error)
}

func (a *Replay) routes() []route {
	return []route{{http.MethodGet, "/moderation/reports/{id}/replay", auditor, a.replay}}
}

func (a *Replay) replay(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	caller := callerOf(r)
	audits := moderation.Audits(caller)
	if !audits {
		if _, err := a.Moderation.Authorize(r.Context(), caller, id, ""); err != nil {
			return err
		}
	}
	moment, err := momentOf(r)
	if err != nil {
		return err
	}
	events, err := a.Events(r.Context(), id)
	if err != nil {
		return err
	}
	names, err := a.Names(r.Context(), moderation.AccountsIn(events))
	if err != nil {
		return err
	}
	replayed, err := moderation.Replay(events, moment, names, audits)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, replayed)
}

// momentOf reads `sequence` or `at`; both at once are a fault.
func momentOf(r *http.Request) (moderation.Moment, error) {
	var m moderation.Moment
	q := r.URL.Query()
	issues := repeated(q, "sequence", "at")
	if q.Has("sequence") {
		n, err := strconv.Atoi(q.Get("sequence"))
		if err != nil || n < 1 {
			issues = append(issues, domain.Issue{Path: "sequence", Code: "invalid", Message: "Must be a whole number of at least 1."})
		}
		m.Sequence = n
	}
	if q.Has("at") {
		at, ok := parseTime(q.Get("at"))
		if !ok {
			issues = append(issues, domain.Issue{Path: "at", Code: "invalid", Message: "Must be a time as RFC 3339 writes it."})
		}
		m.At = &at
		if q.Has("sequence") {
			issues = append(issues, domain.Issue{Path: "at", Code: "exclusive", Message: "Give sequence or at, not both."})
		}
	}
	return m, domain.Invalid(issues...)
}
