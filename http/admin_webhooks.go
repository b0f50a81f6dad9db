package http

import (
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/subscribers/webhook"
)

// Webhooks has the admin routes of webhook subscriptions and their deliveries.
type Webhooks struct {
	Store   *webhook.Store
	Targets *registry.Targets // events of their plugins can be subscribed to
	Scopes  *registry.Scopes
}

var manageWebhooks = admin(permission.AreaWebhooks)

func (a *Webhooks) routes() []route {
	const one = "/admin/webhooks/{id}"
	return []route{
		{http.MethodGet, "/admin/webhooks", manageWebhooks, paged(webhook.List, a.list)},
		{http.MethodPost, "/admin/webhooks", manageWebhooks, a.create},
		{http.MethodGet, one, manageWebhooks, byID(a.get)},
		{http.MethodPatch, one, manageWebhooks, byID(a.change)},
		{http.MethodDelete, one, manageWebhooks, byID(a.remove)},
		{http.MethodPost, one + "/ping", manageWebhooks, byID(a.ping)},
		{http.MethodGet, one + "/deliveries", manageWebhooks, byID(a.deliveries)},
		{http.MethodPost, one + "/deliveries/{deliveryId}/redeliver", manageWebhooks, byID(a.redeliver)},
	}
}

func (a *Webhooks) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Store.List(r.Context(), request)
	return okJSON(w, page, err)
}

func (a *Webhooks) create(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	made := webhook.New{PluginID: domain.OrEmpty(b.optionalText("pluginId")), URL: b.text("url"), Events: b.texts("events"), Scope: b.optionalScope("scope")}
	b.add(a.Store.Check(made))
	b.add(a.unknown(made))
	if err := b.Err(); err != nil {
		return err
	}
	created, err := a.Store.Create(r.Context(), made)
	return answerJSON(w, http.StatusCreated, created, err)
}

// unknown reports plugins and families that are not registered, since no event would match them.
func (a *Webhooks) unknown(n webhook.New) (issues domain.Issues) {
	of := func(d *target.Definition) bool { return d.PluginID == n.PluginID }
	if n.PluginID != "" && n.PluginID != permission.CorePlugin && !slices.ContainsFunc(a.Targets.All(), of) {
		issues.Add("pluginId", "unknown_plugin", "No plugin with this id registers report targets.")
	}
	if n.Scope != nil && a.Scopes.Find(n.Scope.Family) == nil {
		issues.Add("scope.family", "unknown_family", "There is no such scope family.")
	}
	return issues
}

func (a *Webhooks) get(w http.ResponseWriter, r *http.Request, id string) error {
	found, err := a.Store.Get(r.Context(), id)
	return okJSON(w, found, err)
}

func (a *Webhooks) change(w http.ResponseWriter, r *http.Request, id string) error {
	b := readBody(w, r)
	enabled := b.boolean("enabled")
	if err := b.Err(); err != nil {
		return err
	}
	changed, err := a.Store.Enable(r.Context(), id, enabled)
	return okJSON(w, changed, err)
}

func (a *Webhooks) remove(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Store.Delete(r.Context(), id))
}

func (a *Webhooks) ping(w http.ResponseWriter, r *http.Request, id string) error {
	return accepted(w, a.Store.SendPing(r.Context(), id))
}

func (a *Webhooks) deliveries(w http.ResponseWriter, r *http.Request, id string) error {
	request, err := webhook.DeliveryList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Store.Deliveries(r.Context(), id, request)
	return okJSON(w, page, err)
}

func (a *Webhooks) redeliver(w http.ResponseWriter, r *http.Request, id string) error {
	delivery, err := pathID(r, "deliveryId")
	if err != nil {
		return err
	}
	return accepted(w, a.Store.Redeliver(r.Context(), id, delivery))
}
