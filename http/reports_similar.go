package http

import (
	"net/http"
	"strconv"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/projections"
)

// defaultSimilarity is the default of the least similarity, from 0 to 1.
const defaultSimilarity = 0.8

// similarReport is a report with similar content in a list.
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

// similar lists the open reports with content similar to that of the report in the path.
func (a *Reports) similar(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	q := readQuery(r)
	filter := q.similarFilter()
	request, err := q.page(projections.SimilarList)
	if err != nil {
		return err
	}
	page, err := a.Queries.Similar(r.Context(), coverage(r), authorized.Report.ID, filter, request)
	return okJSON(w, paging.Map(page, func(s projections.Similar) similarReport {
		return similarReport{a.Moderation.Summarize(&s.Stored), s.Similarity}
	}), err)
}

func (q *query) similarFilter() projections.SimilarFilter {
	f := projections.SimilarFilter{Min: defaultSimilarity}
	if given := q.text("min"); given != "" {
		var err error
		if f.Min, err = strconv.ParseFloat(given, 64); err != nil || !(f.Min >= 0 && f.Min <= 1) {
			q.fault("min", "invalid", "Must be a number from 0 to 1.")
		}
	}
	switch given := q.text("link"); given {
	case "":
	case "any":
		f.Any = true
	default:
		link, ok := likeness.ParseLink(given)
		if !ok {
			q.fault("link", "invalid", "Must be an address that begins with http:// or https://, or any.")
		}
		f.Link = &link
	}
	return f
}

// precedents counts the decisions on content similar to the report's.
func (a *Reports) precedents(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	q := readQuery(r)
	key := q.policyKey("policy")
	if err := q.Err(); err != nil {
		return err
	}
	found, err := a.Queries.Precedents(r.Context(), coverage(r), authorized.Report.ID, key)
	return okJSON(w, found, err)
}
