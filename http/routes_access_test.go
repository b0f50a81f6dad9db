package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	nethttp "net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

// rule says who may call a route, apart from
// the code that decides it.
type rule struct {
	account   bool     // any account
	moderator bool     // whoever may view some report
	report    []string // what is needed of the report besides can_view_reports; nil for a route about none
	areas     []string // admin areas, one of which is enough
	orReport  bool     // an area, or whoever may view the report
	moderates bool     // a token of use `moderate` may write here
	anywhere  string   // a permission that is needed in some scope
	host      bool     // a token of use host may call it, and nothing else
	signal    bool     // a token of use signal may call it, and nobody else
	session   bool     // a token may not call it
	file      bool     // anybody, with any token
	secret    bool     // the trigger's own: 403 to everybody without it
}

var (
	everybody  = rule{}
	members    = rule{account: true}
	inPerson   = rule{account: true, session: true}
	reporting  = rule{account: true, moderates: true}
	board      = rule{account: true, moderator: true, moderates: true}
	deciding   = rule{account: true, moderator: true, moderates: true, anywhere: permission.ManageReports}
	triggering = rule{secret: true}
)

func needs(permissions ...string) rule {
	return rule{account: true, moderator: true, moderates: true, report: append([]string{permission.ViewReports}, permissions...)}
}

func area(areas ...permission.Area) rule {
	r := rule{account: true}
	for _, a := range areas {
		r.areas = append(r.areas, string(a))
	}
	return r
}

const core = http.Base

// accessRules says who may call the routes below a path, by any method or by one. Of several that fit, the longest
// counts, and then the one with a method. A route that none fits fails the test, as does a rule that is no route's.
var accessRules = map[string]rule{
	"GET /api/{plugin}":     everybody,
	"/openapi.json":         everybody,
	"/messages":             everybody,
	"/embed/report.js":      {file: true},
	"/cron":                 triggering,
	"/notices":              everybody,
	"/transparency":         everybody,
	"/users/sign-in":        everybody,
	"/users/sign-out":       everybody,
	"/users/session":        everybody,
	"/users/oidc":           everybody,
	"/users/forgot":         everybody,
	"/users/reset":          everybody,
	"/users/setup":          everybody,
	"/users/name":           members,
	"/users/password":       members,
	"/users/sessions":       members,
	"/users/tokens":         members,
	"/users/permissions":    members,
	"/users/standing":       members,
	"GET /users/factors":    members,
	"/users/factors":        inPerson,
	"GET /users/notices":    members,
	"POST /users/notices":   reporting,
	"GET /users/decisions":  members,
	"POST /users/decisions": reporting,
	"/users/digest":         board,
	"/users/digest/stop":    everybody,

	"/moderation":                     board,
	"/moderation/target-types":        members,
	"/moderation/policies":            everybody,
	"/moderation/events":              area(permission.AreaAudit),
	"POST /moderation/signals":        {account: true, signal: true},
	"POST /moderation/cases":          deciding,
	"POST /moderation/next":           deciding,
	"POST /moderation/similar/decide": deciding,
	"GET /moderation/appeals":         {account: true, moderator: true, moderates: true, anywhere: permission.DecideAppeals},
	"GET /moderation/appeals/{id}":    board,
	"GET /moderation/seconds":         {account: true, moderator: true, moderates: true, anywhere: permission.ViewQuality},
	"POST /moderation/seconds":        deciding,
	"/moderation/seconds/{id}/settle": board,

	"POST /moderation/reports":                            {account: true, moderates: true, host: true},
	"/moderation/reports/{id}":                            needs(),
	"GET /moderation/reports/{id}/assignees":              needs(permission.ManageReports),
	"POST /moderation/reports/{id}/claim":                 needs(permission.ManageReports),
	"POST /moderation/reports/{id}/assign":                needs(permission.ManageReports),
	"POST /moderation/reports/{id}/unassign":              needs(permission.ManageReports),
	"POST /moderation/reports/{id}/escalate":              needs(permission.ManageReports),
	"POST /moderation/reports/{id}/return":                needs(permission.ManageReports),
	"POST /moderation/reports/{id}/resolve":               needs(permission.ManageReports),
	"POST /moderation/reports/{id}/reopen":                needs(permission.ManageReports),
	"POST /moderation/reports/{id}/actions":               needs(permission.ManageReports, permission.Hide),
	"POST /moderation/reports/{id}/notes":                 needs(permission.ManageReports),
	"POST /moderation/reports/{id}/notes/{noteId}/edit":   needs(permission.ManageReports, permission.EditNotes),
	"POST /moderation/reports/{id}/notes/{noteId}/delete": needs(permission.ManageReports, permission.DeleteNotes),
	"GET /moderation/reports/{id}/replay":                 {account: true, moderator: true, moderates: true, report: []string{permission.ViewReports}, areas: []string{string(permission.AreaAudit)}, orReport: true},

	"/admin/advanced/cron":         area(permission.AreaCronView),
	"POST /admin/advanced/cron":    area(permission.AreaCronRun),
	"/admin/advanced/queue":        area(permission.AreaQueueView),
	"POST /admin/advanced/queue":   area(permission.AreaQueueRetry),
	"/admin/advanced/poison":       area(permission.AreaPoison),
	"/admin/advanced/projections":  area(permission.AreaAudit),
	"/admin/integrations":          area(permission.AreaIntegrations),
	"/admin/system":                area(permission.AreaIntegrations),
	"/admin/users":                 area(permission.AreaUsersManage),
	"GET /admin/users":             area(permission.AreaUsersManage, permission.AreaModerators, permission.AreaAdmins),
	"DELETE /admin/users":          area(permission.AreaUsersDelete),
	"/admin/staff/permissions":     area(permission.AreaModerators, permission.AreaAdmins),
	"/admin/staff/scope-resources": area(permission.AreaModerators, permission.AreaAdmins),
	"/admin/staff/moderators":      area(permission.AreaModerators),
	"/admin/staff/entry/moderator": area(permission.AreaModerators),
	"/admin/staff/admins":          area(permission.AreaAdmins),
	"/admin/staff/entry/admin":     area(permission.AreaAdmins),
	"/admin/webhooks":              area(permission.AreaWebhooks),
	"/admin/quality":               area(permission.AreaQuality),
	"/admin/ladder":                area(permission.AreaPolicies),
	"/admin/policies":              area(permission.AreaPolicies),
	"/admin/rules":                 area(permission.AreaRules),
	"/admin/platforms":             area(permission.AreaPlatforms),
	"/admin/transparency":          area(permission.AreaAudit),
	"/admin/holds":                 area(permission.AreaHold),
	"/admin/statements":            area(permission.AreaAudit),
	"POST /admin/statements":       area(permission.AreaPolicies),
}

// ruleOf is the name of the rule for a route, or "".
func ruleOf(key string) (name string) {
	method, path, _ := strings.Cut(key, " ")
	for path = strings.TrimPrefix(path, core); path != ""; path = path[:strings.LastIndex(path, "/")] {
		for _, name := range []string{method + " " + path, path} {
			if _, is := accessRules[name]; is {
				return name
			}
		}
	}
	return ""
}

// person is a kind of caller.
type person struct {
	name      string
	guest     bool
	moderator []string // permissions on posts; nil without an entry
	unlimited bool     // an unrestricted moderator
	elsewhere bool     // the permissions are for another category than the report's
	admin     []string // areas; nil without an entry
	root      bool
	one       string         // the one permission or area that they lack, or have
	use       permission.Use // of a token; "" for a session
	header    nethttp.Header
}

// wants is the status that a rule gives a caller; 0 is any that is neither a
// refusal nor a failure.
func (p person) wants(r rule, method string) int {
	read := method == nethttp.MethodGet
	holds := func(need string) bool { return p.unlimited || slices.Contains(p.moderator, need) }
	inArea := p.root || slices.ContainsFunc(r.areas, func(a string) bool { return slices.Contains(p.admin, a) })
	switch {
	case r.file:
		return 0
	case r.secret, p.use == permission.UseHost && !r.host, p.use == permission.UseSignal && !r.signal:
		return nethttp.StatusForbidden
	case r.signal && !p.guest && p.use != permission.UseSignal:
		return nethttp.StatusForbidden
	case !r.account:
		return 0
	case p.guest:
		return nethttp.StatusUnauthorized
	case p.use == permission.UseRead && !read, p.use == permission.UseModerate && !read && !r.moderates:
		return nethttp.StatusForbidden
	case r.session && p.use != "":
		return nethttp.StatusForbidden
	case len(r.areas) > 0 && (inArea || !r.orReport):
		if inArea {
			return 0
		}
		return nethttp.StatusForbidden
	case r.moderator && !holds(permission.ViewReports):
		return nethttp.StatusForbidden
	case r.anywhere != "" && !holds(r.anywhere):
		return nethttp.StatusForbidden
	case r.report != nil && p.elsewhere:
		return nethttp.StatusNotFound
	case slices.ContainsFunc(r.report, func(need string) bool { return !holds(need) }):
		return nethttp.StatusForbidden
	}
	return 0
}

// differs reports whether the rule names what the caller lacks, or what they alone have of their kind.
func (p person) differs(r rule) bool {
	return p.one == "" || slices.Contains(r.areas, p.one) || slices.Contains(r.report, p.one) || r.anywhere == p.one || r.moderator && p.one == permission.ViewReports
}

func without(all []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == one })
}

func people() []person {
	var areas []string
	for _, a := range permission.Areas() {
		areas = append(areas, string(a))
	}
	all := []person{
		{name: "a guest", guest: true},
		{name: "a member"},
		{name: "an empty moderator entry", moderator: []string{}},
		{name: "a viewer", moderator: []string{permission.ViewReports}},
		{name: "a manager in scope", moderator: []string{permission.ViewReports, permission.ManageReports}},
		{name: "a manager out of scope", moderator: everyPermission, elsewhere: true},
		{name: "every report permission", moderator: everyPermission},
		{name: "an unrestricted moderator", unlimited: true},
		{name: "an empty admin entry", admin: []string{}},
		{name: "all areas", admin: areas},
		{name: "a root admin", root: true},
		{name: "a token to read", root: true, unlimited: true, use: permission.UseRead},
		{name: "a token to moderate", root: true, unlimited: true, use: permission.UseModerate},
		{name: "a token for all", root: true, unlimited: true, use: permission.UseAdmin},
		{name: "a platform's token", use: permission.UseHost},
		{name: "a token for signals", use: permission.UseSignal},
		{name: "a viewer's token for all", moderator: []string{permission.ViewReports}, use: permission.UseAdmin},
	}
	for _, p := range everyPermission {
		all = append(all, person{name: "all but " + p, moderator: without(everyPermission, p), one: p},
			person{name: "a manager with " + p, moderator: []string{permission.ViewReports, permission.ManageReports, p}, one: p})
	}
	for _, a := range areas {
		all = append(all, person{name: "all areas but " + a, admin: without(areas, a), one: a}, person{name: "the area " + a + " alone", admin: []string{a}, one: a})
	}
	return all
}

// enter makes the account, its entries and a way in. The entries go around the
// validation of grants, which lets no permission miss what it depends on.
func (b *bundle) enter(p *person) {
	b.t.Helper()
	ctx := context.Background()
	p.header = nethttp.Header{}
	if p.guest {
		return
	}
	if p.use.OfPlugin() {
		token, _, err := b.accounts.CreateHostToken(ctx, "forum", account.NewToken{Use: p.use})
		require.NoError(b.t, err)
		p.header.Set("Authorization", "Bearer "+token)
		return
	}
	id := b.user(strings.NewReplacer(":", " ", "_", " ", "'", "").Replace(p.name))
	insert := func(kind string, unrestricted bool, grants []permission.Grant) {
		encoded, err := json.Marshal(append([]permission.Grant{}, grants...))
		require.NoError(b.t, err)
		pgtest.Exec(b.t, b.pool, `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, permissions, created_at, updated_at)
			VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), now())`, kind, id, unrestricted, encoded)
	}
	if p.moderator != nil || p.unlimited {
		category := "general"
		if p.elsewhere {
			category = "support"
		}
		insert("moderator", p.unlimited, forumEntry([]string{category}, p.moderator...).Grants)
	}
	if p.admin != nil || p.root {
		var grants []permission.Grant
		for _, a := range p.admin {
			module, name, _ := strings.Cut(a, ":")
			grants = append(grants, permission.Grant{Plugin: permission.CorePlugin, Module: module, Permission: name})
		}
		insert("admin", p.root, grants)
	}
	if p.use == "" {
		p.header = b.session(id).header
		return
	}
	token, _, err := b.accounts.CreateToken(ctx, id, account.NewToken{Use: p.use})
	require.NoError(b.t, err)
	p.header.Set("Authorization", "Bearer "+token)
}

// routeKey is a route as accessRules and the OpenAPI document name it.
func routeKey(r http.TableRoute) string {
	return r.Method + " " + regexp.MustCompile(`\{(\w+):[^}]*\}`).ReplaceAllString(r.Path, "{$1}")
}

// fill puts ids into a route's path.
func fill(key, reportID, noteID string) string {
	_, path, _ := strings.Cut(key, " ")
	if strings.HasPrefix(path, core+"/moderation/reports/") {
		path = strings.ReplaceAll(path, "{id}", reportID)
	}
	if strings.HasPrefix(path, "/api/{plugin}") {
		path = strings.ReplaceAll(path, "{id}", "1")
	}
	return strings.NewReplacer("{plugin}", "forum", "{type}", "posts", "{noteId}", noteID, "{action}", "hide", "{family}", "forum.category",
		"{name}", "mine", "{key}", "be-kind", "{author}", "somebody", "{id}", uuid.NewString(), "{deliveryId}", uuid.NewString()).Replace(path)
}

func TestWhoMayCallWhat(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()                    // or there is no live feed
	reportID := b.file(0, "1") // in general
	author := b.moderator("Author", nil, everyPermission...)
	note := author.post("/moderation/reports/"+reportID+"/notes", map[string]any{"body": "somebody else's note"}).status(nethttp.StatusCreated)
	noteID := note.body["note"].(map[string]any)["id"].(string)
	callers := people()
	for i := range callers {
		b.enter(&callers[i])
	}

	known := map[string]bool{}
	for _, route := range http.Table(b.api) {
		key := routeKey(route)
		name := ruleOf(key)
		known[name] = true
		r, ruled := accessRules[name]
		if !ruled {
			t.Errorf("%s has no rule: say in accessRules who may call it", key)
			continue
		}
		t.Run(strings.ReplaceAll(key, "/", "|"), func(t *testing.T) {
			t.Parallel()
			for _, p := range callers {
				if !p.differs(r) {
					continue
				}
				if strings.HasSuffix(key, "/end-all") { // for callers of its own, since it ends their ways in
					p.name += " " + strings.Split(key, "/")[5]
					b.enter(&p)
				}
				status, raw := b.statusOf(t, p.header, route.Method, fill(key, reportID, noteID))
				switch want := p.wants(r, route.Method); {
				case want != 0:
					require.Equal(t, want, status, "%s: %s", p.name, raw)
				default:
					refused := []int{nethttp.StatusUnauthorized, nethttp.StatusForbidden}
					if r.report != nil {
						refused = append(refused, nethttp.StatusNotFound)
					}
					require.NotContains(t, refused, status, "%s: %s", p.name, raw)
					require.Less(t, status, nethttp.StatusInternalServerError, "%s: %s", p.name, raw)
				}
			}
		})
	}
	for key := range accessRules {
		require.True(t, known[key], "there is no route of the rule %s", key)
	}
}

// statusOf calls a route with a body that no route takes, so that who may call
// it changes nothing, and reads no further than the status of a stream.
func (b *bundle) statusOf(t *testing.T, header nethttp.Header, method, path string) (int, []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var body []byte
	if method != nethttp.MethodGet && method != nethttp.MethodDelete {
		body = []byte(`{"noSuchField":true}`)
	}
	r, err := nethttp.NewRequestWithContext(ctx, method, b.server.URL+path, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(path, "/sign-out") {
		r.Header.Del("Cookie") // it would end the session
	}
	resp, err := b.server.Client().Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return resp.StatusCode, nil
	}
	raw := new(bytes.Buffer)
	_, err = raw.ReadFrom(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, raw.Bytes()
}

// TestTheDocumentIsTheTable holds the OpenAPI document to the routes, both ways.
func TestTheDocumentIsTheTable(t *testing.T) {
	t.Parallel()
	var described, routed []string
	for path, item := range apiDocument(t).Paths.Map() {
		if !strings.HasPrefix(path, "/api/") {
			path = core + path
		}
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	for _, route := range http.Table(newBundle(t).api) {
		routed = append(routed, routeKey(route))
	}
	require.ElementsMatch(t, routed, described)
}

// rows counts what is stored, table by table, sessions and attempts apart.
func (b *bundle) rows() map[string]int {
	b.t.Helper()
	tables := pgtest.All[string](b.t, b.pool, `SELECT relname FROM pg_stat_user_tables
		WHERE relname NOT IN ('core_sessions', 'core_moderation_attempts', 'core_sign_in_failures', 'core_moderation_presence') ORDER BY relname`)
	counts := map[string]int{}
	for _, table := range tables {
		n := pgtest.One[int](b.t, b.pool, "SELECT count(*) FROM "+pgx.Identifier{table}.Sanitize())
		counts[table] = n
	}
	return counts
}
