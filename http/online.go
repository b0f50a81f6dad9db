package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/platform/account"
)

// Online is the area of the moderators who are there.
type Online struct {
	Moderators func(ctx context.Context, r paging.Request) (paging.Page[moderation.Person], error)
}

func (a *Online) routes() []route {
	return []route{{http.MethodGet, "/moderation/online", moderator, paged(account.OnlineList, a.list)}}
}

func (a *Online) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Moderators(r.Context(), request)
	return okJSON(w, page, err)
}
