package http_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	nethttp "net/http"
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

var wholeNumber = regexp.MustCompile(`":\d+([,}])`)

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
	notices := map[string]string{"SMTP_URL": "smtp://127.0.0.1:1?from=docket@example.test", "DOCKET_NOTICES": "on"}
	f := &fixture{bundle: newBundleWith(t, notices), ids: map[string]string{}}
	p := person{name: "Root", root: true, unlimited: true}
	f.enter(&p)
	f.root = &client{b: f.bundle, header: p.header}
	f.signals = f.signaller("shop") // as the document's example
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
	sender := f.root
	if strings.HasPrefix(path, core+"/moderation/signals") {
		sender = f.signals
	}
	a := sender.undescribed(method, path, contentType, body)
	return a.code, a.body, a.header
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
	t.Run("orders", f.orders)
	require.Equal(t, before, f.rows(), "nothing was stored")
}

// A route that reads a body has it described, or the tests of bodies would pass it by. What is sent may be done.
func TestABodyThatIsReadIsDescribed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		_, described := bodies(t)[key]
		if described || route.Method == nethttp.MethodGet || strings.Contains(key, "/users/s") { // which end the session
			continue
		}
		status, answer, _ := f.send(t, route.Method, f.path(key), "application/json", []byte(`{"noSuchField":true}`))
		require.NotEqual(t, nethttp.StatusUnauthorized, status, key)
		require.NotContains(t, issuePaths(answer), "noSuchField", "%s reads a body", key)
	}
}

// badBodies sends bad bodies to every route that takes one: the right refusal, every fault told, nothing stored.
// How a body is read is one for all routes, so a few of them get every kind of it.
func (f *fixture) badBodies(t *testing.T) {
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		if body, takes := bodies(t)[key]; takes {
			t.Run(strings.ReplaceAll(key, "/", "|"), func(t *testing.T) {
				t.Parallel()
				f.badBodiesOf(t, route.Method, f.path(key), body)
			})
		}
	}
}

func (f *fixture) badBodiesOf(t *testing.T, method, path string, described exampleBody) {
	valid := described.json
	first := valid[strings.Index(valid, `"`) : strings.Index(valid, ":")+1]
	kinds := map[string]string{
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
	}
	thorough := strings.HasSuffix(path, "/moderation/reports") || strings.HasSuffix(path, "/claim")
	if !thorough {
		kinds = map[string]string{"half": kinds["half"], "a key twice": kinds["a key twice"]}
	}
	for name, body := range kinds {
		status, answer, _ := f.send(t, method, path, "application/json", []byte(body))
		require.Equal(t, nethttp.StatusBadRequest, status, "%s: %v", name, answer)
		require.Equal(t, "validation_failed", answer["error"], name)
		require.NotEmpty(t, answer["issues"], name)
	}
	if thorough {
		status, answer, _ := f.send(t, method, path, "application/json", []byte(`{"x":"`+strings.Repeat("a", 1<<20)+`"}`))
		require.Equal(t, nethttp.StatusRequestEntityTooLarge, status)
		require.Equal(t, "payload_too_large", answer["error"])
	}
	status, answer, _ := f.send(t, method, path, "application/xml", []byte(valid))
	require.Equal(t, nethttp.StatusUnsupportedMediaType, status)
	require.Equal(t, "unsupported_media_type", answer["error"])
	if method == nethttp.MethodPost {
		for _, form := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			if form != "text/plain" && !thorough {
				continue
			}
			status, _, _ = f.send(t, method, path, form, []byte(valid))
			require.Equal(t, nethttp.StatusForbidden, status, "a form could send %q", form)
		}
	}

	// Every field of another type, and one that is not there, are told at once.
	wrong := map[string]any{"noSuchField": true}
	for name := range described.fields {
		wrong[name] = map[string]any{"a": []int{1}}
	}
	encoded, err := json.Marshal(wrong)
	require.NoError(t, err)
	status, answer, _ = f.send(t, method, path, "application/json", encoded)
	require.Equal(t, nethttp.StatusBadRequest, status, "%v", answer)
	told := issuePaths(answer)
	for name := range wrong {
		require.True(t, slices.ContainsFunc(told, func(p string) bool {
			return p == name || strings.HasPrefix(p, name+".") || strings.HasPrefix(p, name+"[")
		}),
			"%s is not told of: %v", name, answer)
	}
	// Numbers beyond PostgreSQL's integer, and such as are no whole ones.
	for _, number := range []string{"2147483648", "99999999999999999999", "1.5"} {
		if changed := wholeNumber.ReplaceAllString(valid, `":`+number+"$1"); changed != valid {
			status, answer, _ = f.send(t, method, path, "application/json", []byte(changed))
			require.True(t, status == 400 || number == "2147483648" && status < 500, "%s: %v", number, answer)
		}
	}
	// A text that PostgreSQL cannot store.
	for name, isText := range described.fields {
		if !isText {
			continue
		}
		var changed map[string]any
		require.NoError(t, json.Unmarshal([]byte(valid), &changed))
		changed[name] = "a\u0000b"
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
			ids := []string{"%00", "urn:uuid:" + uuid.NewString()}
			if strings.HasSuffix(path, "/claim") {
				ids = []string{"x", "1", "%ff", "%2e%2e%2fx", "'", "%7B" + uuid.NewString() + "%7D", strings.ReplaceAll(uuid.NewString(), "-", ""), uuid.NewString() + "0", strings.Repeat("a", 3000)}
			}
			for _, id := range ids {
				status, answer, _ := f.send(t, route.Method, f.path(strings.Replace(key, parameter, id, 1)), "application/json", []byte(bodies(t)[key].json))
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
			break // one that it does not have
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
			"first=0": "validation_failed", "last=x": "validation_failed", "cursor=x": "invalid_cursor",
		} {
			status, answer, _ := f.send(t, route.Method, path+"?"+query, "", nil)
			require.Equal(t, nethttp.StatusBadRequest, status, "%s?%s: %v", key, query, answer)
			require.Equal(t, code, answer["error"], "%s?%s: %v", key, query, answer)
		}
		for _, query := range []string{"search=%ff", "search=" + strings.Repeat("a", 5000), "cursor=" + strings.Repeat("A", 5000)} {
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

// orders holds the columns that the document names of each list, the default first, to those that are told.
func (f *fixture) orders(t *testing.T) {
	for path, item := range apiDocument(t).Paths.Map() {
		if item.Get == nil {
			continue
		}
		p := item.Get.Parameters.GetByInAndName("query", "orderBy")
		if p == nil || path == "/moderation/events" { // which has one without a filter and another with one
			continue
		}
		if !strings.HasPrefix(path, "/api/") {
			path = core + path
		}
		var columns []string
		for _, column := range p.Schema.Value.Enum {
			columns = append(columns, column.(string))
		}
		status, body, _ := f.send(t, "GET", f.path("GET "+path)+"?orderBy=nonsense", "", nil)
		require.Equal(t, 400, status, path)
		message, _ := body["issues"].([]any)[0].(map[string]any)["message"].(string)
		require.Equal(t, "Must be one of "+strings.Join(columns, ", ")+".", message, path)
	}
}

// Given a body of unknown length that cannot be read, every command on a report refuses it,
// also one that may be sent without a body, and nothing is changed.
func TestAnUnreadableBodyIsRefused(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	id := b.file(0, "1")
	path := "/moderation/reports/" + id
	noteID := mo.post(path+"/notes", map[string]any{"body": "a note"}).status(201).body["note"].(map[string]any)["id"].(string)
	before := mo.get(path).status(200).raw
	for key := range bodies(t) {
		if !strings.HasPrefix(key, "POST "+core+"/moderation/reports/{id}/") {
			continue
		}
		conn, err := net.Dial("tcp", b.server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
			fill(key, id, noteID), b.server.Listener.Addr(), mo.header.Get("Cookie"))
		require.NoError(t, err)
		got, err := nethttp.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.Equal(t, nethttp.StatusBadRequest, got.StatusCode, key)
	}
	require.JSONEq(t, string(before), string(mo.get(path).status(200).raw))
}
