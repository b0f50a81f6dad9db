package http

import (
	"context"
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain/permission"
)

// Integrations is the admin screen of what Docket is connected to.
type Integrations struct {
	CronAdapter bool   // the in-process adapter is registered (spec 5.2.6)
	Broker      string // what kind of broker events go to beyond PostgreSQL, such as `nats`; "" for none
	Identity    string // the issuer of the host platform's JWTs; "" for none
	// Webhooks counts the endpoints that are active; nil means none.
	Webhooks func(context.Context) (int, error)
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
	return writeJSON(w, http.StatusOK, []integration{
		a.cron(),
		configured("broker", a.Broker != "", "Events go to "+a.Broker, "No broker configured; events stay in PostgreSQL"),
		configured("webhooks", webhooks > 0, fmt.Sprintf("Active endpoints: %d", webhooks), "No webhook endpoint configured"),
		configured("identity", a.Identity != "", "Tokens of "+a.Identity+" are accepted", "No host platform configured"),
	})
}

// cron is active only with an adapter: of an external scheduler, and of its
// secret, the card knows nothing (spec 5.2.6).
func (a Integrations) cron() integration {
	return configured("cron", a.CronAdapter, "In-process adapter", "No cron adapter configured")
}

func configured(name string, active bool, detail, missing string) integration {
	if !active {
		detail = missing
	}
	return integration{name, active, detail}
}
