package http

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain"
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

// view returns a back-test, without the examples that Blind hides from the caller.
func (a *Rules) view(r *http.Request, run backtest.Run) (backtest.Run, error) {
	var result rule.Result
	if callerOf(r).Blind == nil || json.Unmarshal(run.Result, &result) != nil {
		return run, nil
	}
	ids := domain.Map(result.Examples, func(e rule.Example) string { return e.ReportID })
	titles, err := a.Titles(r.Context(), coverage(r), ids)
	if err != nil {
		return run, err
	}
	result.Examples = slices.DeleteFunc(result.Examples, func(e rule.Example) bool { return titles[e.ReportID] == "" })
	if run.Result, err = json.Marshal(result); err != nil {
		err = fmt.Errorf("encode a back-test: %w", err)
	}
	return run, err
}

func (a *Rules) listBacktests(w http.ResponseWriter, r *http.Request) error {
	newest, err := a.Backtests.Newest(r.Context())
	if err != nil {
		return err
	}
	items := make([]backtest.Run, len(newest))
	for i, run := range newest {
		if items[i], err = a.view(r, run); err != nil {
			return err
		}
	}
	return okJSON(w, map[string]any{"items": items}, err)
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
			b.fault("against", "unknown_rule", "Must be a published version of a rule.")
		}
	}
	if err := b.Err(); err != nil {
		return err
	}
	run, err := a.Backtests.Request(r.Context(), when, against, since, until, callerOf(r).UserID)
	return answerJSON(w, http.StatusAccepted, run, err)
}

func (a *Rules) backtest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Find(r.Context(), id)
	return a.answerBacktest(w, r, run, err)
}

func (a *Rules) cancelBacktest(w http.ResponseWriter, r *http.Request, id string) error {
	run, err := a.Backtests.Cancel(r.Context(), id)
	return a.answerBacktest(w, r, run, err)
}

func (a *Rules) answerBacktest(w http.ResponseWriter, r *http.Request, run backtest.Run, err error) error {
	if err == nil {
		run, err = a.view(r, run)
	}
	return okJSON(w, run, err)
}
