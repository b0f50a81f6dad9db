package http

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	holds "github.com/docketmod/docket/platform/hold"
)

// Holds has the routes of legal holds, which prevent erasure.
type Holds struct {
	Store *holds.Store
}

func (a *Holds) routes() []route {
	may := admin(permission.AreaHold)
	return []route{
		{http.MethodGet, "/admin/holds", may, a.list},
		{http.MethodPost, "/admin/holds", may, a.set},
		{http.MethodGet, "/admin/holds/{id}", may, byID(a.find)},
		{http.MethodPost, "/admin/holds/{id}/lift", may, byID(a.lift)},
	}
}

// maxListedReports is how many reports of a hold are listed.
const maxListedReports = 100

type holdView struct {
	ID          string             `json:"id"`
	Reports     []string           `json:"reports"`
	ReportCount int                `json:"reportCount"`
	AuthorID    *string            `json:"authorId"`
	PluginID    *string            `json:"pluginId"`
	Basis       string             `json:"basis"`
	Reference   string             `json:"reference"`
	Until       domain.Time        `json:"until"`
	Status      hold.Status        `json:"status"`
	SetBy       *moderation.Person `json:"setBy"`
	SetAt       domain.Time        `json:"setAt"`
	LiftedBy    *moderation.Person `json:"liftedBy"`
	LiftedAt    *domain.Time       `json:"liftedAt"`
}

func viewHold(h holds.Listed) holdView {
	v := holdView{ID: h.ID, Reports: domain.OrNone(h.Reports), ReportCount: len(h.Reports), Basis: h.Basis, Reference: h.Reference,
		Until: domain.Time(h.Until), Status: h.Status(time.Now()), SetAt: domain.Time(h.SetAt), LiftedAt: domain.TimeOf(h.LiftedAt),
		SetBy: moderation.PersonOf(h.SetBy, h.SetByName), LiftedBy: moderation.PersonOf(h.LiftedBy, h.LiftedByName)}
	if h.Author != nil {
		v.AuthorID, v.PluginID = &h.Author.ID, domain.OrNull(h.Author.PluginID)
	}
	return v
}

func (a *Holds) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	f := holds.Filter{Status: oneOf(q, "status", hold.Statuses), Report: q.id("reportId", "Must be the id of a report.")}
	request, err := q.page(holds.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), f, request)
	return okJSON(w, paging.Map(page, func(h holds.Listed) holdView {
		v := viewHold(h)
		v.Reports = v.Reports[:min(len(v.Reports), maxListedReports)]
		return v
	}), err)
}

func (a *Holds) find(w http.ResponseWriter, r *http.Request, id string) error {
	h, err := a.Store.Find(r.Context(), id)
	return okJSON(w, viewHold(h), err)
}

func (a *Holds) set(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	reports, at := b.reportIDs("reports")
	c := hold.Content{Reports: reports, Basis: b.text("basis"), Reference: b.text("reference")}
	author, plugin := b.optionalText("authorId"), b.optionalText("pluginId")
	switch {
	case author != nil:
		c.Author = &measure.Author{PluginID: domain.OrEmpty(plugin), ID: *author}
	case plugin != nil:
		b.fault("pluginId", "invalid", "Names the plugin of an author, so authorId must be given.")
	}
	until, ok := parseTime(b.text("until"))
	if c.Until = until; !ok {
		b.fault("until", "invalid", "Must be a time as RFC 3339 writes it.")
	}
	c, issues := hold.Parse(c, time.Now())
	b.add(issues)
	unknown, err := a.Store.Unknown(r.Context(), slices.Collect(maps.Keys(at)))
	if err != nil {
		return err
	}
	slices.SortFunc(unknown, func(x, y string) int { return at[x] - at[y] })
	for _, id := range unknown {
		b.fault(fmt.Sprintf("reports[%d]", at[id]), "unknown_report", "There is no such report.")
	}
	if err := b.Err(); err != nil {
		return err
	}
	h, err := a.Store.Set(r.Context(), callerOf(r).UserID, c)
	return answerJSON(w, http.StatusCreated, viewHold(h), err)
}

// reportIDs reads a list of report ids that may be absent or null. at has the index of each valid id.
func (b *body) reportIDs(name string) (ids []string, at map[string]int) {
	ids, at = b.texts(name), map[string]int{}
	for i := range ids {
		if id, ok := parseUUID(ids[i]); !ok {
			b.fault(fmt.Sprintf("%s[%d]", name, i), "invalid", "Must be the id of a report.")
		} else if ids[i] = id; len(at) <= hold.MaxReports {
			at[id] = i
		}
	}
	return ids, at
}

func (a *Holds) lift(w http.ResponseWriter, r *http.Request, id string) error {
	h, err := a.Store.Lift(r.Context(), callerOf(r).UserID, id)
	return okJSON(w, viewHold(h), err)
}
