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

// accessRules has a rule for each route. One without fails the test, as does a
// rule whose route is gone.
var accessRules = map[string]rule{
	"GET " + core + "/openapi.json":                                           everybody,
	"GET /api/{plugin}/{type}":                                                everybody,
	"GET /api/{plugin}/{type}/{id}":                                           everybody,
	"GET " + core + "/embed/report.js":                                        {file: true},
	"GET " + core + "/messages":                                               everybody,
	"POST " + core + "/users/sign-in":                                         everybody,
	"POST " + core + "/users/sign-in/factor":                                  everybody,
	"POST " + core + "/users/sign-out":                                        everybody,
	"GET " + core + "/users/session":                                          everybody,
	"GET " + core + "/users/oidc/start":                                       everybody,
	"GET " + core + "/users/oidc/callback":                                    everybody,
	"POST " + core + "/users/forgot":                                          everybody,
	"POST " + core + "/users/reset":                                           everybody,
	"POST " + core + "/users/setup":                                           everybody,
	"POST " + core + "/users/name":                                            members,
	"POST " + core + "/users/password":                                        members,
	"GET " + core + "/users/sessions":                                         members,
	"DELETE " + core + "/users/sessions/{id}":                                 members,
	"POST " + core + "/users/sessions/end-all":                                members,
	"GET " + core + "/users/tokens":                                           members,
	"POST " + core + "/users/tokens":                                          members,
	"DELETE " + core + "/users/tokens/{id}":                                   members,
	"POST " + core + "/users/tokens/end-all":                                  members,
	"GET " + core + "/users/factors":                                          members,
	"POST " + core + "/users/factors/totp":                                    inPerson,
	"POST " + core + "/users/factors/totp/confirm":                            inPerson,
	"POST " + core + "/users/factors/passkeys/options":                        inPerson,
	"POST " + core + "/users/factors/passkeys":                                inPerson,
	"POST " + core + "/users/factors/recovery":                                inPerson,
	"DELETE " + core + "/users/factors/{id}":                                  inPerson,
	"GET " + core + "/users/permissions/admin":                                members,
	"GET " + core + "/users/permissions":                                      members,
	"GET " + core + "/users/notices":                                          members,
	"POST " + core + "/users/notices/{id}/read":                               reporting,
	"POST " + core + "/moderation/reports":                                    {account: true, moderates: true, host: true},
	"POST " + core + "/moderation/signals":                                    {account: true, signal: true},
	"GET " + core + "/moderation/reports":                                     board,
	"GET " + core + "/moderation/reports/counts":                              board,
	"GET " + core + "/moderation/cases":                                       board,
	"POST " + core + "/moderation/cases/decide":                               deciding,
	"GET " + core + "/users/digest":                                           board,
	"PUT " + core + "/users/digest":                                           board,
	"POST " + core + "/users/digest/stop":                                     everybody,
	"POST " + core + "/notices":                                               everybody,
	"POST " + core + "/notices/confirm":                                       everybody,
	"POST " + core + "/moderation/cases/pass":                                 deciding,
	"POST " + core + "/moderation/cases/park":                                 deciding,
	"POST " + core + "/moderation/next":                                       deciding,
	"GET " + core + "/moderation/reporters/{id}":                              board,
	"POST " + core + "/moderation/reporters/{id}/mute":                        board,
	"POST " + core + "/moderation/reporters/{id}/unmute":                      board,
	"GET " + core + "/moderation/scopes":                                      board,
	"GET " + core + "/moderation/team":                                        board,
	"GET " + core + "/moderation/target-types":                                members,
	"GET " + core + "/moderation/live":                                        board,
	"GET " + core + "/moderation/views":                                       board,
	"GET " + core + "/moderation/views/{name}":                                board,
	"PUT " + core + "/moderation/views/{name}":                                board,
	"DELETE " + core + "/moderation/views/{name}":                             board,
	"GET " + core + "/moderation/reports/{id}":                                needs(),
	"GET " + core + "/moderation/reports/{id}/related":                        needs(),
	"GET " + core + "/moderation/reports/{id}/similar":                        needs(),
	"GET " + core + "/moderation/reports/{id}/precedents":                     needs(),
	"POST " + core + "/moderation/similar/decide":                             deciding,
	"POST " + core + "/moderation/reports/{id}/translate":                     needs(),
	"GET " + core + "/moderation/reports/{id}/context":                        needs(),
	"GET " + core + "/moderation/reports/{id}/timeline":                       needs(),
	"POST " + core + "/moderation/reports/{id}/presence":                      needs(),
	"GET " + core + "/moderation/reports/{id}/assignees":                      needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/claim":                         needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/assign":                        needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/unassign":                      needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/escalate":                      needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/return":                        needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/resolve":                       needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/reopen":                        needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/actions/{action}":              needs(permission.ManageReports, permission.Hide),
	"POST " + core + "/moderation/reports/{id}/notes":                         needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/edit":           needs(permission.ManageReports, permission.EditNotes),
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/pin":            needs(permission.ManageReports),
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/delete":         needs(permission.ManageReports, permission.DeleteNotes),
	"GET " + core + "/moderation/reports/{id}/replay":                         {account: true, moderator: true, moderates: true, report: []string{permission.ViewReports}, areas: []string{string(permission.AreaAudit)}, orReport: true},
	"GET " + core + "/moderation/events":                                      area(permission.AreaAudit),
	"GET " + core + "/moderation/stats":                                       board,
	"GET " + core + "/moderation/stats/target":                                board,
	"GET " + core + "/moderation/stats/reporters/{id}":                        board,
	"GET " + core + "/admin/advanced/projections":                             area(permission.AreaAudit),
	"POST " + core + "/admin/advanced/projections/{name}/verify":              area(permission.AreaAudit),
	"POST " + core + "/admin/advanced/projections/{name}/rebuild":             area(permission.AreaAudit),
	"POST " + core + "/cron":                                                  triggering,
	"GET " + core + "/admin/advanced/cron":                                    area(permission.AreaCronView),
	"GET " + core + "/admin/advanced/cron/health":                             area(permission.AreaCronView),
	"POST " + core + "/admin/advanced/cron/{id}":                              area(permission.AreaCronRun),
	"GET " + core + "/admin/advanced/queue":                                   area(permission.AreaQueueView),
	"POST " + core + "/admin/advanced/queue/{id}/retry":                       area(permission.AreaQueueRetry),
	"POST " + core + "/admin/advanced/queue/{id}/fail":                        area(permission.AreaQueueRetry),
	"GET " + core + "/admin/integrations":                                     area(permission.AreaIntegrations),
	"POST " + core + "/admin/system/mail":                                     area(permission.AreaIntegrations),
	"GET " + core + "/admin/system":                                           area(permission.AreaIntegrations),
	"GET " + core + "/admin/users":                                            area(permission.AreaUsersManage, permission.AreaModerators, permission.AreaAdmins),
	"POST " + core + "/admin/users":                                           area(permission.AreaUsersManage),
	"POST " + core + "/admin/users/{id}/disable":                              area(permission.AreaUsersManage),
	"POST " + core + "/admin/users/{id}/enable":                               area(permission.AreaUsersManage),
	"POST " + core + "/admin/users/{id}/trusted":                              area(permission.AreaUsersManage),
	"POST " + core + "/admin/users/{id}/factors/reset":                        area(permission.AreaUsersManage),
	"DELETE " + core + "/admin/users/{id}":                                    area(permission.AreaUsersDelete),
	"GET " + core + "/admin/staff/permissions":                                area(permission.AreaModerators, permission.AreaAdmins),
	"GET " + core + "/admin/staff/scope-resources/{family}":                   area(permission.AreaModerators, permission.AreaAdmins),
	"GET " + core + "/admin/staff/moderators":                                 area(permission.AreaModerators),
	"POST " + core + "/admin/staff/entry/moderator":                           area(permission.AreaModerators),
	"GET " + core + "/admin/staff/entry/moderator/{id}":                       area(permission.AreaModerators),
	"PATCH " + core + "/admin/staff/entry/moderator/{id}":                     area(permission.AreaModerators),
	"DELETE " + core + "/admin/staff/entry/moderator/{id}":                    area(permission.AreaModerators),
	"GET " + core + "/admin/staff/entry/moderator/{id}/history":               area(permission.AreaModerators),
	"GET " + core + "/admin/staff/admins":                                     area(permission.AreaAdmins),
	"POST " + core + "/admin/staff/entry/admin":                               area(permission.AreaAdmins),
	"GET " + core + "/admin/staff/entry/admin/{id}":                           area(permission.AreaAdmins),
	"PATCH " + core + "/admin/staff/entry/admin/{id}":                         area(permission.AreaAdmins),
	"DELETE " + core + "/admin/staff/entry/admin/{id}":                        area(permission.AreaAdmins),
	"GET " + core + "/admin/staff/entry/admin/{id}/history":                   area(permission.AreaAdmins),
	"GET " + core + "/admin/webhooks":                                         area(permission.AreaWebhooks),
	"POST " + core + "/admin/webhooks":                                        area(permission.AreaWebhooks),
	"GET " + core + "/admin/webhooks/{id}":                                    area(permission.AreaWebhooks),
	"PATCH " + core + "/admin/webhooks/{id}":                                  area(permission.AreaWebhooks),
	"DELETE " + core + "/admin/webhooks/{id}":                                 area(permission.AreaWebhooks),
	"POST " + core + "/admin/webhooks/{id}/ping":                              area(permission.AreaWebhooks),
	"GET " + core + "/admin/webhooks/{id}/deliveries":                         area(permission.AreaWebhooks),
	"POST " + core + "/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver": area(permission.AreaWebhooks),
	"GET " + core + "/users/decisions":                                        members,
	"GET " + core + "/users/decisions/{id}":                                   members,
	"POST " + core + "/users/decisions/{id}/appeal":                           reporting,
	"GET " + core + "/moderation/authors/{author}":                            board,
	"GET " + core + "/moderation/held":                                        board,
	"POST " + core + "/moderation/held/{id}/approve":                          board,
	"POST " + core + "/moderation/held/{id}/reject":                           board,
	"GET " + core + "/moderation/appeals":                                     {account: true, moderator: true, moderates: true, anywhere: permission.DecideAppeals},
	"GET " + core + "/moderation/measures":                                    board,
	"POST " + core + "/moderation/measures/{id}/end":                          board,
	"POST " + core + "/moderation/reports/{id}/statement":                     needs(),
	"GET " + core + "/moderation/reports/{id}/proposal":                       needs(),
	"GET " + core + "/users/standing":                                         members,
	"GET " + core + "/moderation/appeals/{id}":                                board,
	"POST " + core + "/moderation/appeals/{id}/uphold":                        board,
	"POST " + core + "/moderation/appeals/{id}/overturn":                      board,
	"GET " + core + "/moderation/policies":                                    everybody,
	"GET " + core + "/moderation/seconds":                                     {account: true, moderator: true, moderates: true, anywhere: permission.ViewQuality},
	"POST " + core + "/moderation/seconds/{id}":                               deciding,
	"POST " + core + "/moderation/seconds/{id}/leave":                         deciding,
	"POST " + core + "/moderation/seconds/{id}/settle":                        board,
	"GET " + core + "/moderation/stats/agreement":                             board,
	"GET " + core + "/admin/quality":                                          area(permission.AreaQuality),
	"PUT " + core + "/admin/quality":                                          area(permission.AreaQuality),
	"GET " + core + "/admin/ladder":                                           area(permission.AreaPolicies),
	"PUT " + core + "/admin/ladder":                                           area(permission.AreaPolicies),
	"POST " + core + "/admin/policies":                                        area(permission.AreaPolicies),
	"GET " + core + "/admin/rules":                                            area(permission.AreaRules),
	"POST " + core + "/admin/rules":                                           area(permission.AreaRules),
	"POST " + core + "/admin/rules/{key}/mode":                                area(permission.AreaRules),
	"POST " + core + "/admin/rules/{key}/retire":                              area(permission.AreaRules),
	"POST " + core + "/admin/rules/try":                                       area(permission.AreaRules),
	"GET " + core + "/admin/rules/{key}/matches":                              area(permission.AreaRules),
	"POST " + core + "/admin/rules/check":                                     area(permission.AreaRules),
	"GET " + core + "/admin/rules/backtests":                                  area(permission.AreaRules),
	"POST " + core + "/admin/rules/backtests":                                 area(permission.AreaRules),
	"GET " + core + "/admin/rules/backtests/{id}":                             area(permission.AreaRules),
	"POST " + core + "/admin/rules/backtests/{id}/cancel":                     area(permission.AreaRules),
	"GET " + core + "/admin/platforms":                                        area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/fetch":                                 area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/check":                                 area(permission.AreaPlatforms),
	"GET " + core + "/admin/platforms/{id}":                                   area(permission.AreaPlatforms),
	"PUT " + core + "/admin/platforms/{id}":                                   area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/{id}/secret":                           area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/{id}/try":                              area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/{id}/off":                              area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/{id}/on":                               area(permission.AreaPlatforms),
	"POST " + core + "/admin/platforms/{id}/restore":                          area(permission.AreaPlatforms),
	"GET " + core + "/transparency/{id}":                                      everybody,
	"GET " + core + "/admin/transparency":                                     area(permission.AreaAudit),
	"POST " + core + "/admin/transparency":                                    area(permission.AreaAudit),
	"GET " + core + "/admin/transparency/{id}":                                area(permission.AreaAudit),
	"POST " + core + "/admin/transparency/{id}/publish":                       area(permission.AreaAudit),
	"GET " + core + "/admin/holds":                                            area(permission.AreaHold),
	"POST " + core + "/admin/holds":                                           area(permission.AreaHold),
	"GET " + core + "/admin/holds/{id}":                                       area(permission.AreaHold),
	"POST " + core + "/admin/holds/{id}/lift":                                 area(permission.AreaHold),
	"GET " + core + "/admin/statements":                                       area(permission.AreaAudit),
	"GET " + core + "/admin/statements/settings":                              area(permission.AreaAudit),
	"POST " + core + "/admin/statements/{id}/retry":                           area(permission.AreaPolicies),
	"POST " + core + "/admin/policies/{key}/retire":                           area(permission.AreaPolicies),
	"GET " + core + "/admin/advanced/poison":                                  area(permission.AreaPoison),
	"POST " + core + "/admin/advanced/poison/{id}/replay":                     area(permission.AreaPoison),
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
	one       bool           // they lack one permission or area alone, or have one alone
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

// differs reports whether the rule may treat the caller otherwise than one with everything of their kind.
func (p person) differs(r rule) bool {
	if !p.one || p.moderator != nil {
		return !p.one || r.moderator
	}
	return slices.ContainsFunc(r.areas, func(a string) bool { return len(p.admin) == 1 || !slices.Contains(p.admin, a) })
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
		all = append(all, person{name: "all but " + p, moderator: without(everyPermission, p), one: true})
	}
	for _, a := range areas {
		all = append(all, person{name: "all areas but " + a, admin: without(areas, a), one: true}, person{name: "the area " + a + " alone", admin: []string{a}, one: true})
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
		_, err = b.pool.Exec(ctx, `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, permissions, created_at, updated_at)
			VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), now())`, kind, id, unrestricted, encoded)
		require.NoError(b.t, err)
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
		known[key] = true
		r, ruled := accessRules[key]
		if !ruled {
			t.Errorf("%s has no rule: say in accessRules who may call it", key)
			continue
		}
		t.Run(strings.ReplaceAll(key, "/", "|"), func(t *testing.T) {
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
		require.True(t, known[key], "there is no route %s", key)
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
	raw, err := http.OpenAPI()
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(raw, &document))
	var described, routed []string
	for path, item := range document.Paths {
		if !strings.HasPrefix(path, "/api/") {
			path = core + path
		}
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if _, ok := item[method]; ok {
				described = append(described, strings.ToUpper(method)+" "+path)
			}
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
	ctx := context.Background()
	found, err := b.pool.Query(ctx, `SELECT relname FROM pg_stat_user_tables
		WHERE relname NOT IN ('core_sessions', 'core_moderation_attempts', 'core_sign_in_failures', 'core_moderation_presence') ORDER BY relname`)
	require.NoError(b.t, err)
	tables, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(b.t, err)
	counts := map[string]int{}
	for _, table := range tables {
		var n int
		require.NoError(b.t, b.pool.QueryRow(ctx, "SELECT count(*) FROM "+pgx.Identifier{table}.Sanitize()).Scan(&n))
		counts[table] = n
	}
	return counts
}
