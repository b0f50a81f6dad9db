package http

import (
	"fmt"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// Measures has the routes of measures on the authors of content.
type Measures struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
}

func (a *Measures) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/measures", moderator, a.list},
		{http.MethodPost, "/moderation/measures/{id}/end", moderator, byID(a.end)},
		a.proposalRoute(),
		a.standingRoute(),
	}
}

func (a *Measures) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	f := projections.MeasureFilter{AuthorID: q.storable("authorId"), PluginID: q.storable("pluginId")}
	switch oneOf(q, "status", []string{"standing", "ended"}) {
	case "standing":
		f.StandingAt = a.Moderation.Now()
	case "ended":
		f.Ended = true
	}
	if kind := oneOf(q, "kind", measure.Kinds); kind != "" {
		f.Kinds = []measure.Kind{kind}
	}
	request, err := q.page(projections.MeasureList)
	if err != nil {
		return err
	}
	page, err := a.Queries.ListMeasures(r.Context(), coverage(r), f, request)
	return okJSON(w, paging.Map(page, moderation.ViewMeasure), err)
}

func (a *Measures) end(w http.ResponseWriter, r *http.Request, id string) error {
	at, err := a.Moderation.AuthorizeMeasure(r.Context(), callerOf(r), id)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	version := b.integer("expectedVersion")
	reason, issues := report.ParseReopenReason(b.text("reason"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	ended, err := a.Moderation.EndMeasure(r.Context(), at, id, reason, version)
	return okJSON(w, moderation.ViewMeasure(ended), err)
}

// measures reads the measures of a decision; nil if there are none.
func (b *body) measures(resolution report.Resolution, now time.Time) (all []report.MeasureImposed) {
	const name = "measures"
	v := b.optional(name)
	if v == nil {
		return nil
	}
	items := b.array(name, v)
	if len(items) > measure.MaxRequests {
		b.add(measure.Check(name, make([]measure.Request, len(items)), now)[:1])
		return nil
	}
	requests := make([]measure.Request, len(items))
	for i, item := range items {
		b.object(fmt.Sprintf("%s[%d]", name, i), item, func(o *body) {
			requests[i] = measure.Request{AuthorID: o.text("authorId"), Kind: measure.Kind(o.text("kind")), Until: o.optionalTime("until")}
		})
	}
	b.add(measure.Check(name, requests, now))
	if len(items) > 0 && resolution != report.ActionTaken {
		b.fault(name, "not_allowed", "Only a decision to take action imposes measures.")
	}
	for _, r := range requests {
		all = append(all, report.MeasureImposed{Author: measure.Author{ID: r.AuthorID}, Kind: r.Kind, Until: r.Until})
	}
	return all
}
