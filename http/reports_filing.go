package http

import (
	"context"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/account"
)

func (a *Reports) fileRoute() route {
	return route{http.MethodPost, "/moderation/reports", filing, a.file}
}

// file reads the body first: the caller of a session is found in the same round trip as the
// content. What a token's request may contain depends on the token.
func (a *Reports) file(w http.ResponseWriter, r *http.Request) error {
	admit, _ := r.Context().Value(admissionKey).(admission)
	if credentialsOf(r).Bearer != "" {
		caller, err := admit(nil)
		switch {
		case err != nil:
			return err
		case caller.Use == permission.UseHost:
			return a.fileForMember(w, r, caller)
		}
		admit = func(f *account.Filing) (*permission.Caller, error) {
			return caller, a.Filers.CountAttempt(r.Context(), caller.UserID, f)
		}
	}
	b := readBody(w, r)
	return a.fileAs(w, r, b, filingOf(b), func(_ context.Context, capture *target.Query, _ error) (*permission.Caller, report.Attempts, error) {
		f := account.Filing{Capture: capture}
		caller, err := admit(&f)
		return caller, f.Attempts, err
	})
}

// fileForMember files a report with a token of use host: for a member that the platform names, and
// with a capture if the platform sends one.
func (a *Reports) fileForMember(w http.ResponseWriter, r *http.Request, host *permission.Caller) error {
	if err := a.hosts.count(host.TokenID, time.Now()); err != nil {
		return err
	}
	b := readBody(w, r)
	request := filingOf(b)
	request.Source = report.FromHost
	if capture := b.optional("capture"); capture != nil {
		request.Capture = capture
	}
	var subject, name string
	if reporter := b.required("reporter"); reporter != nil {
		b.object("reporter", reporter, func(o *body) {
			subject, name = o.text("subject"), o.text("name")
			o.add(account.CheckSubject(subject))
		})
	}
	if request.PluginID != "" && request.PluginID != host.PluginID {
		return forbidden("This token is for the plugin " + host.PluginID + ".")
	}
	return a.fileAs(w, r, b, request, func(ctx context.Context, capture *target.Query, invalid error) (*permission.Caller, report.Attempts, error) {
		f := account.Filing{Capture: capture}
		if invalid != nil {
			return nil, f.Attempts, invalid
		}
		member, err := a.Filers.Member(ctx, host.PluginID, subject, name)
		if err == nil && member == nil {
			err = forbidden("The account of this member was deleted.")
		}
		if err == nil {
			err = a.Filers.CountAttempt(ctx, member.UserID, &f)
		}
		return member, f.Attempts, err
	})
}

// filingOf reads the fields of a filing.
func filingOf(b *body) moderation.FileRequest {
	return moderation.FileRequest{
		PluginID: b.text("pluginId"), TargetType: b.text("targetType"), TargetID: b.text("targetId"),
		Locale: b.optionalText("locale"), RequestedLocale: b.optionalText("requestedLocale"),
		Reason: b.text("reason"), Description: b.optionalText("description"), Policy: b.optionalText("policy"),
	}
}

// fileAs files the report; the response has only its id.
func (a *Reports) fileAs(w http.ResponseWriter, r *http.Request, b *body, request moderation.FileRequest, filer moderation.Filer) error {
	filed, err := a.Moderation.File(r.Context(), filer, request, func(faults []domain.Issue) error {
		b.add(faults)
		return b.Err()
	})
	return answerJSON(w, http.StatusCreated, struct {
		ID      string        `json:"id"`
		Status  report.Status `json:"status"`
		Version int           `json:"version"`
	}{filed.ID, filed.Status, filed.Version}, err)
}
