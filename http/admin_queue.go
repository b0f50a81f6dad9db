package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// Queue has the admin routes of the task queue.
type Queue struct {
	Tasks *queue.Queue
}

func (a *Queue) routes() []route {
	return []route{
		{http.MethodGet, "/admin/advanced/queue", admin(permission.AreaQueueView), a.list},
		{http.MethodPost, "/admin/advanced/queue/{id}/retry", admin(permission.AreaQueueRetry), byID(a.retry)},
		{http.MethodPost, "/admin/advanced/queue/{id}/fail", admin(permission.AreaQueueRetry), byID(a.fail)},
	}
}

func (a *Queue) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	only := severalOf(q, "status", queue.Filters)
	request, err := q.page(queue.Paging)
	if err != nil {
		return err
	}
	page, err := a.Tasks.List(r.Context(), request, only...)
	return okJSON(w, page, err)
}

func (a *Queue) retry(w http.ResponseWriter, r *http.Request, id string) error {
	task, err := a.Tasks.Retry(r.Context(), id)
	return okJSON(w, task, err)
}

func (a *Queue) fail(w http.ResponseWriter, r *http.Request, id string) error {
	task, err := a.Tasks.Fail(r.Context(), id)
	return okJSON(w, task, err)
}
