package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// Queue is the admin area of the task queue.
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

// queueTask shows a task without its payload, which may hold what only its handler may
// read.
type queueTask struct {
	ID          string           `json:"id"`
	PluginID    string           `json:"pluginId"`
	Name        string           `json:"name"`
	Queue       string           `json:"queue"`
	Status      queue.Status     `json:"status"`
	Priority    int16            `json:"priority"`
	Attempts    int32            `json:"attempts"`
	MaxAttempts int32            `json:"maxAttempts"`
	AvailableAt moderation.Time  `json:"availableAt"`
	LockedUntil *moderation.Time `json:"lockedUntil"`
	LastError   *string          `json:"lastError"`
	CreatedAt   moderation.Time  `json:"createdAt"`
	CompletedAt *moderation.Time `json:"completedAt"`
}

func viewTask(s queue.Summary) queueTask {
	return queueTask{
		ID: s.ID, PluginID: s.PluginID, Name: s.Name, Queue: s.Queue, Status: s.Status, Priority: s.Priority,
		Attempts: s.Attempts, MaxAttempts: s.MaxAttempts, LastError: s.LastError,
		AvailableAt: moderation.Time(s.AvailableAt), LockedUntil: moderation.TimeOf(s.LockedUntil),
		CreatedAt: moderation.Time(s.CreatedAt), CompletedAt: moderation.TimeOf(s.CompletedAt),
	}
}

func (a *Queue) list(w http.ResponseWriter, r *http.Request) error {
	only, issues := statusFilter(r.URL.Query(), queue.Filters)
	request, err := queue.Paging.Parse(r.URL.Query(), issues...)
	if err != nil {
		return err
	}
	page, err := a.Tasks.List(r.Context(), request, only...)
	return okJSON(w, paging.Map(page, viewTask), err)
}

func (a *Queue) retry(w http.ResponseWriter, r *http.Request, id string) error {
	task, err := a.Tasks.Retry(r.Context(), id)
	return okJSON(w, viewTask(task), err)
}

func (a *Queue) fail(w http.ResponseWriter, r *http.Request, id string) error {
	task, err := a.Tasks.Fail(r.Context(), id)
	return okJSON(w, viewTask(task), err)
}
