package http

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/statement"
	policies "github.com/docketmod/docket/platform/policy"
)

// Policies is the area of the community's rules: everybody may read them, and admins
// publish and retire them.
type Policies struct {
	Store *policies.Store
}

func (a *Policies) routes() []route {
	own := []route{{http.MethodGet, "/moderation/policies", open, a.list}}
	return slices.Concat(own, a.adminRoutes(), a.ladderRoutes())
}

type policyView struct {
	Key         string           `json:"key"`
	Version     int              `json:"version"`
	Title       string           `json:"title"`
	Text        json.RawMessage  `json:"text"`
	Template    json.RawMessage  `json:"template"`
	Strikes     int              `json:"strikes"`
	StrikeDays  int              `json:"strikeDays"`
	Reportable  bool             `json:"reportable"`
	SecondKey   bool             `json:"secondKey"`
	Statement   *statement.Basis `json:"statement"`
	PublishedAt domain.Time      `json:"publishedAt"`
	RetiredAt   *domain.Time     `json:"retiredAt"`
}

func viewPolicy(p policy.Policy) policyView {
	return policyView{p.Key, p.Version, p.Title, p.Text, p.Template, p.Strikes, p.StrikeDays, p.Reportable, p.SecondKey, p.Statement, domain.Time(p.PublishedAt), domain.TimeOf(p.RetiredAt)}
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
	return okJSON(w, paging.Map(page, viewPolicy), err)
}
