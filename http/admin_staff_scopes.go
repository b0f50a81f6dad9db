package http

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// maxLookup bounds the ids of one query.
const maxLookup = permission.MaxIDsPerGrant

func (a *Staff) scopeResourcesRoute() route {
	return route{http.MethodGet, "/admin/staff/scope-resources/{family}", staffManager, a.scopeResources}
}

// scopeResources serves the admin's picker: a page of a family, or with `ids` the labels of
// a saved selection.
func (a *Staff) scopeResources(w http.ResponseWriter, r *http.Request) error {
	name, err := url.PathUnescape(mux.Vars(r)["family"])
	if err != nil {
		return notFound()
	}
	family := a.Scopes.Find(name)
	if family == nil {
		return notFound()
	}
	q := r.URL.Query()
	if q.Has("ids") {
		ids, err := lookupIDs(q)
		if err != nil {
			return err
		}
		found, err := family.Lookup(r.Context(), ids)
		return okJSON(w, found, err)
	}
	query, err := pickerQuery(q)
	if err != nil {
		return err
	}
	page, err := family.Page(r.Context(), query)
	return okJSON(w, page, err)
}

// lookupIDs reads `ids`; an empty value is an empty selection.
func lookupIDs(q url.Values) ([]string, error) {
	issues := repeated(q, "ids")
	for _, other := range []string{"search", "cursor", "limit"} {
		if q.Has(other) {
			issues = append(issues, domain.Issue{Path: other, Code: "exclusive", Message: "Cannot be given with ids."})
		}
	}
	var ids []string
	if list := q.Get("ids"); list != "" {
		ids = strings.Split(list, ",")
	}
	if len(ids) > maxLookup {
		issues = append(issues, domain.Issue{Path: "ids", Code: "too_many", Message: "At most " + strconv.Itoa(maxLookup) + " ids can be looked up at once."})
		ids = nil
	}
	for i, id := range ids {
		if !scope.ValidResourceID(id) {
			issues = append(issues, domain.Issue{Path: "ids[" + strconv.Itoa(i) + "]", Code: "invalid", Message: "Must be a resource id."})
		}
	}
	return ids, domain.Invalid(issues...)
}

// pickerQuery reads `search`, `cursor` and `limit` and adds their faults to those of other
// parameters. The plugin defines the cursor.
func pickerQuery(q url.Values, issues ...domain.Issue) (scope.Query, error) {
	search, found := searchText(q)
	issues = append(issues, found...)
	issues = append(issues, repeated(q, "cursor", "limit")...)
	query := scope.Query{Search: search, Cursor: q.Get("cursor"), Limit: scope.DefaultLimit}
	issues = append(issues, domain.Unstorable("cursor", query.Cursor)...)
	if q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 {
			issues = append(issues, domain.Issue{Path: "limit", Code: "invalid", Message: "Must be a whole number of at least 1."})
		}
		query.Limit = min(n, scope.MaxLimit)
	}
	return query, domain.Invalid(issues...)
}
