package http

import (
	"net/http"
	"time"

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

func (a *Cron) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Jobs.List(r.Context(), request)
	return okJSON(w, page, err)
}

func (a *Cron) health(w http.ResponseWriter, r *http.Request) error {
	h, err := a.Jobs.Health(r.Context())
	return okJSON(w, struct {
		cron.Health
		DefaultSecret bool `json:"defaultSecret"`
	}{h, a.DefaultSecret}, err)
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
