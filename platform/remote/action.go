package remote

import (
	"context"
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
)

// actor is the moderator who requested the action, or null if the account is deleted.
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

// act returns a function that requests an action from the platform. It may be called again with the same message id,
// whatever the response was.
func (p *Platform) act(t *plugin.RemoteType, name string) func(context.Context, target.RemoteRequest) (target.RemoteResult, error) {
	return func(ctx context.Context, r target.RemoteRequest) (target.RemoteResult, error) {
		q := actionQuestion{Type: t.ID, ID: r.TargetID, ReportID: r.ReportID, At: written(r.At)}
		if r.ActorID != "" {
			who, err := p.person(ctx, r.ActorID)
			if err != nil {
				return target.RemoteResult{}, err
			}
			q.Actor = &actor{who, r.ActorName}
		}
		result, err := p.request(ctx, "action", "actions/"+name, r.MessageID, q)
		p.states.forget(stateKey{t.ID, r.TargetID})
		return result, err
	}
}

// request requests something from the platform and reads whether it changed anything.
func (p *Platform) request(ctx context.Context, what, path, messageID string, q any) (result target.RemoteResult, err error) {
	err = p.ask(ctx, path, messageID, q, func(a exchange) (err error) {
		switch {
		case a.status == http.StatusOK:
			result.Changed, err = good(ReadAction(a.body))
			return err
		case a.status == http.StatusConflict:
			result.Refused = fmt.Sprintf("The %s is not available for the content at the moment.", what)
		case a.status >= 400:
			result.Refused = fmt.Sprintf("The platform refused the %s: it answered %d.", what, a.status)
		default:
			return wrong("answered %d", a.status)
		}
		return nil
	})
	return result, err
}

// ReadAction parses the response to an action and returns every fault.
func ReadAction(raw []byte) (changed bool, issues []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	changed = o.boolean("changed", true)
	o.boolean("hidden", false)
	return changed, f.issues
}
