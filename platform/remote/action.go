package remote

import (
	"context"
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
)

// actor is the moderator who asked, or null once the account is deleted.
type actor struct {
	person
	Name string `json:"name"`
}

type actionQuestion struct {
	Type     string `json:"type"`
	ID       string `json:"id"`
	ReportID string `json:"reportId"`
	Actor    *actor `json:"actor"`
	At       string `json:"at"`
}

// act asks the platform to do an action. The platform may be asked again with the same
// message id, whatever it answered.
func (p *Platform) act(t *plugin.RemoteType, name string) func(context.Context, target.RemoteRequest) (target.RemoteResult, error) {
	return func(ctx context.Context, r target.RemoteRequest) (target.RemoteResult, error) {
		q := actionQuestion{Type: t.ID, ID: r.TargetID, ReportID: r.ReportID, At: r.At.UTC().Format(domain.TimeLayout)}
		if r.ActorID != "" {
			who, err := p.person(ctx, r.ActorID)
			if err != nil {
				return target.RemoteResult{}, err
			}
			q.Actor = &actor{who, r.ActorName}
		}
		var result target.RemoteResult
		err := p.ask(ctx, "actions/"+name, r.MessageID, q, func(a exchange) error {
			switch {
			case a.status == http.StatusOK:
				var issues []domain.Issue
				result.Changed, issues = ReadAction(a.body)
				return (&faults{issues}).err()
			case a.status == http.StatusConflict:
				result.Refused = "The action is not available for the content at the moment."
			case a.status >= 400:
				result.Refused = fmt.Sprintf("The platform refused the action: it answered %d.", a.status)
			default:
				return wrong("answered %d", a.status)
			}
			return nil
		})
		p.states.forget(stateKey{t.ID, r.TargetID})
		return result, err
	}
}

// ReadAction reads the answer to an action and returns every fault.
func ReadAction(raw []byte) (changed bool, issues []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	changed = o.boolean("changed", true)
	o.boolean("hidden", false)
	return changed, f.issues
}
