package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/subscribers/notice"
)

// Notices is what reporters are told about their reports.
type Notices struct {
	Store *notice.Store
}

func (a *Notices) routes() []route {
	return []route{
		{http.MethodGet, "/users/notices", signedIn, a.list},
		{http.MethodPost, "/users/notices/{id}/read", reporter, a.read},
	}
}

type noticeView struct {
	ID          string           `json:"id"`
	ReportID    string           `json:"reportId"`
	Target      notice.Target    `json:"target"`
	Resolution  string           `json:"resolution"`
	Explanation *string          `json:"explanation"`
	CreatedAt   moderation.Time  `json:"createdAt"`
	ReadAt      *moderation.Time `json:"readAt"`
}

func (a *Notices) list(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	issues := repeated(q, "unread")
	unread := q.Get("unread")
	if q.Has("unread") && unread != "true" && unread != "false" {
		issues = append(issues, domain.Issue{Path: "unread", Code: "invalid", Message: "Must be true or false."})
	}
	request, err := notice.List.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), callerOf(r).UserID, unread == "true", request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, paging.Map(page, func(n notice.Notice) noticeView {
		return noticeView{n.ID, n.ReportID, n.Target, n.Resolution, n.Explanation, moderation.Time(n.CreatedAt), moderation.TimeOf(n.ReadAt)}
	}))
}

func (a *Notices) read(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	if err := a.Store.MarkRead(r.Context(), callerOf(r).UserID, id); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
