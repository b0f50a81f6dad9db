package http

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/subscribers/live"
)

// The times of a live feed.
const (
	liveHeartbeat = 15 * time.Second
	// liveRecheck is how soon a session that ended elsewhere ends its feed; a change
	// of staff is seen within seconds.
	liveRecheck = 30 * time.Second
	// liveSpread spreads what all feeds do at once over some time.
	liveSpread = 2 * time.Second
	// liveWrite is how long a client may take to accept what there is.
	liveWrite = 10 * time.Second
)

// Live is the live feed of the board and who looks at what (contract sections 8 and 12).
type Live struct {
	Hub           *live.Hub
	Authenticator Authenticator
	// Authorize answers for a report that the caller may view, as the detail route does.
	Authorize func(ctx context.Context, c *permission.Caller, reportID, need string) (*moderation.Authorized, error)
}

func (a *Live) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/live", moderator.withoutHurry(), a.stream},
		{http.MethodPost, "/moderation/reports/{id}/presence", moderator, a.look},
	}
}

func (a *Live) look(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	c := callerOf(r)
	if _, err := a.Authorize(r.Context(), c, id, ""); err != nil {
		return err
	}
	if err := a.Hub.Look(r.Context(), id, c.UserID, c.Name); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *Live) stream(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if r.Method == http.MethodHead {
		return nil
	}
	connection, first, err := a.Hub.Subscribe(r.Context(), coverage(r), r.Header.Get("Last-Event-ID"))
	if err != nil {
		return err
	}
	defer connection.Close()
	w.Header().Set("X-Accel-Buffering", "no")
	s, err := openLiveStream(w)
	if err != nil {
		return err
	}
	defer s.close()
	s.send(first...)
	a.follow(r, connection, s)
	return nil
}

// follow sends until the client goes, the hub stops, or the caller may no longer see
// anything; the client then finds out why when it comes back.
func (a *Live) follow(r *http.Request, connection *live.Connection, s *liveStream) {
	heartbeat := time.NewTicker(liveHeartbeat)
	defer heartbeat.Stop()
	recheck := time.NewTimer(liveRecheck + rand.N(liveSpread))
	defer recheck.Stop()
	changed := a.Hub.StaffChanged()
	for s.err == nil {
		select {
		case <-s.gone:
			return
		case <-connection.News():
			chunks, open := connection.Take()
			s.send(chunks...)
			if !open {
				return
			}
		case <-heartbeat.C:
			s.send(connection.Heartbeat())
		case <-changed:
			changed = a.Hub.StaffChanged()
			recheck.Reset(rand.N(liveSpread))
		case <-recheck.C:
			if !a.recheck(r, connection) {
				return
			}
			recheck.Reset(liveRecheck + rand.N(liveSpread))
		}
	}
}

// recheck asks anew who sent the request and what the account may see now. A
// database that does not answer is no reason to end the feed: there is nothing to
// send without it either.
func (a *Live) recheck(r *http.Request, connection *live.Connection) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	caller, err := a.Authenticator.Authenticate(ctx, credentialsOf(r))
	if err != nil {
		return domain.ErrorCode(err) == ""
	}
	if moderator.admit(caller, http.MethodGet) != nil {
		return false
	}
	return connection.Cover(caller.Moderator.Coverage(permission.ViewReports)) == nil
}
