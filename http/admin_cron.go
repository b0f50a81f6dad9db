package http

import (
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/cron"
)

func (a *Cron) adminRoutes() []route {
	view, run := admin(permission.AreaCronView), admin(permission.AreaCronRun)
	return []route{
		{http.MethodGet, "/admin/advanced/cron", view, paged(cron.Paging, a.list)},
		{http.MethodGet, "/admin/advanced/cron/health", view, a.health},
		{http.MethodPost, "/admin/advanced/cron/{id}", run.withOwnTimeout(), byID(a.runNow)},
	}
}

type cronJob struct {
	ID          string       `json:"id"`
	PluginID    string       `json:"pluginId"`
	Module      string       `json:"module"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Schedule    string       `json:"schedule"`
	LastRun     *domain.Time `json:"lastRun"`
	NextRun     *domain.Time `json:"nextRun"`
	CreatedAt   domain.Time  `json:"createdAt"`
}

func viewCronJob(s cron.Summary) cronJob {
	return cronJob{
		ID: s.ID, PluginID: s.PluginID, Module: s.Module, Name: s.Name, Description: s.Description, Schedule: s.Schedule,
		LastRun: domain.TimeOf(s.LastRun), NextRun: domain.TimeOf(s.NextRun), CreatedAt: domain.Time(s.CreatedAt),
	}
}

func (a *Cron) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Jobs.List(r.Context(), request)
	return okJSON(w, paging.Map(page, viewCronJob), err)
}

func (a *Cron) health(w http.ResponseWriter, r *http.Request) error {
	h, err := a.Jobs.Health(r.Context())
	return okJSON(w, struct {
		Active        bool         `json:"active"`
		Jobs          int          `json:"jobs"`
		LastRun       *domain.Time `json:"lastRun"`
		OverdueJobs   int          `json:"overdueJobs"`
		Stale         bool         `json:"stale"`
		DefaultSecret bool         `json:"defaultSecret"`
	}{h.Active, h.Jobs, domain.TimeOf(h.LastRun), h.OverdueJobs, h.Stale, a.DefaultSecret}, err)
}

func (a *Cron) runNow(w http.ResponseWriter, r *http.Request, id string) error {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(a.Jobs.Longest()))
	if err := a.Jobs.RunNow(r.Context(), id); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Executed bool `json:"executed"`
	}{true})
}
