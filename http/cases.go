package http

import (
	"fmt"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/projections"
)

// Cases has the routes of cases: targets with open reports.
type Cases struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
}

func (a *Cases) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/cases", moderator, a.list},
		{http.MethodPost, "/moderation/cases/decide", moderator, holding(permission.ManageReports, a.decide)},
		{http.MethodPost, "/moderation/cases/pass", moderator, holding(permission.ManageReports, a.pass)},
		{http.MethodPost, "/moderation/cases/park", moderator, holding(permission.ManageReports, a.park)},
		a.nextRoute(),
	}
}

func (a *Cases) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	filter := q.reportFilter(callerOf(r))
	request, err := q.page(projections.CaseList)
	if err != nil {
		return err
	}
	page, err := a.Queries.Cases(r.Context(), coverage(r), filter, request)
	return okJSON(w, paging.Map(page, func(c moderation.StoredCase) moderation.Case { return a.Moderation.ViewCase(c, callerOf(r).Blind) }), err)
}

// decide decides reports of one target together.
func (a *Cases) decide(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	decision := b.caseDecision(a.Moderation.Now())
	if err := b.errWith(func() ([]domain.Issue, error) { return a.Moderation.CaseIssues(r.Context(), callerOf(r), decision) }); err != nil {
		return err
	}
	outcome, err := a.Moderation.DecideCase(r.Context(), callerOf(r), decision)
	if err != nil {
		return err
	}
	return writeJSON(w, heldStatus(outcome.Held != nil), outcome)
}

// pass keeps a case from being the caller's next for a day.
func (a *Cases) pass(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	t, reason := b.caseTarget(), chosen(b, "reason", moderation.PassReasons)
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Moderation.PassCase(r.Context(), callerOf(r), t, reason))
}

// park keeps a case from being anybody's next until a time.
func (a *Cases) park(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	t, until := b.caseTarget(), b.nullableEnd("until", moderation.MaxParked, "30 days")
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Moderation.ParkCase(r.Context(), callerOf(r), t, until))
}

func (b *body) caseTarget() (t moderation.CaseTarget) {
	if v := b.required("target"); v != nil {
		b.object("target", v, func(o *body) {
			t = moderation.CaseTarget{PluginID: o.text("pluginId"), Type: o.text("type"), ID: o.text("id")}
		})
	}
	return t
}

func (b *body) caseDecision(now time.Time) moderation.CaseDecision {
	d := moderation.CaseDecision{Target: b.caseTarget(), Reports: b.expectedReports(moderation.MaxCaseReports)}
	d.Action = b.optionalText("action")
	if v := b.optional("resolve"); v != nil {
		b.object("resolve", v, func(o *body) {
			d.Resolve = new(o.resolve(now))
		})
	}
	return d
}

// expectedReports reads the reports of a decision and their versions.
func (b *body) expectedReports(most int) (reports []moderation.ExpectedReport) {
	v := b.required("reports")
	if v == nil {
		return nil
	}
	items := b.array("reports", v)
	if len(items) < 1 || len(items) > most {
		b.fault("reports", "wrong_length", fmt.Sprintf("Must name 1 to %d reports.", most))
		return nil
	}
	seen := map[string]bool{}
	for i, item := range items {
		b.object(fmt.Sprintf("reports[%d]", i), item, func(o *body) {
			id, ok := parseUUID(o.text("id"))
			switch {
			case !ok:
				o.fault("id", "invalid", "Must be a report id.")
			case seen[id]:
				o.fault("id", "duplicate", "This report is named twice.")
			}
			seen[id] = true
			reports = append(reports, moderation.ExpectedReport{ID: id, ExpectedVersion: o.integer("expectedVersion")})
		})
	}
	return reports
}
