package http

import (
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	statements "github.com/docketmod/docket/platform/statement"
)

// Statements has the routes of statements of reasons for the EU's transparency database.
type Statements struct {
	Store      *statements.Store
	Moderation *moderation.Service
	// Database is the address that statements are sent to; "" if they are not sent.
	Database string
	Delay    time.Duration
}

func (a *Statements) routes() []route {
	return []route{
		{http.MethodGet, "/admin/statements", admin(permission.AreaAudit), a.list},
		{http.MethodGet, "/admin/statements/settings", admin(permission.AreaAudit), a.settings},
		{http.MethodPost, "/admin/statements/{id}/retry", managePolicies, byID(a.retry)},
		a.previewRoute(),
	}
}

func (a *Statements) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	status := oneOf(q, "status", statements.Statuses)
	request, err := q.page(statements.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), status, callerOf(r).Blind, request)
	return okJSON(w, page, err)
}

func (a *Statements) settings(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, struct {
		URL   *string `json:"url"`
		Delay int     `json:"delaySeconds"`
	}{domain.OrNull(a.Database), int(a.Delay.Seconds())})
}

func (a *Statements) retry(w http.ResponseWriter, r *http.Request, id string) error {
	k, err := a.Store.Retry(r.Context(), id, callerOf(r).Blind)
	return okJSON(w, k, err)
}
