package http

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// maxLookup bounds the ids of one query.
const maxLookup = permission.MaxIDsPerGrant

func (a *Staff) scopeResourcesRoute() route {
	return route{http.MethodGet, "/admin/staff/scope-resources/{family}", staffManager, a.scopeResources}
}

// scopeResources serves the admin's picker: a page of a family, or the labels of a saved selection
// with `ids`.
func (a *Staff) scopeResources(w http.ResponseWriter, r *http.Request) error {
	name, err := url.PathUnescape(mux.Vars(r)["family"])
	if err != nil {
		return notFound()
	}
	family := a.Scopes.Find(name)
	if family == nil {
		return notFound()
	}
	q := readQuery(r)
	if q.Has("ids") {
		ids, err := lookupIDs(q)
		if err != nil {
			return err
		}
		found, err := family.Lookup(r.Context(), ids)
		return okJSON(w, found, err)
	}
	picked, err := pickerQuery(q)
	if err != nil {
		return err
	}
	page, err := family.Page(r.Context(), picked)
	return okJSON(w, page, err)
}

// lookupIDs reads `ids`; an empty value means an empty selection.
func lookupIDs(q *query) ([]string, error) {
	var ids []string
	if list := q.text("ids"); list != "" {
		ids = strings.Split(list, ",")
	}
	for _, other := range []string{"search", "cursor", "limit"} {
		if q.Has(other) {
			q.fault(other, "exclusive", "Cannot be given with ids.")
		}
	}
	if len(ids) > maxLookup {
		q.fault("ids", "too_many", "At most "+strconv.Itoa(maxLookup)+" ids can be looked up at once.")
		ids = nil
	}
	for i, id := range ids {
		if !scope.ValidResourceID(id) {
			q.fault("ids["+strconv.Itoa(i)+"]", "invalid", "Must be a resource id.")
		}
	}
	return ids, q.Err()
}

// pickerQuery reads `search`, `cursor` and `limit`. The plugin defines the cursor.
func pickerQuery(q *query) (scope.Query, error) {
	picked := scope.Query{Search: q.search(), Cursor: q.storable("cursor"), Limit: scope.DefaultLimit}
	if q.Has("limit") {
		n, err := strconv.Atoi(q.text("limit"))
		if err != nil || n < 1 {
			q.fault("limit", "invalid", "Must be a whole number of at least 1.")
		}
		picked.Limit = min(n, scope.MaxLimit)
	}
	return picked, q.Err()
}
