package http

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/statement"
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
		{http.MethodGet, "/admin/ladder", managePolicies, a.ladder},
		{http.MethodPut, "/admin/ladder", managePolicies, a.setLadder},
	}
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
	PublishedAt moderation.Time  `json:"publishedAt"`
	RetiredAt   *moderation.Time `json:"retiredAt"`
}

func viewPolicy(p policy.Policy) policyView {
	return policyView{p.Key, p.Version, p.Title, p.Text, p.Template, p.Strikes, p.StrikeDays, p.Reportable, p.SecondKey, p.Statement, moderation.Time(p.PublishedAt), moderation.TimeOf(p.RetiredAt)}
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
	b.add(draft.SetStrikes(b.optionalInteger("strikes"), b.optionalInteger("strikeDays")))
	draft.Reportable = b.optionalBoolean("reportable")
	draft.SecondKey = b.optionalBoolean("secondKey")
	draft.Statement = b.statement("statement")
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

type ladderView struct {
	Steps measure.Ladder `json:"steps"`
}

func (a *Policies) ladder(w http.ResponseWriter, r *http.Request) error {
	l, err := a.Store.Ladder(r.Context())
	if l == nil {
		l = measure.Ladder{}
	}
	return okJSON(w, ladderView{l}, err)
}

func (a *Policies) setLadder(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	l := measure.Ladder{}
	if v := b.required("steps"); v != nil {
		for i, item := range b.array("steps", v) {
			if i > measure.MaxSteps { // Check says so
				l = append(l, measure.Step{})
				break
			}
			b.object(fmt.Sprintf("steps[%d]", i), item, func(o *body) {
				l = append(l, measure.Step{Strikes: o.integer("strikes"), Kind: measure.Kind(o.text("kind")), Days: o.optionalInteger("days")})
			})
		}
	}
	b.add(l.Check())
	if err := b.Err(); err != nil {
		return err
	}
	if err := a.Store.SetLadder(r.Context(), callerOf(r).UserID, l); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, ladderView{l})
}

// statement reads what a version says to the transparency database; absent and null are nothing.
func (b *body) statement(name string) *statement.Basis {
	raw, faults := b.raw(name), len(b.issues)
	if raw == nil || string(raw) == "null" {
		return nil
	}
	var basis statement.Basis
	b.object(name, raw, func(o *body) {
		text := func(field string) string { return domain.OrEmpty(o.optionalText(field)) }
		basis = statement.Basis{Ground: statement.Ground(text("ground")), Law: text("law"), Category: text("category"), Keywords: o.texts("keywords")}
	})
	if len(b.issues) == faults {
		b.add(basis.Check())
	}
	return &basis
}
