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
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/projections"
)

// pathID parses a UUID in the path. Anything else is 404.
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

// checkQuery refuses a query string with a malformed escape or a semicolon, and one with a parameter that the route
// does not have. Ignoring these could silently drop a filter.
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

// unknownParameters returns an error that names every unknown parameter, each with the nearest known one, or with all
// of them if none is near.
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

// query reads the parameters of a request one by one and collects every fault, as body does for fields.
type query struct {
	url.Values
	issues []domain.Issue
}

func readQuery(r *http.Request) *query { return &query{Values: r.URL.Query()} }

// fault adds a fault of a parameter, unless it already has one.
func (q *query) fault(name, code, message string) {
	if !domain.HasIssue(q.issues, name) {
		q.issues = append(q.issues, domain.Issue{Path: name, Code: code, Message: message})
	}
}

func (q *query) add(issues []domain.Issue) {
	for _, i := range issues {
		q.fault(i.Path, i.Code, i.Message)
	}
}

// Err returns all faults as a validation error, or nil.
func (q *query) Err() error { return domain.Invalid(q.issues...) }

// page reads the parameters of paging. Its error includes the faults of the parameters read before.
func (q *query) page(l paging.List) (paging.Request, error) { return l.Parse(q.Values, q.issues...) }

// text reads a parameter that may be given at most once. The default is "".
func (q *query) text(name string) string {
	if len(q.Values[name]) > 1 {
		q.fault(name, "repeated", "Give "+name+" once.")
	}
	return q.Get(name)
}

// storable is text for a value that is passed to the database. Characters that it cannot store are a fault.
func (q *query) storable(name string) string {
	value := q.text(name)
	q.add(domain.Unstorable(name, value))
	return value
}

// search reads the parameter `search`.
func (q *query) search() string {
	search := strings.TrimSpace(q.storable("search"))
	if utf8.RuneCountInString(search) > projections.MaxSearch {
		q.fault("search", "too_long", fmt.Sprintf("Must have at most %d characters.", projections.MaxSearch))
	}
	return search
}

// flag reads a parameter that is `true` or `false`. The default is false.
func (q *query) flag(name string) bool {
	value := q.text(name)
	if value != "" && value != "true" && value != "false" {
		q.fault(name, "unknown_value", "Must be true or false.")
	}
	return value == "true"
}

// id reads a UUID. The default is "".
func (q *query) id(name, fault string) string {
	value := q.text(name)
	id, ok := parseUUID(value)
	if value != "" && !ok {
		q.fault(name, "invalid", fault)
	}
	return id
}

// time reads an RFC 3339 time. The default is nil.
func (q *query) time(name string) *time.Time {
	value := q.text(name)
	if value == "" {
		return nil
	}
	t, ok := parseTime(value)
	if !ok {
		q.fault(name, "invalid", "Must be an RFC 3339 time.")
	}
	return &t
}

// locale reads the parameter `locale`.
func (q *query) locale() string {
	locale := q.text("locale")
	if locale != "" && !domain.ValidLocale(locale) {
		q.fault("locale", "invalid", "Must be a locale such as en or pt-BR.")
	}
	return locale
}

// policyKey reads the key of a policy.
func (q *query) policyKey(name string) string {
	key := q.text(name)
	if key != "" && !policy.ValidKey(key) {
		q.fault(name, "invalid", "Must be the key of a policy.")
	}
	return key
}

// oneOf reads a parameter that is one of a list, or absent. Only a status may not be empty.
func oneOf[T ~string](q *query, name string, allowed []T) T {
	value := T(q.text(name))
	if (value != "" || name == "status" && q.Has(name)) && !slices.Contains(allowed, value) {
		q.fault(name, "unknown_value", "Must be one of "+domain.Joined(allowed)+".")
	}
	return value
}

// severalOf reads a parameter that is one or more of a list, separated by commas. It returns nil if the parameter
// is absent.
func severalOf[T ~string](q *query, name string, known []T) (found []T) {
	if !q.Has(name) {
		return nil
	}
	for text := range strings.SplitSeq(q.text(name), ",") {
		value := T(strings.TrimSpace(text))
		if !slices.Contains(known, value) {
			q.fault(name, "unknown_value", "Must be one or more of "+domain.Joined(known)+", separated by commas.")
			return nil
		}
		if !slices.Contains(found, value) {
			found = append(found, value)
		}
	}
	return found
}
