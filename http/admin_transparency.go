package http

import (
	"fmt"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/transparency"
	reports "github.com/docketmod/docket/projections/transparency"
)

// Transparency has the routes of transparency reports, which everybody may read once they are
// published.
type Transparency struct {
	Store *reports.Store
}

// maxTransparencyMonths bounds the period of a report.
const maxTransparencyMonths = 13

func (a *Transparency) routes() []route {
	audit := admin(permission.AreaAudit)
	return []route{
		{http.MethodGet, "/admin/transparency", audit, paged(reports.List, a.list)},
		{http.MethodPost, "/admin/transparency", audit, a.request},
		{http.MethodGet, "/admin/transparency/{id}", audit, byID(a.find)},
		{http.MethodPost, "/admin/transparency/{id}/publish", audit, byID(a.publish)},
		a.publicRoute(),
	}
}

type transparencyView struct {
	ID           string                       `json:"id"`
	Since        string                       `json:"since"`
	Until        string                       `json:"until"`
	State        reports.State                `json:"state"`
	Done         int64                        `json:"done"`
	Total        int64                        `json:"total"`
	Cells        []transparency.Cell          `json:"cells"`
	Masked       []transparency.PublishedCell `json:"masked"`
	Position     int64                        `json:"position"`
	RootHash     string                       `json:"rootHash"`
	QueryVersion int                          `json:"queryVersion"`
	PublishedAt  *domain.Time                 `json:"publishedAt"`
	Error        *string                      `json:"error"`
	RequestedAt  domain.Time                  `json:"requestedAt"`
}

func viewTransparency(k reports.Kept) transparencyView {
	public := k.Public()
	return transparencyView{k.ID, public.Since, public.Until, k.State, k.Done, k.Total, domain.OrNone(k.Cells), public.Cells,
		k.Position, k.RootHash, k.Query, domain.TimeOf(k.PublishedAt), k.Error, domain.Time(k.RequestedAt)}
}

func (a *Transparency) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Store.List(r.Context(), request)
	return okJSON(w, paging.Map(page, viewTransparency), err)
}

func (a *Transparency) request(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	since, until := b.day("since"), b.day("until")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	switch {
	case since.IsZero() || until.IsZero(): // has its fault
	case until.Before(since):
		b.fault("until", "invalid", "Must not be before since.")
	case until.After(today):
		b.fault("until", "out_of_range", "Must not be after today.")
	case !until.Before(since.AddDate(0, maxTransparencyMonths, 0)):
		b.fault("until", "out_of_range", fmt.Sprintf("A report is about at most %d months.", maxTransparencyMonths))
	}
	if err := b.Err(); err != nil {
		return err
	}
	k, err := a.Store.Request(r.Context(), since, until, callerOf(r).UserID)
	return answerJSON(w, http.StatusAccepted, viewTransparency(k), err)
}

// day reads a required day; the zero time if it has a fault.
func (b *body) day(name string) time.Time {
	text := b.text(name)
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1970 {
		b.fault(name, "invalid", "Must be a day such as 2026-01-31.")
		return time.Time{}
	}
	return day
}

func (a *Transparency) find(w http.ResponseWriter, r *http.Request, id string) error {
	k, err := a.Store.Find(r.Context(), id)
	return okJSON(w, viewTransparency(k), err)
}

func (a *Transparency) publish(w http.ResponseWriter, r *http.Request, id string) error {
	k, err := a.Store.Publish(r.Context(), id, callerOf(r).UserID)
	return okJSON(w, viewTransparency(k), err)
}
