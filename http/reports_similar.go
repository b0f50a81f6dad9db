package http

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/projections"
)

// defaultSimilarity is how much alike look-alikes are at least, unless the request says so.
const defaultSimilarity = 0.8

// similarReport is a look-alike in a list.
type similarReport struct {
	Report     moderation.Summary `json:"report"`
	Similarity float64            `json:"similarity"`
}

func (a *Reports) similarRoutes() []route {
	return []route{
		{http.MethodGet, "/moderation/reports/{id}/similar", moderator, with(a.views, a.similar)},
		{http.MethodGet, "/moderation/reports/{id}/precedents", moderator, with(a.views, a.precedents)},
		a.decideSimilarRoute(),
	}
}

// similar lists the open reports that are like the one of the path.
func (a *Reports) similar(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	q := r.URL.Query()
	filter, issues := similarFilter(q)
	request, err := projections.SimilarList.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Queries.Similar(r.Context(), coverage(r), authorized.Report.ID, filter, request)
	return okJSON(w, paging.Map(page, func(s projections.Similar) similarReport {
		return similarReport{a.Moderation.Summarize(&s.Stored), s.Similarity}
	}), err)
}

func similarFilter(q url.Values) (projections.SimilarFilter, []domain.Issue) {
	f, issues := projections.SimilarFilter{Min: defaultSimilarity}, repeated(q, "min", "link")
	if given := q.Get("min"); given != "" {
		var err error
		if f.Min, err = strconv.ParseFloat(given, 64); err != nil || !(f.Min >= 0 && f.Min <= 1) {
			issues = append(issues, domain.Issue{Path: "min", Code: "invalid", Message: "Must be a number from 0 to 1."})
		}
	}
	switch given := q.Get("link"); given {
	case "":
	case "any":
		f.Any = true
	default:
		link, ok := likeness.ParseLink(given)
		if !ok {
			issues = append(issues, domain.Issue{Path: "link", Code: "invalid", Message: "Must be an address that begins with http:// or https://, or any."})
		}
		f.Link = &link
	}
	return f, issues
}

// precedents counts the decisions on content that is like that of the report.
func (a *Reports) precedents(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	q := r.URL.Query()
	key, issues := q.Get("policy"), repeated(q, "policy")
	if key != "" && !policy.ValidKey(key) {
		issues = append(issues, domain.Issue{Path: "policy", Code: "invalid", Message: "Must be the key of a policy."})
	}
	if err := domain.Invalid(issues...); err != nil {
		return err
	}
	found, err := a.Queries.Precedents(r.Context(), coverage(r), authorized.Report.ID, key)
	return okJSON(w, found, err)
}
