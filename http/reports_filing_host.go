package http

import (
	"context"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// Members finds or makes the accounts of members that a plugin's platform names. A nil caller
// is an account that was deleted.
type Members interface {
	Member(ctx context.Context, pluginID, subject, name string) (*permission.Caller, error)
}

// fileForMember files a report with a token of use host: for a member whom the platform
// names, and with a capture if the platform sends one along.
func (a *Reports) fileForMember(w http.ResponseWriter, r *http.Request, host *permission.Caller) error {
	if err := a.hosts.count(host.TokenID, time.Now()); err != nil {
		return err
	}
	b := readBody(w, r)
	request := filingOf(b)
	if capture := b.raw("capture"); capture != nil && string(capture) != "null" {
		request.Capture = capture
	}
	var subject, name string
	if reporter := b.required("reporter"); reporter != nil {
		b.object("reporter", reporter, func(o *body) {
			subject, name = o.text("subject"), o.text("name")
			if o.Err() == nil {
				o.add(account.CheckSubject(subject))
			}
		})
	}
	if request.PluginID != "" && request.PluginID != host.PluginID {
		return forbidden("This token is for the plugin " + host.PluginID + ".")
	}
	filing, issues := a.Moderation.ValidateFiling(request)
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	member, err := a.Members.Member(r.Context(), host.PluginID, subject, name)
	if err != nil {
		return err
	}
	if member == nil {
		return forbidden("The account of this member was deleted.")
	}
	if err := a.Moderation.CountAttempt(r.Context(), member); err != nil {
		return err
	}
	return a.fileAs(w, r, member, filing)
}
