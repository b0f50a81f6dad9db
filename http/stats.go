package http

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/projections/seconds"
	"github.com/docketmod/docket/projections/statistics"
)

// Stats has the routes of figures about reports. Callers see the figures of reports that their
// grants cover, in the scopes that targets had when they were reported. Figures may lag behind
// commands by a second.
type Stats struct {
	Figures *statistics.Reader
	Seconds *seconds.Store // for how often people agree
	Now     func() time.Time
	// Passes counts how often cases were passed on between two days, by reason, in all scopes, since a smaller count
	// could reveal who passed.
	Passes func(ctx context.Context, since, until time.Time) (map[moderation.PassReason]int, error)
}

func (a *Stats) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/stats", moderator, a.daily},
		{http.MethodGet, "/moderation/stats/reporters/{id}", moderator, byID(a.reporter)},
		{http.MethodGet, "/moderation/stats/target", moderator, a.target},
		{http.MethodGet, "/moderation/stats/agreement", moderator, a.agreement},
	}
}

type statsBody struct {
	Since string             `json:"since"`
	Until string             `json:"until"`
	Days  []statistics.Day   `json:"days"`
	Total statistics.Figures `json:"total"`

	Policies []statistics.PolicyFigures `json:"policies"`

	Passes map[moderation.PassReason]int `json:"passes"`
}

func (a *Stats) daily(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	f := q.dayFilter(a.Now().UTC())
	if err := q.Err(); err != nil {
		return err
	}
	days, total, err := a.Figures.Daily(r.Context(), coverage(r), f)
	if err != nil {
		return err
	}
	cited, err := a.Figures.Policies(r.Context(), coverage(r), f)
	if err != nil {
		return err
	}
	passes, err := a.Passes(r.Context(), f.Since, f.Until)
	return okJSON(w, statsBody{Passes: passes, Since: f.Since.Format(time.DateOnly), Until: f.Until.Format(time.DateOnly), Days: days, Total: total, Policies: cited}, err)
}

func (a *Stats) reporter(w http.ResponseWriter, r *http.Request, id string) error {
	record, err := a.Figures.Reporter(r.Context(), coverage(r), id)
	return okJSON(w, record, err)
}

func (a *Stats) target(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	for _, name := range []string{"pluginId", "targetType", "targetId"} {
		if q.storable(name) == "" {
			q.fault(name, "required", "Must be given.")
		}
	}
	if err := q.Err(); err != nil {
		return err
	}
	record, err := a.Figures.Target(r.Context(), coverage(r), q.Get("pluginId"), q.Get("targetType"), q.Get("targetId"))
	return okJSON(w, record, err)
}

// dayFilter reads `since` and `until`: days in UTC, both inclusive.
func (q *query) dayFilter(now time.Time) statistics.DayFilter {
	f := statistics.DayFilter{Until: now.Truncate(24 * time.Hour)}
	day := func(name string, into *time.Time) {
		if !q.Has(name) {
			return
		}
		t, err := time.Parse(time.DateOnly, q.text(name))
		if err != nil || t.Year() < 1 {
			q.fault(name, "invalid", "Must be a day such as 2026-03-01.")
			return
		}
		*into = t
	}
	day("until", &f.Until)
	f.Since = f.Until.AddDate(0, 0, 1-statistics.DefaultDays)
	day("since", &f.Since)
	if len(q.issues) == 0 && (f.Since.Year() < 1 || f.Since.After(f.Until) || f.Until.Sub(f.Since) > statistics.MaxDays*24*time.Hour) {
		q.fault("since", "out_of_range", "Must not be after until, nor more than two years before it.")
	}
	f.PluginID, f.TargetType = q.storable("pluginId"), q.storable("targetType")
	return f
}

type agreementBody struct {
	second.Agreement
	Golden seconds.Golden    `json:"golden"`
	Items  []seconds.Figures `json:"items"`
}

func (a *Stats) agreement(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), readQuery(r)
	by, own := seconds.By(q.text("by")), q.flag("mine")
	if !slices.Contains([]seconds.By{"", seconds.ByPolicy, seconds.ByModerator, seconds.ByReason}, by) {
		q.fault("by", "unknown_value", "Must be policy, moderator or reason.")
	}
	if err := q.Err(); err != nil {
		return err
	}
	all, of, golden, err := a.Seconds.Agreement(r.Context(), caller.Coverage(permission.ViewQuality), caller.UserID, own, by)
	return okJSON(w, agreementBody{all, golden, domain.OrNone(of)}, err)
}
