package http

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
)

// Audit is the area of the sealed log.
type Audit struct {
	// Log reads one page of the sealed log after a position.
	Log func(ctx context.Context, after int64, r paging.Request) (paging.Page[eventstore.Logged], error)
}

func (a *Audit) routes() []route {
	return []route{{http.MethodGet, "/moderation/events", admin(permission.AreaAudit), a.events}}
}

func (a *Audit) events(w http.ResponseWriter, r *http.Request) error {
	after, issues := position(r.URL.Query())
	request, err := eventstore.LogList.Parse(r.URL.Query(), issues...)
	if err != nil {
		return err
	}
	page, err := a.Log(r.Context(), after, request)
	return okJSON(w, page, err)
}

// position reads `after`. Positions begin at 1.
func position(q url.Values) (int64, []domain.Issue) {
	if !q.Has("after") {
		return 0, nil
	}
	if issues := repeated(q, "after"); issues != nil {
		return 0, issues
	}
	n, err := strconv.ParseUint(q.Get("after"), 10, 63)
	if err != nil {
		return 0, []domain.Issue{{Path: "after", Code: "invalid", Message: "Must be a position: a whole number of at least 0."}}
	}
	return int64(n), nil
}
