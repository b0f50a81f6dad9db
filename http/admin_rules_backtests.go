package http

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/projections/backtest"
)

func (a *Rules) backtestRoutes() []route {
	return []route{
		{http.MethodGet, "/admin/rules/backtests", manageRules, a.listBacktests},
		{http.MethodPost, "/admin/rules/backtests", manageRules, a.startBacktest},
		{http.MethodGet, "/admin/rules/backtests/{id}", manageRules, byID(a.backtest)},
		{http.MethodPost, "/admin/rules/backtests/{id}/cancel", manageRules, byID(a.cancelBacktest)},
	}
}

type backtestView struct {
	ID          string          `json:"id"`
	When        string          `json:"when"`
	Against     *policy.Ref     `json:"against"` // of a rule
	Since       *domain.Time    `json:"since"`
	Until       *domain.Time    `json:"until"`
	State       backtest.State  `json:"state"`
	Done        int64           `json:"done"`
	Total       int64           `json:"total"`
	Result      json.RawMessage `json:"result"`
	Error       *string         `json:"error"`
	RequestedBy string          `json:"requestedBy"`
	RequestedAt domain.Time     `json:"requestedAt"`
	StartedAt   *domain.Time    `json:"startedAt"`
	FinishedAt  *domain.Time    `json:"finishedAt"`
}

func viewBacktest(r backtest.Run) backtestView {
	var against *policy.Ref
	if r.AgainstKey != nil {
		against = &policy.Ref{Key: *r.AgainstKey, Version: *r.AgainstVersion}
	}
	return backtestView{r.ID, r.When, against, domain.TimeOf(r.Since), domain.TimeOf(r.Until), r.State, r.Done, r.Total, r.Result, r.Error,
		r.RequestedBy, domain.Time(r.RequestedAt), domain.TimeOf(r.StartedAt), domain.TimeOf(r.FinishedAt)}
}

// view shows a back-test, without the examples that Blind hides from the caller.
func (a *Rules) view(r *http.Request, run backtest.Run) (backtestView, error) {
	var result rule.Result
	if callerOf(r).Blind == nil || json.Unmarshal(run.Result, &result) != nil {
		return viewBacktest(run), nil
	}
	ids := domain.Map(result.Examples, func(e rule.Example) string { return e.ReportID })
	titles, err := a.Titles(r.Context(), coverage(r), ids)
	if err != nil {
		return backtestView{}, err
	}
	result.Examples = slices.DeleteFunc(result.Examples, func(e rule.Example) bool { return titles[e.ReportID] == "" })
	if run.Result, err = json.Marshal(result); err != nil {
		err = fmt.Errorf("encode a back-test: %w", err)
	}
	return viewBacktest(run), err
}

func (a *Rules) listBacktests(w http.ResponseWriter, r *http.Request) error {
	newest, err := a.Backtests.Newest(r.Context())
	if err != nil {
		return err
	}
	items := make([]backtestView, len(newest))
	for i, run := range newest {
		if items[i], err = a.view(r, run); err != nil {
			return err
		}
	}
	return okJSON(w, struct {
		Items []backtestView `json:"items"`
	}{items}, err)
}

func (a *Rules) startBacktest(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	when, against, since, until := b.when(), (*rule.Ref)(b.optionalPolicy("against")), b.optionalTime("since"), b.optionalTime("until")
	if since != nil && until != nil && !since.Before(*until) {
		b.fault("until", "invalid", "Must be after since.")
	}
	if against != nil {
		_, err := a.Store.Find(r.Context(), *against)
		if err != nil && domain.ErrorCode(err) != domain.CodeNotFound {
			return err
		}
		if err != nil {
			b.add([]domain.Issue{{Path: "against", Code: "unknown_rule", Message: "Must be a published version of a rule."}})
		}
	}
	if err := b.Err(); err != nil {
		return err
	}
	run, err := a.Backtests.Request(r.Context(), when, against, since, until, callerOf(r).UserID)
	return answerJSON(w, http.StatusAccepted, viewBacktest(run), err)
}

func (a *Rules) backtest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Find(r.Context(), id)
	if err != nil {
		return err
	}
	shown, err := a.view(r, run)
	return okJSON(w, shown, err)
}

func (a *Rules) cancelBacktest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Cancel(r.Context(), id)
	if err != nil {
		return err
	}
	shown, err := a.view(r, run)
	return okJSON(w, shown, err)
}
