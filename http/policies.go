package http

import (
	"net/http"
	"slices"

	policies "github.com/docketmod/docket/platform/policy"
)

// Policies has the routes of policies, which everybody may read and admins publish and retire, and of the ladder.
type Policies struct {
	Store *policies.Store
}

func (a *Policies) routes() []route {
	own := []route{{http.MethodGet, "/moderation/policies", open, a.list}}
	return slices.Concat(own, a.adminRoutes(), a.ladderRoutes())
}

func (a *Policies) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	f := policies.Filter{Key: q.policyKey("key"), Versions: policies.Versions(q.text("versions"))}
	if v := f.Versions; v != policies.InForce && v != policies.Latest && v != policies.All {
		q.fault("versions", "invalid", "Must be all, latest, or absent for the versions in force.")
	}
	request, err := q.page(policies.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), f, request)
	return okJSON(w, page, err)
}
