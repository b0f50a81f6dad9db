package http_test

import (
	"bytes"
	"encoding/json"
	nethttp "net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

// validBodies is a body that each writing route takes, and noBodies the routes
// that take none. A new route that is in neither fails the tests.
var validBodies = map[string]string{
	"POST " + core + "/users/sign-in":                                 `{"email":"nobody@example.test","password":"not the password"}`,
	"POST " + core + "/moderation/reports":                            `{"pluginId":"forum","targetType":"forum.post","targetId":"2","reason":"other","description":"Ten characters or more.","locale":"en","requestedLocale":"en"}`,
	"POST " + core + "/moderation/signals":                            `{"pluginId":"forum","targetType":"forum.post","targetId":"2","signals":[{"name":"spam","score":0.5}]}`,
	"POST " + core + "/moderation/reports/{id}/translate":             `{"to":"en"}`,
	"POST " + core + "/moderation/cases/pass":                         `{"target":{"pluginId":"forum","type":"forum.post","id":"1"},"reason":"language"}`,
	"POST " + core + "/moderation/cases/park":                         `{"target":{"pluginId":"forum","type":"forum.post","id":"1"},"until":null}`,
	"POST " + core + "/moderation/reports/{id}/claim":                 `{"expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/assign":                `{"expectedVersion":1,"assigneeId":"0197a0b0-0000-7000-8000-000000000001"}`,
	"POST " + core + "/moderation/reports/{id}/unassign":              `{"expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/escalate":              `{"to":"leads","note":"It is hard.","expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/return":                `{"note":"Decide it.","expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/resolve":               `{"expectedVersion":1,"resolution":"no_violation","explanation":"Nothing is wrong with it.","share":false,"policy":{"key":"be-kind","version":1},"reasons":"It breaks a rule."}`,
	"POST " + core + "/moderation/reports/{id}/reopen":                `{"expectedVersion":1,"reason":"A second look."}`,
	"POST " + core + "/moderation/reports/{id}/actions/{action}":      `{"expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/notes":                 `{"body":"A note."}`,
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/edit":   `{"body":"Another.","expectedVersion":1}`,
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/pin":    `{"until":null}`,
	"POST " + core + "/moderation/reports/{id}/notes/{noteId}/delete": `{"expectedVersion":1}`,
	"POST " + core + "/moderation/measures/{id}/end":                  `{"reason":"It was too much.","expectedVersion":1}`,
	"PUT " + core + "/admin/quality":                                  `{"percent":5,"golden":1}`,
	"POST " + core + "/moderation/seconds/{id}":                       `{"resolution":"no_violation","policy":null}`,
	"POST " + core + "/moderation/seconds/{id}/settle":                `{"stands":true,"reason":"It is as it was."}`,
	"PUT " + core + "/admin/ladder":                                   `{"steps":[{"strikes":2,"kind":"suspend","days":7}]}`,
	"PUT " + core + "/users/digest":                                   `{"every":"daily","urgent":true}`,
	"POST " + core + "/users/digest/stop":                             `{"token":"x"}`,
	"POST " + core + "/notices":                                       `{"url":"https://docket.test/x","explanation":"It is an advertisement for something that nobody may sell here.","name":"Ada","email":"ada@example.test","goodFaith":true}`,
	"POST " + core + "/notices/confirm":                               `{"token":"x"}`,
	"PUT " + core + "/moderation/views/{name}":                        `{"query":"status=new"}`,
	"POST " + core + "/admin/staff/entry/moderator":                   `{"userId":"0197a0b0-0000-7000-8000-000000000001"}`,
	"POST " + core + "/admin/staff/entry/admin":                       `{"userId":"0197a0b0-0000-7000-8000-000000000001"}`,
	"PATCH " + core + "/admin/staff/entry/moderator/{id}":             `{"unrestricted":false,"permissions":[],"expectedUpdatedAt":"2026-01-01T00:00:00Z"}`,
	"PATCH " + core + "/admin/staff/entry/admin/{id}":                 `{"unrestricted":false,"permissions":[],"expectedUpdatedAt":"2026-01-01T00:00:00Z"}`,
	"POST " + core + "/admin/webhooks":                                `{"url":"https://hooks.example.test/docket","events":["moderation.report.created"],"pluginId":"forum","scope":null}`,
	"PATCH " + core + "/admin/webhooks/{id}":                          `{"enabled":true}`,
	"POST " + core + "/users/decisions/{id}/appeal":                   `{"text":"It is no advertising."}`,
	"POST " + core + "/moderation/held/{id}/approve":                  `{"expectedVersion":2,"reason":"It is."}`,
	"POST " + core + "/moderation/held/{id}/reject":                   `{"expectedVersion":2}`,
	"POST " + core + "/moderation/appeals/{id}/uphold":                `{"reply":"It is.","expectedVersion":2}`,
	"POST " + core + "/moderation/appeals/{id}/overturn":              `{"reply":"It is not.","expectedVersion":2}`,
	"POST " + core + "/users/name":                                    `{"name":"Ada"}`,
	"POST " + core + "/users/password":                                `{"current":"demo-password","new":"a longer password"}`,
	"POST " + core + "/users/tokens":                                  `{"name":"mine","use":"read","expiresAt":"2030-01-01T00:00:00Z"}`,
	"POST " + core + "/users/sign-in/factor":                          `{"token":"none","code":"123456"}`,
	"POST " + core + "/users/factors/totp/confirm":                    `{"code":"123456"}`,
	"POST " + core + "/users/factors/passkeys":                        `{"name":"Laptop","passkey":{}}`,
	"POST " + core + "/users/forgot":                                  `{"email":"ada@example.test"}`,
	"POST " + core + "/users/reset":                                   `{"token":"none","password":"a longer password"}`,
	"POST " + core + "/users/setup":                                   `{"token":"none","email":"ada@example.test","name":"Ada","password":"a longer password"}`,
	"POST " + core + "/admin/users":                                   `{"email":"ada@example.test","name":"Ada"}`,
	"POST " + core + "/admin/users/{id}/trusted":                      `{"trusted":true,"name":"Hotline"}`,
	"POST " + core + "/moderation/reporters/{id}/mute":                `{"until":"2030-01-01T00:00:00Z","reason":"Reports everything."}`,
	"POST " + core + "/moderation/similar/decide":                     `{"reports":[{"id":"0197a0b0-0000-7000-8000-000000000001","expectedVersion":1}],"action":null,"resolve":{"resolution":"no_violation"}}`,
	"POST " + core + "/moderation/cases/decide":                       `{"target":{"pluginId":"forum","type":"forum.post","id":"1"},"reports":[{"id":"0197a0b0-0000-7000-8000-000000000001","expectedVersion":1}],"action":null,"resolve":{"resolution":"no_violation"}}`,
	"POST " + core + "/admin/platforms/fetch":                         `{"url":"https://127.0.0.1:9/x.yaml"}`,
	"POST " + core + "/admin/rules":                                   `{"key":"links","title":"Links","when":"links.size() > 2","then":{"points":10,"due":"1h","tags":["links"],"hide":false}}`,
	"POST " + core + "/admin/rules/{key}/mode":                        `{"mode":"draft"}`,
	"POST " + core + "/admin/holds":                                   `{"reports":null,"authorId":"ada","pluginId":null,"basis":"A claim","reference":"4 O 12/26","until":"2030-01-01T00:00:00Z"}`,
	"POST " + core + "/admin/rules/try":                               `{"when":"muted"}`,
	"POST " + core + "/admin/rules/check":                             `{"when":"muted"}`,
	"POST " + core + "/admin/rules/backtests":                         `{"when":"muted","since":null,"against":{"key":"links","version":1}}`,
	"POST " + core + "/admin/platforms/check":                         `{"manifest":"id: shop"}`,
	"PUT " + core + "/admin/platforms/{id}":                           `{"manifest":"id: shop","expectedVersion":1}`,
	"POST " + core + "/admin/platforms/{id}/try":                      `{"type":"shop.review","targetId":"1"}`,
	"POST " + core + "/admin/platforms/{id}/restore":                  `{"version":1}`,
	"POST " + core + "/moderation/reports/{id}/statement":             `{"policy":{"key":"be-kind","version":1},"actions":["hide"]}`,
	"POST " + core + "/admin/transparency":                            `{"since":"2026-01-01","until":"2026-01-31"}`,
	"POST " + core + "/admin/policies":                                `{"key":"be-kind","title":"Be kind","text":"Be kind.","template":"You were not kind."}`,
}

var wholeNumber = regexp.MustCompile(`":\d+\b`)

var noBodies = []string{
	"POST " + core + "/admin/rules/backtests/{id}/cancel",
	"POST " + core + "/admin/rules/{key}/retire",
	"POST " + core + "/users/sign-out",
	"POST " + core + "/users/notices/{id}/read",
	"POST " + core + "/moderation/reports/{id}/presence",
	"POST " + core + "/cron",
	"POST " + core + "/moderation/next",
	"POST " + core + "/users/sessions/end-all",
	"POST " + core + "/users/tokens/end-all",
	"POST " + core + "/users/factors/totp",
	"POST " + core + "/users/factors/passkeys/options",
	"POST " + core + "/users/factors/recovery",
	"POST " + core + "/admin/users/{id}/factors/reset",
	"POST " + core + "/admin/system/mail",
	"POST " + core + "/admin/users/{id}/disable",
	"POST " + core + "/admin/users/{id}/enable",
	"POST " + core + "/moderation/reporters/{id}/unmute",
	"POST " + core + "/admin/advanced/cron/{id}",
	"POST " + core + "/admin/advanced/queue/{id}/retry",
	"POST " + core + "/admin/advanced/queue/{id}/fail",
	"POST " + core + "/admin/advanced/poison/{id}/replay",
	"POST " + core + "/admin/advanced/projections/{name}/verify",
	"POST " + core + "/admin/advanced/projections/{name}/rebuild",
	"POST " + core + "/admin/webhooks/{id}/ping",
	"POST " + core + "/admin/platforms/{id}/secret",
	"POST " + core + "/admin/platforms/{id}/off",
	"POST " + core + "/admin/platforms/{id}/on",
	"POST " + core + "/admin/policies/{key}/retire",
	"POST " + core + "/admin/holds/{id}/lift",
	"POST " + core + "/admin/statements/{id}/retry",
	"POST " + core + "/admin/transparency/{id}/publish",
	"POST " + core + "/moderation/seconds/{id}/leave",
	"POST " + core + "/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver",
}

// fixture is a bundle with one of each thing that a path can name.
type fixture struct {
	*bundle
	root     *client // may do everything
	signals  *client // with a token of use signal
	reportID string
	noteID   string
	// ids are what `{id}` is in paths of other things, by the beginning of the path.
	ids map[string]string
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{bundle: newBundle(t), ids: map[string]string{}}
	p := person{name: "Root", root: true, unlimited: true}
	f.enter(&p)
	f.root = &client{b: f.bundle, header: p.header}
	machine := person{use: permission.UseSignal}
	f.enter(&machine)
	f.signals = &client{b: f.bundle, header: machine.header}
	f.reportID = f.file(0, "1")
	note := f.root.post("/moderation/reports/"+f.reportID+"/notes", map[string]any{"body": "a note"}).status(nethttp.StatusCreated)
	f.noteID = note.body["note"].(map[string]any)["id"].(string)
	for _, kind := range []permission.Kind{permission.Moderator, permission.Admin} {
		made := f.root.post("/admin/staff/entry/"+string(kind), map[string]any{"userId": f.members[1]}).status(nethttp.StatusCreated)
		f.ids[core+"/admin/staff/entry/"+string(kind)+"/"] = made.body["id"].(string)
	}
	hook := f.root.post("/admin/webhooks", map[string]any{"url": "https://hooks.example.test/docket", "events": []string{"moderation.report.created"}})
	f.ids[core+"/admin/webhooks/"] = hook.status(nethttp.StatusCreated).body["id"].(string)
	f.root.put("/admin/platforms/shop", map[string]any{"manifest": "id: shop\nremote: {url: https://shop.example.test/docket}\n"}).status(nethttp.StatusCreated)
	f.ids[core+"/admin/platforms/"] = "shop"
	own := f.root.post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "3", "reason": "spam"})
	decided := own.status(nethttp.StatusCreated).body["id"].(string)
	f.root.post("/moderation/reports/"+decided+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	f.ids[core+"/users/decisions/"] = decided
	f.ids[core+"/moderation/reporters/"] = f.members[0]
	appeal := f.root.post("/users/decisions/"+decided+"/appeal", map[string]any{"text": "Look again."}).status(nethttp.StatusCreated)
	f.ids[core+"/moderation/appeals/"] = appeal.body["id"].(string)
	warned := "/moderation/reports/" + f.file(2, "4")
	author := f.root.get(warned).body["snapshot"].(map[string]any)["authors"].([]any)[0].(map[string]any)["id"]
	warning := f.root.post(warned+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken",
		"measures": []any{map[string]any{"authorId": author, "kind": "warn"}}}).status(nethttp.StatusOK)
	f.ids[core+"/moderation/measures/"] = warning.body["measures"].([]any)[0].(map[string]any)["measureId"].(string)
	held := f.unlimited("Asker").post("/moderation/reports/"+f.file(3, "5")+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": f.keyed("held")})
	f.ids[core+"/moderation/held/"] = held.status(nethttp.StatusAccepted).body["held"].(map[string]any)["id"].(string)
	drawn := uuid.NewString()
	pgtest.Exec(t, f.pool, `INSERT INTO core_seconds (id, decision_id, report_id, drawn_by, decided_at, resolution, status)
		VALUES ($1, $1, $2, 1, now(), 'no_violation', 'drawn')`, drawn, f.reportID)
	f.ids[core+"/moderation/seconds/"] = drawn
	put := f.root.do(nethttp.MethodPut, "/moderation/views/mine", "application/json", []byte(`{"query":"status=new"}`))
	require.Less(t, put.code, 300)
	return f
}

// path puts the things that are there into a route's path.
func (f *fixture) path(key string) string {
	for prefix, id := range f.ids {
		if strings.Contains(key, " "+prefix) {
			key = strings.Replace(key, "{id}", id, 1)
		}
	}
	return fill(key, f.reportID, f.noteID)
}

// send answers with status, body and headers, whatever the document says of it.
func (f *fixture) send(t *testing.T, method, path, contentType string, body []byte) (int, map[string]any, nethttp.Header) {
	t.Helper()
	r, err := nethttp.NewRequest(method, f.server.URL+path, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header = f.root.header.Clone()
	if strings.HasPrefix(path, core+"/moderation/signals") {
		r.Header = f.signals.header.Clone()
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := f.server.Client().Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	var decoded map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&decoded)
	return resp.StatusCode, decoded, resp.Header
}

func issuePaths(body map[string]any) []string {
	var paths []string
	list, _ := body["issues"].([]any)
	for _, issue := range list {
		paths = append(paths, issue.(map[string]any)["path"].(string))
	}
	return paths
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := f.rows()
	t.Run("bodies", f.badBodies)
	t.Run("paths", f.badPaths)
	t.Run("queries", f.badQueries)
	t.Run("many faults", f.manyFaults)
	t.Run("parameters", f.parameters)
	require.Equal(t, before, f.rows(), "nothing was stored")
}

// badBodies sends every kind of bad body to every
// route that takes one: the right refusal, every fault told, nothing stored.
func (f *fixture) badBodies(t *testing.T) {
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		if route.Method == nethttp.MethodGet || route.Method == nethttp.MethodDelete || slices.Contains(noBodies, key) {
			continue
		}
		valid, ok := validBodies[key]
		require.True(t, ok, "%s: add a valid body of it", key)
		t.Run(strings.ReplaceAll(key, "/", "|"), func(t *testing.T) { f.badBodiesOf(t, route.Method, f.path(key), valid) })
	}
}

func (f *fixture) badBodiesOf(t *testing.T, method, path, valid string) {
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(valid), &fields))
	first := valid[strings.Index(valid, `"`) : strings.Index(valid, ":")+1]
	for name, body := range map[string]string{
		"nothing":       ``,
		"an array":      `[]`,
		"null":          `null`,
		"a string":      `"` + strings.ReplaceAll(valid, `"`, `\"`) + `"`,
		"half":          valid[:len(valid)-1],
		"two values":    valid + valid,
		"trailing data": valid + "x",
		"a key twice":   valid[:len(valid)-1] + "," + first + "1}",
		"invalid UTF-8": valid[:len(valid)-1] + ",\"x\":\"\xff\"}",
		"too deep":      valid[:len(valid)-1] + `,"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}",
		"a comment":     "/* */" + valid,
	} {
		if name == "nothing" && strings.HasSuffix(path, "/delete") {
			continue // a note is deleted without a body
		}
		status, answer, _ := f.send(t, method, path, "application/json", []byte(body))
		require.Equal(t, nethttp.StatusBadRequest, status, "%s: %v", name, answer)
		require.Equal(t, "validation_failed", answer["error"], name)
		require.NotEmpty(t, answer["issues"], name)
	}
	status, answer, _ := f.send(t, method, path, "application/json", []byte(`{"x":"`+strings.Repeat("a", 1<<20)+`"}`))
	require.Equal(t, nethttp.StatusRequestEntityTooLarge, status)
	require.Equal(t, "payload_too_large", answer["error"])
	status, answer, _ = f.send(t, method, path, "application/xml", []byte(valid))
	require.Equal(t, nethttp.StatusUnsupportedMediaType, status)
	require.Equal(t, "unsupported_media_type", answer["error"])
	if method == nethttp.MethodPost {
		for _, form := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			status, _, _ = f.send(t, method, path, form, []byte(valid))
			require.Equal(t, nethttp.StatusForbidden, status, "a form could send %q", form)
		}
	}

	// Every field of another type, and one that is not there, are told at once.
	wrong := map[string]any{"noSuchField": true}
	want := []string{"noSuchField"}
	for name := range fields {
		wrong[name] = map[string]any{"a": []int{1}}
		want = append(want, name)
	}
	encoded, err := json.Marshal(wrong)
	require.NoError(t, err)
	status, answer, _ = f.send(t, method, path, "application/json", encoded)
	require.Equal(t, nethttp.StatusBadRequest, status, "%v", answer)
	told := issuePaths(answer)
	for _, name := range want {
		require.True(t, slices.ContainsFunc(told, func(p string) bool {
			return p == name || strings.HasPrefix(p, name+".") || strings.HasPrefix(p, name+"[")
		}),
			"%s is not told of: %v", name, answer)
	}
	// Numbers beyond PostgreSQL's integer.
	if huge := wholeNumber.ReplaceAllString(valid, `":2147483648`); huge != valid {
		status, answer, _ = f.send(t, method, path, "application/json", []byte(huge))
		require.Less(t, status, 500, "%v", answer)
	}
	// A text that PostgreSQL cannot store.
	for name, value := range fields {
		if value[0] != '"' {
			continue
		}
		changed := map[string]json.RawMessage{}
		for n, v := range fields {
			changed[n] = v
		}
		changed[name] = json.RawMessage(`"a\u0000b"`)
		encoded, err := json.Marshal(changed)
		require.NoError(t, err)
		status, answer, _ := f.send(t, method, path, "application/json", encoded)
		require.Equal(t, nethttp.StatusBadRequest, status, "%s: %v", name, answer)
		require.Contains(t, issuePaths(answer), name)
	}
}

// badPaths asks for ids that are not of their form, of which no thing is
// told, and for methods that a path does not have.
func (f *fixture) badPaths(t *testing.T) {
	methods := map[string][]string{}
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		_, path, _ := strings.Cut(key, " ")
		methods[path] = append(methods[path], route.Method)
		for _, parameter := range []string{"{id}", "{noteId}", "{deliveryId}"} {
			if !strings.Contains(path, parameter) || strings.HasPrefix(path, "/api/{plugin}") {
				continue
			}
			for _, id := range []string{"x", "1", "%00", "%ff", "%2e%2e%2fx", "'", "%7B" + uuid.NewString() + "%7D", "urn:uuid:" + uuid.NewString(),
				strings.ReplaceAll(uuid.NewString(), "-", ""), uuid.NewString() + "0", strings.Repeat("a", 3000)} {
				status, answer, _ := f.send(t, route.Method, f.path(strings.Replace(key, parameter, id, 1)), "application/json", []byte(validBodies[key]))
				require.Equal(t, nethttp.StatusNotFound, status, "%s with %s: %v", key, id, answer)
				require.Equal(t, "not_found", answer["error"])
			}
		}
	}
	for path, has := range methods {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if slices.Contains(has, method) || strings.HasPrefix(path, "/api/{plugin}") {
				continue
			}
			status, answer, header := f.send(t, method, f.path(method+" "+path), "application/json", []byte(`{}`))
			if status == nethttp.StatusNotFound && taken(methods, method, path) {
				continue
			}
			require.Equal(t, nethttp.StatusMethodNotAllowed, status, "%s %s: %v", method, path, answer)
			for _, m := range has {
				require.Contains(t, header.Get("Allow"), m)
			}
		}
	}
}

// taken reports whether another route's pattern may take the path, as `{id}` takes `health`.
func taken(methods map[string][]string, method, path string) bool {
	for other, has := range methods {
		if other != path && slices.Contains(has, method) && strings.Count(other, "/") == strings.Count(path, "/") {
			return true
		}
	}
	return false
}

// badQueries sends what no list takes to every list there is.
func (f *fixture) badQueries(t *testing.T) {
	lists := 0
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		if route.Method != nethttp.MethodGet || strings.HasSuffix(key, "/live") {
			continue
		}
		path := f.path(key)
		status, page, _ := f.send(t, route.Method, path, "", nil)
		require.Less(t, status, 500, key)
		if page["edges"] == nil {
			continue
		}
		lists++
		for query, code := range map[string]string{
			"first=0": "validation_failed", "first=-1": "validation_failed", "first=": "validation_failed", "first=1.5": "validation_failed",
			"first=1e2": "validation_failed", "last=x": "validation_failed",
			"cursor=x": "invalid_cursor", "cursor=" + url.QueryEscape("\x00"): "invalid_cursor",
		} {
			status, answer, _ := f.send(t, route.Method, path+"?"+query, "", nil)
			require.Equal(t, nethttp.StatusBadRequest, status, "%s?%s: %v", key, query, answer)
			require.Equal(t, code, answer["error"], "%s?%s: %v", key, query, answer)
		}
		for _, query := range []string{"search=%00", "search=%ff", "search=" + strings.Repeat("a", 5000), "orderBy=%27", "order=%00", "status=%00", "targetId=%00",
			"scope=%00", "cursor=" + strings.Repeat("A", 5000), "locale=%00", "authorId=%00", "kind=%ff", "author=%00", "createdAfter=x", "group=%00", "after=x", "unread=%00"} {
			status, answer, _ := f.send(t, route.Method, path+"?"+query, "", nil)
			require.Less(t, status, 500, "%s?%s: %v", key, query, answer)
		}
	}
	require.GreaterOrEqual(t, lists, 10, "only %d lists were found", lists)
}

// A megabyte has room for hundreds of thousands of faults: the answer names some, and
// finding them takes no longer than reading.
func (f *fixture) manyFaults(t *testing.T) {
	grant := `{"plugin":"forum","module":"posts","permission":"can_view_reports","scope":{"family":"forum.category","mode":"selected","ids":[` +
		strings.TrimSuffix(strings.Repeat(`"a",`, 2000), ",") + `]}}`
	for key, body := range map[string]string{
		"POST " + core + "/admin/webhooks":                    `{"url":"x","events":[` + strings.Repeat("1,", 500_000) + `1]}`,
		"PATCH " + core + "/admin/staff/entry/moderator/{id}": `{"permissions":[` + strings.TrimSuffix(strings.Repeat(grant+",", 120), ",") + `]}`,
	} {
		method, _, _ := strings.Cut(key, " ")
		status, answer, _ := f.send(t, method, f.path(key), "application/json", []byte(body))
		require.Equal(t, nethttp.StatusBadRequest, status, key)
		require.Len(t, answer["issues"], 100, key)
	}
}

// Each parameter of the document is one that its route reads: of two values, one would be
// dropped in silence, and one that no text can hold matches nothing. Each other parameter is refused, so the route reads no more than these.
func (f *fixture) parameters(t *testing.T) {
	checked := 0
	var wrong []string
	for path, item := range apiDocument(t).Paths.Map() {
		if !strings.HasPrefix(path, "/api/") {
			path = core + path
		}
		for method, o := range item.Operations() {
			key := method + " " + path
			if slices.Contains([]string{"POST " + core + "/cron", "GET " + core + "/embed/report.js"}, key) {
				continue
			}
			filled := f.path(key)
			names, open := queryParameters(item, o)
			for _, name := range names {
				status, body, _ := f.send(t, method, filled+"?"+name+"=1&"+name+"=2", "application/json", nil)
				if status != nethttp.StatusBadRequest || body["error"] != "validation_failed" || !slices.Contains(issuePaths(body), name) {
					wrong = append(wrong, key+"?"+name)
				}
				if status, _, _ = f.send(t, method, filled+"?"+name+"=%00", "application/json", nil); status < nethttp.StatusBadRequest || status >= nethttp.StatusInternalServerError {
					wrong = append(wrong, key+"?"+name+"=%00")
				}
				checked++
			}
			if open {
				continue
			}
			status, body, _ := f.send(t, method, filled+"?nonsense=1", "application/json", nil)
			if status != nethttp.StatusBadRequest || body["error"] != "unknown_parameter" || !slices.Equal(issuePaths(body), []string{"nonsense"}) {
				wrong = append(wrong, key+"?nonsense")
			}
			checked++
		}
	}
	require.Empty(t, wrong)
	require.Greater(t, checked, 250)
}
