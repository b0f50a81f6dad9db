package http

import (
	"encoding/json"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/projections/backtest"
)

// Rules is the admin area of conditions on what is reported, and of what the log says of them.
type Rules struct {
	Backtests *backtest.Runs
}

var manageRules = admin(permission.AreaRules)

func (a *Rules) routes() []route {
	const backtests = "/admin/rules/backtests"
	return []route{
		{http.MethodPost, "/admin/rules/check", manageRules, a.check},
		{http.MethodGet, backtests, manageRules, a.listBacktests},
		{http.MethodPost, backtests, manageRules, a.startBacktest},
		{http.MethodGet, backtests + "/{id}", manageRules, byID(a.backtest)},
		{http.MethodPost, backtests + "/{id}/cancel", manageRules, byID(a.cancelBacktest)},
	}
}

func (a *Rules) check(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	when := b.text("when")
	if err := b.Err(); err != nil {
		return err
	}
	_, issues := rule.Parse(when)
	return writeJSON(w, http.StatusOK, struct {
		Faults []domain.Issue `json:"faults"`
		Facts  []rule.Name    `json:"facts"`
	}{append([]domain.Issue{}, issues[:min(len(issues), maxIssues)]...), rule.Names()})
}

type backtestView struct {
	ID          string           `json:"id"`
	When        string           `json:"when"`
	Since       *moderation.Time `json:"since"`
	Until       *moderation.Time `json:"until"`
	State       backtest.State   `json:"state"`
	Done        int64            `json:"done"`
	Total       int64            `json:"total"`
	Result      json.RawMessage  `json:"result"`
	Error       *string          `json:"error"`
	RequestedBy string           `json:"requestedBy"`
	RequestedAt moderation.Time  `json:"requestedAt"`
	StartedAt   *moderation.Time `json:"startedAt"`
	FinishedAt  *moderation.Time `json:"finishedAt"`
}

func viewBacktest(r backtest.Run) backtestView {
	return backtestView{r.ID, r.When, moderation.TimeOf(r.Since), moderation.TimeOf(r.Until), r.State, r.Done, r.Total, r.Result, r.Error,
		r.RequestedBy, moderation.Time(r.RequestedAt), moderation.TimeOf(r.StartedAt), moderation.TimeOf(r.FinishedAt)}
}

func (a *Rules) listBacktests(w http.ResponseWriter, r *http.Request) error {
	newest, err := a.Backtests.Newest(r.Context())
	items := make([]backtestView, len(newest))
	for i, run := range newest {
		items[i] = viewBacktest(run)
	}
	return okJSON(w, struct {
		Items []backtestView `json:"items"`
	}{items}, err)
}

func (a *Rules) startBacktest(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	text, since, until := b.text("when"), b.optionalTime("since"), b.optionalTime("until")
	var when *rule.Expression
	if b.fields["when"] != nil {
		var issues []domain.Issue
		when, issues = rule.Parse(text)
		b.add(issues)
	}
	if since != nil && until != nil && !since.Before(*until) {
		b.fault("until", "invalid", "Must be after since.")
	}
	if err := b.Err(); err != nil {
		return err
	}
	run, err := a.Backtests.Request(r.Context(), when, since, until, callerOf(r).UserID)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, viewBacktest(run))
}

func (a *Rules) backtest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Find(r.Context(), id)
	return okJSON(w, viewBacktest(run), err)
}

func (a *Rules) cancelBacktest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Cancel(r.Context(), id)
	return okJSON(w, viewBacktest(run), err)
}
