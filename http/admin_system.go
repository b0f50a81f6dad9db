package http

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/upkeep"
)

// System has the admin routes of the system check and of test mails.
type System struct {
	Version string
	Examine func(context.Context) []doctor.Finding
	Last    func(context.Context) (map[upkeep.Name]upkeep.Done, error)
	Now     func() time.Time
	// SendTestMail mails an address in a language, and returns why it could not; nil means that no mail is configured.
	SendTestMail func(ctx context.Context, to, language string) error

	examining  sync.Mutex // held during a check, which may take seconds
	findings   []doctor.Finding
	examinedAt time.Time

	mailing  sync.Mutex
	mailedAt time.Time
}

// examinedFor is how long a system check is cached, so that requests cannot make Docket call mail
// servers and identity providers too often.
const examinedFor = 10 * time.Second

func (a *System) routes() []route {
	return []route{
		{http.MethodGet, "/admin/system", admin(permission.AreaIntegrations), a.get},
		a.testMailRoute(),
	}
}

type systemView struct {
	Version    string                      `json:"version"`
	ExaminedAt domain.Time                 `json:"examinedAt"`
	Checks     []checkView                 `json:"checks"`
	Upkeep     map[upkeep.Name]*upkeepView `json:"upkeep"`
}

type checkView struct {
	Name   string       `json:"name"`
	Level  doctor.Level `json:"level"`
	Code   *string      `json:"code"`
	Detail string       `json:"detail"`
	Advice *string      `json:"advice"`
}

// upkeepView has the time when something was last done; nil means never.
type upkeepView struct {
	At     domain.Time     `json:"at"`
	Detail json.RawMessage `json:"detail"` // as platform/upkeep names its fields
}

func (a *System) get(w http.ResponseWriter, r *http.Request) error {
	last, err := a.Last(r.Context())
	if err != nil {
		return err
	}
	view := systemView{Version: a.Version, Upkeep: map[upkeep.Name]*upkeepView{}}
	for _, name := range upkeep.Names {
		view.Upkeep[name] = nil
		if done, ever := last[name]; ever {
			view.Upkeep[name] = &upkeepView{At: domain.Time(done.At), Detail: done.Detail}
		}
	}
	findings, at := a.examined(r.Context())
	view.ExaminedAt = domain.Time(at)
	view.Checks = make([]checkView, 0, len(findings))
	for _, f := range findings {
		view.Checks = append(view.Checks, checkView{Name: f.Check, Level: f.Level, Code: domain.OrNull(string(f.Code)), Detail: f.Detail, Advice: domain.OrNull(f.Advice)})
	}
	return writeJSON(w, http.StatusOK, view)
}

// examined checks the system, or returns findings that are younger than examinedFor. Callers that
// arrive during a check wait for it.
func (a *System) examined(ctx context.Context) ([]doctor.Finding, time.Time) {
	a.examining.Lock()
	defer a.examining.Unlock()
	if now := a.Now(); a.findings == nil || now.Sub(a.examinedAt) > examinedFor {
		// Other callers wait for it, so it must not end with the first caller's request.
		a.findings, a.examinedAt = a.Examine(context.WithoutCancel(ctx)), now
	}
	return a.findings, a.examinedAt
}
