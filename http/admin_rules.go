package http

import (
	"context"
	"net/http"
	"slices"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/rule"
	rules "github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/projections/backtest"
)

// Rules has the admin routes of automatic rules and of evaluating their conditions on the log.
type Rules struct {
	Store     *rules.Store
	Pool      *pgxpool.Pool // for the figures
	Backtests *backtest.Runs
	Titles    func(context.Context, permission.Coverage, []string) (map[string]string, error)
}

var manageRules = admin(permission.AreaRules)

func (a *Rules) routes() []route {
	own := []route{
		{http.MethodGet, "/admin/rules", manageRules, a.list},
		{http.MethodPost, "/admin/rules", manageRules, a.publish},
		{http.MethodPost, "/admin/rules/{key}/mode", manageRules, a.setMode},
		{http.MethodPost, "/admin/rules/{key}/retire", manageRules, a.retire},
		a.matchesRoute(),
		{http.MethodPost, "/admin/rules/check", manageRules, a.check},
		{http.MethodPost, "/admin/rules/try", manageRules, a.try},
	}
	return append(own, a.backtestRoutes()...)
}

type ruleView struct {
	Key         string       `json:"key"`
	Version     int          `json:"version"`
	Title       string       `json:"title"`
	When        string       `json:"when"`
	Then        rule.Then    `json:"then"`
	Mode        rule.Mode    `json:"mode"`
	ModeAt      domain.Time  `json:"modeAt"`
	PublishedAt domain.Time  `json:"publishedAt"`
	RetiredAt   *domain.Time `json:"retiredAt"`
}

func viewRule(r rule.Rule) ruleView {
	return ruleView{r.Key, r.Version, r.Title, r.When, r.Then, r.Mode, domain.Time(r.ModeAt), domain.Time(r.PublishedAt), domain.TimeOf(r.RetiredAt)}
}

func (a *Rules) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	f := rules.Filter{Key: q.text("key"), Versions: rules.Versions(q.text("versions"))}
	if f.Key != "" && !rule.ValidKey(f.Key) {
		q.fault("key", "invalid", "Must be the key of a rule.")
	}
	if v := f.Versions; v != "" && v != rules.Latest && v != rules.All {
		q.fault("versions", "invalid", "Must be all, latest, or absent for the versions in force.")
	}
	request, err := q.page(rules.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), f, request)
	return okJSON(w, paging.Map(page, viewRule), err)
}

func (a *Rules) publish(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	content, issues := rule.ParseContent(b.text("key"), b.text("title"), b.text("when"), b.then("then"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	published, isNew, err := a.Store.Publish(r.Context(), callerOf(r).UserID, content)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}
	return writeJSON(w, status, viewRule(published))
}

// then reads what a rule does; nil if that has a fault.
func (b *body) then(name string) *rule.Then {
	v := b.required(name)
	if v == nil {
		return nil
	}
	var t *rule.Then
	b.object(name, v, func(o *body) {
		read := rule.Then{Due: domain.OrEmpty(o.optionalText("due")), Tags: o.texts("tags"), Hide: o.optionalBoolean("hide")}
		if points := o.optionalInteger("points"); points != nil {
			read.Points = *points
		}
		if len(o.issues) == 0 {
			t = &read
		}
	})
	return t
}

func (a *Rules) setMode(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	mode := chosen(b, "mode", rule.Modes)
	if err := b.Err(); err != nil {
		return err
	}
	return a.changed(w, r, func(key string) (rule.Rule, error) {
		return a.Store.SetMode(r.Context(), callerOf(r).UserID, key, mode)
	})
}

func (a *Rules) retire(w http.ResponseWriter, r *http.Request) error {
	return a.changed(w, r, func(key string) (rule.Rule, error) { return a.Store.Retire(r.Context(), callerOf(r).UserID, key) })
}

// changed changes the rule that the path names, and responds with it.
func (a *Rules) changed(w http.ResponseWriter, r *http.Request, change func(key string) (rule.Rule, error)) error {
	key := mux.Vars(r)["key"]
	if !rule.ValidKey(key) {
		return notFound()
	}
	one, err := change(key)
	return okJSON(w, viewRule(one), err)
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

type triedView struct {
	ReportID string       `json:"reportId"`
	Title    *string      `json:"title"`
	Matched  bool         `json:"matched"`
	Held     []string     `json:"held"`
	Outcome  rule.Outcome `json:"outcome"`
}

func (a *Rules) try(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	when := b.when()
	if err := b.Err(); err != nil {
		return err
	}
	judged, whole, err := a.Backtests.Try(r.Context(), when)
	if err != nil {
		return err
	}
	ids := domain.Map(judged, func(j rule.Judged) string { return j.ReportID })
	titles, err := a.Titles(r.Context(), coverage(r), ids)
	if callerOf(r).Blind != nil {
		judged = slices.DeleteFunc(judged, func(j rule.Judged) bool { return titles[j.ReportID] == "" })
	}
	items := make([]triedView, len(judged))
	for i, j := range judged {
		items[i] = triedView{ReportID: j.ReportID, Matched: j.Matched, Held: domain.OrNone(j.Held), Outcome: j.Outcome}
		if title, visible := titles[j.ReportID]; visible {
			items[i].Title = &title
		}
	}
	return okJSON(w, struct {
		Items []triedView `json:"items"`
		Whole bool        `json:"whole"`
	}{items, whole}, err)
}

// when reads a required condition.
func (b *body) when() *rule.Expression {
	text := b.text("when")
	if b.fields["when"] == nil {
		return nil
	}
	when, issues := rule.Parse(text)
	b.add(issues)
	return when
}
