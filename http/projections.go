package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/projections"
)

// Projections is the area of how far the counted projections are.
type Projections struct {
	Status func(ctx context.Context) ([]projections.BuildStatus, error)
}

func (a *Projections) routes() []route {
	return []route{{http.MethodGet, "/admin/advanced/projections", admin("audit", "can_view"), a.list}}
}

func (a *Projections) list(w http.ResponseWriter, r *http.Request) error {
	status, err := a.Status(r.Context())
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		Items []projections.BuildStatus `json:"items"`
	}{status})
	return nil
}
