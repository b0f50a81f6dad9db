package http

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
)

// pathID reads a UUID from the path. Anything else is 404.
func pathID(r *http.Request, name string) (string, error) {
	id, ok := parseUUID(mux.Vars(r)[name])
	if !ok {
		return "", notFound()
	}
	return id, nil
}

// parseUUID accepts only the form of 36 characters and returns it in lower case.
func parseUUID(value string) (string, bool) {
	id, err := uuid.Parse(value)
	if err != nil || len(value) != 36 {
		return "", false
	}
	return id.String(), true
}

var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// parseTime accepts exactly RFC 3339, in either case. time.Parse alone would also accept an
// hour of one digit and a decimal comma.
func parseTime(value string) (time.Time, bool) {
	value = strings.ToUpper(value)
	t, err := time.Parse(time.RFC3339Nano, value)
	return t, err == nil && rfc3339.MatchString(value)
}

// checkQuery refuses a query string with a broken escape or a semicolon, and one with a
// parameter that the route does not have. Ignoring these would drop a filter in silence.
func checkQuery(r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return domain.Invalid(domain.Issue{Code: "invalid_query", Message: "The query string is not valid: write a percent sign as %25 and a semicolon as %3B."})
	}
	if known := routeOf(r).parameters; !known.any {
		return unknownParameters(query, known.names)
	}
	return nil
}

// unknownParameters returns an error with every parameter that is not known, each with the known
// one nearest to it, or with all of them if none is near.
func unknownParameters(query url.Values, known []string) error {
	var issues []domain.Issue
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(known, name) || len(issues) == maxIssues {
			continue
		}
		hint := registry.DidYouMean(name, known)
		switch {
		case hint == "" && len(known) == 0:
			hint = "; this route has none."
		case hint == "":
			hint = "; this route has " + strings.Join(known, ", ") + "."
		}
		issues = append(issues, domain.Issue{Path: clip(name), Code: string(codeUnknownParameter),
			Message: fmt.Sprintf("There is no parameter %q%s", clip(name), hint)})
	}
	if issues == nil {
		return nil
	}
	return &domain.Error{Code: codeUnknownParameter, Message: issues[0].Message, Issues: issues}
}

// statusFilter reads the parameter `status`: one or more of the known ones, separated by commas.
// It returns nil if the parameter is absent.
func statusFilter[T ~string](q url.Values, known []T) (found []T, issues []domain.Issue) {
	if !q.Has("status") {
		return nil, nil
	}
	if issues := repeated(q, "status"); issues != nil {
		return nil, issues
	}
	for name := range strings.SplitSeq(q.Get("status"), ",") {
		status := T(strings.TrimSpace(name))
		if !slices.Contains(known, status) {
			return nil, []domain.Issue{{Path: "status", Code: "unknown_value", Message: "Must be one or more of " + domain.Joined(known) + ", separated by commas."}}
		}
		if !slices.Contains(found, status) {
			found = append(found, status)
		}
	}
	return found, nil
}

// repeated returns a fault for each of the parameters that is given more than once.
func repeated(q url.Values, names ...string) []domain.Issue {
	var issues []domain.Issue
	for _, name := range names {
		if len(q[name]) > 1 {
			issues = append(issues, domain.Issue{Path: name, Code: "repeated", Message: "Give " + name + " once."})
		}
	}
	return issues
}
