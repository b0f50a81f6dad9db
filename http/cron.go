package http

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/platform/cron"
)

// Cron has the routes that trigger and administer scheduled jobs.
type Cron struct {
	Jobs          *cron.Cron
	Secret        string // CRON_SECRET
	DefaultSecret bool   // the secret is the publicly known one
}

// cronPath is the path of the trigger below Base.
const cronPath = "/cron"

func (a *Cron) routes() []route {
	return append(a.adminRoutes(), route{http.MethodPost, cronPath, exempt, a.trigger})
}

// trigger runs the jobs that are due. Its plain-text answers are part of the API. The
// CSRF check runs before it, as for every POST.
func (a *Cron) trigger(w http.ResponseWriter, r *http.Request) error {
	if !a.authorized(r) {
		return &plainText{http.StatusForbidden, "Invalid cron authorization"}
	}
	if err := checkQuery(r); err != nil {
		return err
	}
	// An error means that the connection has no deadlines to extend.
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Time{})
	_ = connection.SetWriteDeadline(time.Now().Add(a.Jobs.Longest()))

	executed, err := a.Jobs.Tick(r.Context())
	if err != nil {
		zerolog.Ctx(r.Context()).Error().Err(err).Msg("scheduled jobs not processed")
		return &plainText{http.StatusInternalServerError, "Error processing cron jobs"}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintf(w, "Cron jobs processed. Executed %d jobs.", executed)
	return nil
}

// authorized compares in constant time for secrets of any length. A secret without the prefix
// Bearer matches too.
func (a *Cron) authorized(r *http.Request) bool {
	given := sha256.Sum256([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
	want := sha256.Sum256([]byte(a.Secret))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}
