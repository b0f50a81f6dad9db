package http

import (
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/subscribers/webhook"
)

// Webhooks is the admin area of webhook subscriptions and their deliveries.
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
	return okJSON(w, paging.Map(page, viewWebhook), err)
}

func (a *Webhooks) create(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	made := webhook.New{URL: b.text("url"), Events: b.texts("events"), Scope: b.optionalScope("scope")}
	if id := b.optionalText("pluginId"); id != nil {
		made.PluginID = *id
	}
	b.add(a.Store.Check(made))
	b.add(a.unknown(made))
	if err := b.Err(); err != nil {
		return err
	}
	created, err := a.Store.Create(r.Context(), made)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, viewWebhook(created))
}

// unknown reports a plugin or family that is not registered, since no event would match it.
func (a *Webhooks) unknown(n webhook.New) (issues []domain.Issue) {
	of := func(d *target.Definition) bool { return d.PluginID == n.PluginID }
	if n.PluginID != "" && n.PluginID != permission.CorePlugin && !slices.ContainsFunc(a.Targets.All(), of) {
		issues = append(issues, domain.Issue{Path: "pluginId", Code: "unknown_plugin", Message: "No plugin with this id registers report targets."})
	}
	if n.Scope != nil && a.Scopes.Find(n.Scope.Family) == nil {
		issues = append(issues, domain.Issue{Path: "scope.family", Code: "unknown_family", Message: "There is no such scope family."})
	}
	return issues
}

func (a *Webhooks) get(w http.ResponseWriter, r *http.Request, id string) error {
	found, err := a.Store.Get(r.Context(), id)
	return okJSON(w, viewWebhook(found), err)
}

func (a *Webhooks) change(w http.ResponseWriter, r *http.Request, id string) error {
	b := readBody(w, r)
	enabled := b.boolean("enabled")
	if err := b.Err(); err != nil {
		return err
	}
	changed, err := a.Store.Enable(r.Context(), id, enabled)
	return okJSON(w, viewWebhook(changed), err)
}

func (a *Webhooks) remove(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Store.Delete(r.Context(), id))
}

func (a *Webhooks) ping(w http.ResponseWriter, r *http.Request, id string) error {
	if err := a.Store.SendPing(r.Context(), id); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

func (a *Webhooks) deliveries(w http.ResponseWriter, r *http.Request, id string) error {
	request, err := webhook.DeliveryList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Store.Deliveries(r.Context(), id, request)
	return okJSON(w, paging.Map(page, viewDelivery), err)
}

func (a *Webhooks) redeliver(w http.ResponseWriter, r *http.Request, id string) error {
	delivery, err := pathID(r, "deliveryId")
	if err != nil {
		return err
	}
	if err := a.Store.Redeliver(r.Context(), id, delivery); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

// webhookView shows a subscription. Only the answer to its creation holds the secret.
type webhookView struct {
	ID             string           `json:"id"`
	PluginID       string           `json:"pluginId"`
	Name           *string          `json:"name"`
	URL            string           `json:"url"`
	Events         []string         `json:"events"`
	Scope          *scope.Scope     `json:"scope"`
	Enabled        bool             `json:"enabled"`
	DisabledAt     *moderation.Time `json:"disabledAt"`
	DisabledReason *string          `json:"disabledReason"`
	FailingSince   *moderation.Time `json:"failingSince"`
	CreatedAt      moderation.Time  `json:"createdAt"`
	UpdatedAt      moderation.Time  `json:"updatedAt"`
	Secret         string           `json:"secret,omitempty"`
}

func viewWebhook(w webhook.Webhook) webhookView {
	return webhookView{
		ID: w.ID, PluginID: w.PluginID, Name: w.Name, URL: w.URL, Events: w.Events, Scope: w.Scope, Enabled: w.Enabled,
		DisabledAt: moderation.TimeOf(w.DisabledAt), DisabledReason: w.DisabledReason, FailingSince: moderation.TimeOf(w.FailingSince),
		CreatedAt: moderation.Time(w.CreatedAt), UpdatedAt: moderation.Time(w.UpdatedAt), Secret: w.Secret,
	}
}

type deliveryView struct {
	ID          string           `json:"id"`
	EventID     string           `json:"eventId"`
	Event       string           `json:"event"`
	Status      string           `json:"status"`
	Attempts    int              `json:"attempts"`
	StatusCode  *int             `json:"statusCode"`
	LastError   *string          `json:"lastError"`
	CreatedAt   moderation.Time  `json:"createdAt"`
	AttemptedAt *moderation.Time `json:"attemptedAt"`
	CompletedAt *moderation.Time `json:"completedAt"`
}

func viewDelivery(d webhook.Delivery) deliveryView {
	return deliveryView{
		ID: d.ID, EventID: d.EventID, Event: d.Event, Status: d.Status, Attempts: d.Attempts, StatusCode: d.StatusCode,
		LastError: d.LastError, CreatedAt: moderation.Time(d.CreatedAt),
		AttemptedAt: moderation.TimeOf(d.AttemptedAt), CompletedAt: moderation.TimeOf(d.CompletedAt),
	}
}
