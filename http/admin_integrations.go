package http

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/remote"
)

// Integrations has the route that lists what Docket is connected to.
type Integrations struct {
	CronAdapter bool   // the in-process adapter is registered
	Broker      string // the kind of broker beyond PostgreSQL, such as `nats`; "" means none
	Identity    string // the issuer of the host platform's JWTs; "" means none
	// Webhooks counts the active endpoints; nil means that there are none.
	Webhooks func(context.Context) (int, error)
	// Platforms returns how platforms and providers of signals have responded to this server.
	Platforms func() []remote.Health
}

func (a Integrations) routes() []route {
	return []route{{http.MethodGet, "/admin/integrations", admin(permission.AreaIntegrations), a.list}}
}

type integration struct {
	Name   string `json:"name"`
	Active bool   `json:"active"`
	Detail string `json:"detail"`
}

func (a Integrations) list(w http.ResponseWriter, r *http.Request) error {
	webhooks := 0
	if a.Webhooks != nil {
		var err error
		if webhooks, err = a.Webhooks(r.Context()); err != nil {
			return err
		}
	}
	all := []integration{
		a.cron(),
		configured("broker", a.Broker != "", "Events go to "+a.Broker, "No broker configured; events stay in PostgreSQL"),
		configured("webhooks", webhooks > 0, fmt.Sprintf("Active endpoints: %d", webhooks), "No webhook endpoint configured"),
		configured("identity", a.Identity != "", "Tokens of "+a.Identity+" are accepted", "No host platform configured"),
	}
	if a.Platforms != nil {
		for _, h := range a.Platforms() {
			all = append(all, platformCard(h))
		}
	}
	return writeJSON(w, http.StatusOK, all)
}

// platformCard is active unless the last call of the platform failed.
func platformCard(h remote.Health) integration {
	detail := "Not asked since the start of this server"
	if !h.LastGood.IsZero() {
		detail = "Last answer: " + h.LastGood.UTC().Format(time.RFC3339)
	}
	if !h.LastFailed.IsZero() {
		detail += fmt.Sprintf(". Last failure: %s at %s: %s", h.LastFailed.UTC().Format(time.RFC3339), h.Path, h.Fault)
	}
	if h.Open {
		detail += ". Paused after failures"
	}
	return integration{"platform " + h.PluginID, !h.LastFailed.After(h.LastGood), detail}
}

// cron is active only with an adapter. It does not know whether an external scheduler calls.
func (a Integrations) cron() integration {
	return configured("cron", a.CronAdapter, "In-process adapter", "No cron adapter configured")
}

func configured(name string, active bool, detail, missing string) integration {
	if !active {
		detail = missing
	}
	return integration{name, active, detail}
}
