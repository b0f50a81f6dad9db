package http

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	policies "github.com/docketmod/docket/platform/policy"
)

// Policies is the area of the community's rules: everybody may read them, and admins
// publish and retire them.
type Policies struct {
	Store *policies.Store
}

var managePolicies = admin(permission.AreaPolicies)

func (a *Policies) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/policies", open, a.list},
		{http.MethodPost, "/admin/policies", managePolicies, a.publish},
		{http.MethodPost, "/admin/policies/{key}/retire", managePolicies, a.retire},
	}
}

type policyView struct {
	Key         string           `json:"key"`
	Version     int              `json:"version"`
	Title       string           `json:"title"`
	Text        json.RawMessage  `json:"text"`
	Template    json.RawMessage  `json:"template"`
	PublishedAt moderation.Time  `json:"publishedAt"`
	RetiredAt   *moderation.Time `json:"retiredAt"`
}

func viewPolicy(p policy.Policy) policyView {
	return policyView{p.Key, p.Version, p.Title, p.Text, p.Template, moderation.Time(p.PublishedAt), moderation.TimeOf(p.RetiredAt)}
}

func (a *Policies) list(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f := policies.Filter{Key: q.Get("key"), Versions: policies.Versions(q.Get("versions"))}
	issues := repeated(q, "key", "versions")
	if f.Key != "" && !policy.ValidKey(f.Key) {
		issues = append(issues, domain.Issue{Path: "key", Code: "invalid", Message: "Must be the key of a policy."})
	}
	if v := f.Versions; v != policies.InForce && v != policies.Latest && v != policies.All {
		issues = append(issues, domain.Issue{Path: "versions", Code: "invalid", Message: "Must be all, latest, or absent for the versions in force."})
	}
	request, err := policies.List.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), f, request)
	return okJSON(w, paging.Map(page, viewPolicy), err)
}

func (a *Policies) publish(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	draft, issues := policy.ParseDraft(b.text("key"), b.text("title"), b.required("text"), b.raw("template"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	p, published, err := a.Store.Publish(r.Context(), callerOf(r).UserID, draft)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if published {
		status = http.StatusCreated
	}
	return writeJSON(w, status, viewPolicy(p))
}

func (a *Policies) retire(w http.ResponseWriter, r *http.Request) error {
	key := mux.Vars(r)["key"]
	if !policy.ValidKey(key) {
		return notFound()
	}
	p, err := a.Store.Retire(r.Context(), callerOf(r).UserID, key)
	return okJSON(w, viewPolicy(p), err)
}
