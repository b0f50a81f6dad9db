package http

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/statement"
)

func (a *Policies) adminRoutes() []route {
	return []route{
		{http.MethodPost, "/admin/policies", managePolicies, a.publish},
		{http.MethodPost, "/admin/policies/{key}/retire", managePolicies, a.retire},
	}
}

var managePolicies = admin(permission.AreaPolicies)

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
	return writeJSON(w, status, p)
}

func (a *Policies) retire(w http.ResponseWriter, r *http.Request) error {
	key := mux.Vars(r)["key"]
	if !policy.ValidKey(key) {
		return notFound()
	}
	p, err := a.Store.Retire(r.Context(), callerOf(r).UserID, key)
	return okJSON(w, p, err)
}

// statement reads a policy version's basis for the transparency database; nil if it is absent or null.
func (b *body) statement(name string) *statement.Basis {
	raw, faults := b.optional(name), len(b.issues)
	if raw == nil {
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
