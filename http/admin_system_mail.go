package http

import (
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/mail"
)

// mailedEvery is the minimum time between two test mails of a server.
const mailedEvery = 10 * time.Second

type testMailAnswer struct {
	Email string `json:"email"`
}

func (a *System) testMailRoute() route {
	return route{http.MethodPost, "/admin/system/mail", admin(permission.AreaIntegrations), a.testMail}
}

// testMail mails the caller. The error contains the mail server's response, since the caller configures it.
func (a *System) testMail(w http.ResponseWriter, r *http.Request) error {
	to := callerOf(r).Email
	switch {
	case a.SendTestMail == nil:
		return domain.Errorf(domain.CodeInvalidState, "No mail is sent: SMTP_URL is not set.")
	case to == "":
		return domain.Errorf(domain.CodeInvalidState, "Your account has no email address to send to.")
	}
	if wait := a.waitToMail(); wait > 0 {
		e := domain.Errorf(domain.CodeRateLimited, "A test mail was sent just now.")
		e.RetryAfter = wait
		return e
	}
	if err := a.SendTestMail(r.Context(), to, languageOf(r)); err != nil {
		e := domain.Errorf(domain.CodeActionFailed, "The mail was not sent: %s.", mail.Words(err))
		e.Cause = err
		return e
	}
	return writeJSON(w, http.StatusOK, testMailAnswer{to})
}

// waitToMail returns how long the caller has to wait. If it is 0, the caller may mail, and later callers wait.
func (a *System) waitToMail() time.Duration {
	a.mailing.Lock()
	defer a.mailing.Unlock()
	now := a.Now()
	if wait := a.mailedAt.Add(mailedEvery).Sub(now); wait > 0 {
		return wait
	}
	a.mailedAt = now
	return 0
}
