package http_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

// A filter that is dropped in silence shows more reports than were asked for.
func TestAQueryIsTakenWholeOrRefused(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, permission.ViewReports)
	for name, c := range map[string]struct {
		query string
		want  map[string]string
	}{
		"a broken escape":        {"status=%zz", map[string]string{"": "invalid_query"}},
		"a lone percent":         {"search=100%", map[string]string{"": "invalid_query"}},
		"semicolons":             {"status=new;first=1", map[string]string{"": "invalid_query"}},
		"a filter twice":         {"status=new&status=done", map[string]string{"status": "repeated"}},
		"a list with faults":     {"status=x,new,y,z", map[string]string{"status": "unknown_value"}},
		"a fault and a repeat":   {"reason=boredom&targetId=1&targetId=2", map[string]string{"reason": "unknown_value", "targetId": "repeated"}},
		"both sorts of repeated": {"scope=a:b&scope=a:c&cursor=x&cursor=y", map[string]string{"scope": "repeated", "cursor": "repeated"}},
	} {
		got := mo.get("/moderation/reports?"+c.query).fault(400, "validation_failed")
		require.Equal(t, c.want, got.issues(), name)
		require.Len(t, got.body["issues"], len(c.want), name)
	}
	for _, at := range []string{"2026-01-01T0:00:00Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+99:00", "2026-01-01"} {
		got := mo.get("/moderation/reports?createdAfter="+url.QueryEscape(at)).fault(400, "validation_failed")
		require.Equal(t, map[string]string{"createdAfter": "invalid"}, got.issues(), "%s is not RFC 3339", at)
	}
	mo.undescribed("GET", "/moderation/reports?createdAfter=2026-01-01t00:00:00.5z", "", nil).status(200)
	mo.get("/moderation/reports?utm=1&utm=2").fault(400, "unknown_parameter")
	b.guest().get("/moderation/reports?status=%zz").fault(401, "unauthorized")
}

// An empty filter filters nothing, except for `status`, which has values of its own only.
func TestEmptyFilters(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo, root := b.moderator("Mo", nil, everyPermission...), b.admin("Root")
	for path, c := range map[string]*client{
		"/moderation/reports?assigned=&reason=&scope=&pluginId=&targetType=&targetId=&createdAfter=&createdBefore=&muted=&overdue=&search=": mo,
		"/moderation/appeals?mine=": mo, "/moderation/measures?kind=&authorId=&pluginId=": mo, "/moderation/policies?key=&versions=": mo, "/users/notices?unread=&locale=": mo,
		"/admin/advanced/poison?group=": root, "/admin/users?search=": root, "/messages?locale=": mo,
	} {
		c.undescribed("GET", core+path, "", nil).status(200)
	}
	mo.undescribed("GET", "/api/forum/posts?locale=", "", nil).status(200)
	mo.undescribed("GET", "/api/forum/posts/1?locale=", "", nil).status(200)
	for path, c := range map[string]*client{
		"/moderation/reports": mo, "/moderation/appeals": mo, "/moderation/measures": mo, "/moderation/seconds": mo,
		"/admin/advanced/queue": root, "/admin/holds": root, "/admin/statements": root,
	} {
		require.Equal(t, map[string]string{"status": "unknown_value"}, c.undescribed("GET", core+path+"?status=", "", nil).fault(400, "validation_failed").issues(), path)
		require.Equal(t, map[string]string{"status": "repeated"}, c.undescribed("GET", core+path+"?status=a&status=b", "", nil).fault(400, "validation_failed").issues(), path)
	}
}

// A filter of another list, or a name with a slip, would be ignored in silence.
func TestAParameterThatARouteDoesNotHaveIsRefusedWithTheNearest(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	for query, message := range map[string]string{
		"/moderation/reports?frist=50":                             `There is no parameter "frist"; did you mean "first"?`,
		"/moderation/reports?status=new&page_size=9":               `There is no parameter "page_size"; did you mean "pageSize"?`,
		"/moderation/reports/counts?status=new":                    `There is no parameter "status"; this route has`,
		"/moderation/cases?Assigned=me":                            `There is no parameter "Assigned"; did you mean "assigned"?`,
		"/users/session?x":                                         `There is no parameter "x"; this route has none.`,
		"/openapi.json?%ff=1&=2":                                   `There is no parameter ""; this route has none.`,
		"/moderation/reports?" + strings.Repeat("long", 50) + "=1": `There is no parameter "` + strings.Repeat("long", 25) + `…"; this route has`,
	} {
		got := mo.undescribed("GET", query, "", nil).fault(400, "unknown_parameter")
		require.Contains(t, got.body["message"], message, query)
		require.NotEmpty(t, got.issues(), query)
	}
	mo.post("/moderation/next?versions=all", "{}").fault(400, "unknown_parameter")
	both := mo.get("/moderation/reports?a=1&b=2&first=x").fault(400, "unknown_parameter")
	require.Equal(t, map[string]string{"a": "unknown_parameter", "b": "unknown_parameter"}, both.issues())
	b.guest().get("/moderation/reports?frist=50").fault(401, "unauthorized")
}

// An identity provider adds what it likes to its answer (RFC 6749 section 4.1.2), and a page may
// give the element's address a version.
func TestWhereOthersWriteTheAddressEveryParameterIsTaken(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.guest().undescribed("GET", "/users/oidc/callback?state=x&session_state=y&scope=openid", "", nil).fault(404, "not_found")
	b.guest().undescribed("GET", "/embed/report.js?v=3", "", nil).status(200)
}
