package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// atShop is a server that is connected to the shop, with an administrator and another moderator
// who may do everything.
type atShop struct {
	t           *testing.T
	s           *shop
	environment map[string]string
	pool        *pgxpool.Pool
	p           *process
	admin, lead *nethttp.Client
}

// Given a platform that is asked about its content, does what is decided, refuses, answers nothing
// that can be read, goes away and comes back.
func TestAPlatform(t *testing.T) {
	t.Parallel()
	a := &atShop{t: t, s: newShop(t), environment: map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}}
	a.pool = connectTo(t, a.environment["DATABASE_URL"])
	a.start()
	entry := a.p.must(a.admin, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]any{
		"userId": one[string](t, a.pool, `SELECT id::text FROM core_users WHERE email = 'member4@demo.test'`)})["id"].(string)
	a.p.must(a.admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"unrestricted": true})
	for _, what := range []func(){a.captures, a.filesForMembers, a.measures, a.undoes, a.waitsForASecondPerson, a.answersNothingReadable, a.outlivesTheLastAttempt} {
		what()
		a.s.set(nil)
	}
	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify", "reports"}} {
		got := docket(t, a.environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
	a.isAway()
}

func (a *atShop) start() {
	a.p = startWithShop(a.t, a.environment, a.s.server.URL)
	a.admin, a.lead = a.p.signIn("admin@demo.test"), a.p.signIn("member4@demo.test")
}

// file reports a review as a member.
func (a *atShop) file(review, member string) (id string) {
	a.t.Helper()
	status, filed := reportReview(a.t, a.p, a.p.signIn(member), review)
	require.Equal(a.t, nethttp.StatusCreated, status, filed)
	return filed["id"].(string)
}

func (a *atShop) read(id string) map[string]any {
	a.t.Helper()
	return readReport(a.t, a.p, a.admin, id)
}

func (a *atShop) timeline(id string) []string {
	a.t.Helper()
	return timelineTypes(a.read(id))
}

// do posts a command on a report as it is.
func (a *atShop) do(client *nethttp.Client, id, command string, body map[string]any) (int, map[string]any) {
	a.t.Helper()
	all := map[string]any{"expectedVersion": a.read(id)["version"]}
	maps.Copy(all, body)
	status, answer, err := a.p.send(client, nethttp.MethodPost, "/moderation/reports/"+id+command, all)
	require.NoError(a.t, err)
	return status, answer
}

// must is do, of the administrator, which succeeds.
func (a *atShop) must(id, command string, body map[string]any) map[string]any {
	a.t.Helper()
	status, answer := a.do(a.admin, id, command, body)
	require.Less(a.t, status, 300, answer)
	return answer
}

// settled waits until everything that was asked of the shop about a report has its outcome.
func (a *atShop) settled(id string) {
	a.t.Helper()
	pgtest.Eventually(a.t, func() bool {
		open := 0
		for _, entry := range a.timeline(id) {
			switch entry {
			case "action_requested", "measure_pending":
				open++
			case "action", "action_unchanged", "action_failed", "measure_confirmed", "measure_failed":
				open--
			}
		}
		return open == 0
	}, "the platform has answered")
}

// newest is the newest notice of the administrator.
func (a *atShop) newest() map[string]any {
	a.t.Helper()
	return a.p.must(a.admin, nethttp.MethodGet, "/users/notices?locale=en", nil)["edges"].([]any)[0].(map[string]any)
}

// answers lets the shop answer what is asked by a path with nothing but a status.
func (a *atShop) answers(path string, status int) {
	a.s.set(func(w nethttp.ResponseWriter, asked string) bool {
		if asked == path {
			w.WriteHeader(status)
		}
		return asked == path
	})
}

func (a *atShop) captures() {
	t := a.t
	status, missing := reportReview(t, a.p, a.p.signIn("member1@demo.test"), "404")
	require.Equal(t, nethttp.StatusNotFound, status, missing)
	id := a.file("7", "member1@demo.test")
	report := a.read(id)
	snapshot := report["snapshot"].(map[string]any)
	require.Equal(t, "Great", snapshot["title"])
	require.Equal(t, []any{map[string]any{"id": "u7", "name": "Ann"}}, snapshot["authors"])
	encoded, err := json.Marshal(snapshot["fields"])
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "script")
	require.Contains(t, string(encoded), "watches")
	target := report["target"].(map[string]any)
	require.Equal(t, map[string]any{"family": "shop.department", "id": "books"}, target["scope"])
	require.Equal(t, map[string]any{"hidden": false, "url": a.s.server.URL + "/reviews/7"}, target["current"])

	t.Log("the platform dies between the question and its answer, once")
	died := false
	a.s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" || died {
			return false
		}
		died = true
		hangUp(w)
		return true
	})
	asked := a.must(id, "/actions/hide", nil)
	require.EqualValues(t, 2, asked["version"])
	require.Equal(t, "action_requested", timelineTypes(asked)[1])
	hide := asked["actions"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"name": "hide", "available": false, "permitted": true, "pending": true}, hide)
	status, again := a.do(a.admin, id, "/actions/warn", nil)
	require.Equal(t, []any{nethttp.StatusConflict, "action_unavailable"}, []any{status, again["error"]})
	a.settled(id)
	report = a.read(id)
	require.Equal(t, []string{"created", "action_requested", "action"}, timelineTypes(report))
	require.EqualValues(t, 2, report["version"], "the outcome has no version of its own")
	require.Equal(t, map[string]any{"action": "hide", "pluginId": "shop", "targetType": "shop.review", "targetId": "7"},
		report["timeline"].(map[string]any)["edges"].([]any)[2].(map[string]any)["data"])
	require.Equal(t, true, report["target"].(map[string]any)["current"].(map[string]any)["hidden"])
	require.Equal(t, 1, a.s.did())

	t.Log("a refusal is an outcome")
	a.answers("actions/warn", nethttp.StatusForbidden)
	a.must(id, "/actions/warn", nil)
	a.settled(id)
	last := a.read(id)["timeline"].(map[string]any)["edges"].([]any)[4].(map[string]any)
	require.Equal(t, "action_failed", last["type"])
	require.Equal(t, map[string]any{"action": "warn", "reason": "The platform refused the action: it answered 403."}, last["data"])
	require.Equal(t, "action", a.newest()["kind"])
	require.Equal(t, []any{"The action warn on \"Great\" could not be done. It is not tried again; you can request it anew.", "The platform refused the action: it answered 403."}, a.newest()["paragraphs"])
	require.Len(t, a.p.must(a.admin, nethttp.MethodGet, "/admin/staff/scope-resources/shop.department", nil)["items"], 2)
}

func (a *atShop) isAway() {
	t := a.t
	id := a.file("60", "member9@demo.test")
	a.s.server.CloseClientConnections()
	a.s.server.Close()
	for range 6 {
		status, _ := reportReview(t, a.p, a.p.signIn("member9@demo.test"), "8")
		require.Equal(t, nethttp.StatusServiceUnavailable, status)
	}
	start := time.Now()
	status, _ := reportReview(t, a.p, a.p.signIn("member9@demo.test"), "8")
	require.Equal(t, nethttp.StatusServiceUnavailable, status)
	require.Less(t, time.Since(start), 200*time.Millisecond, "the breaker is open")
	var target map[string]any
	pgtest.Eventually(t, func() bool {
		target = a.read(id)["target"].(map[string]any)
		return target["current"] == nil
	}, "what was known is used for five seconds")
	require.Equal(t, map[string]any{"family": "shop.department", "id": "books"}, target["scope"])
	a.must(id, "/resolve", map[string]any{"resolution": "action_taken"})
	status, _, err := a.p.send(a.admin, nethttp.MethodGet, "/admin/staff/scope-resources/shop.department", nil)
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusServiceUnavailable, status)
}

func (a *atShop) filesForMembers() {
	t, environment := a.t, a.environment
	a.answers("capture", nethttp.StatusInternalServerError) // nothing is called back
	for _, args := range [][]string{{"--use", "host"}, {"--use", "host", "--plugin", "shop", "--user", "a@b.test"}, {"--plugin", "shop"}} {
		require.Equal(t, 2, docket(t, environment, append([]string{"token", "create"}, args...)...).status, args)
	}
	made := docket(t, environment, "token", "create", "--use", "host", "--plugin", "shop", "--name", "shop server")
	require.Zero(t, made.status, made.stderr)
	id := strings.Fields(made.stderr)[1]
	require.Contains(t, docket(t, environment, "token", "list", "--plugin", "shop").stdout, id)
	host := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(made.stdout))}
	send := func(client *nethttp.Client, changes map[string]any) (int, map[string]any) {
		body := map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": "17", "reason": "spam",
			"reporter": map[string]any{"subject": "u1", "name": "Uma"},
			"capture": map[string]any{"fields": map[string]any{"title": "Pushed", "body": "<p>Text</p>"}, "scope": "toys",
				"authors": []any{map[string]any{"subject": "u7", "name": "Ann"}}}}
		for name, value := range changes {
			if body[name] = value; value == nil {
				delete(body, name)
			}
		}
		status, answer, err := a.p.send(client, nethttp.MethodPost, "/moderation/reports", body)
		require.NoError(t, err)
		return status, answer
	}
	status, body := send(host, nil)
	require.Equal(t, nethttp.StatusCreated, status, body)
	status, again := send(host, nil)
	require.Equal(t, nethttp.StatusConflict, status)
	require.Equal(t, body["id"], again["reportId"], "the subject is one account")
	status, _ = send(host, map[string]any{"reporter": map[string]any{"subject": "u2", "name": ""}})
	require.Equal(t, nethttp.StatusCreated, status)
	report := a.read(body["id"].(string))
	require.Equal(t, "Uma", report["reporter"].(map[string]any)["name"])
	require.Equal(t, "Pushed", report["snapshot"].(map[string]any)["title"])

	for name, c := range map[string]struct {
		changes map[string]any
		status  int
		path    string
	}{
		"no reporter":        {map[string]any{"reporter": nil}, 400, "reporter"},
		"no subject":         {map[string]any{"reporter": map[string]any{"subject": "", "name": "X"}}, 400, "reporter.subject"},
		"more of a reporter": {map[string]any{"reporter": map[string]any{"subject": "u", "name": "X", "email": "x"}}, 400, "reporter.email"},
		"a wrong capture":    {map[string]any{"capture": map[string]any{"fields": map[string]any{"title": 7}}}, 400, "capture.fields.title"},
		"a capture of text":  {map[string]any{"capture": "x"}, 400, "capture"},
		"a wrong scope":      {map[string]any{"capture": map[string]any{"fields": map[string]any{}, "scope": "not a resource"}}, 400, "capture.scope"},
		"another plugin":     {map[string]any{"pluginId": "forum", "targetType": "forum.post"}, 403, ""},
		"an unknown type":    {map[string]any{"targetType": "shop.order"}, 400, "targetType"},
		"without a capture":  {map[string]any{"capture": nil, "targetId": "18"}, 503, ""},
		"an unknown field":   {map[string]any{"extra": 1}, 400, "extra"},
		"a filing's own 400": {map[string]any{"reason": "none"}, 400, "reason"},
	} {
		status, body := send(host, c.changes)
		require.Equal(t, c.status, status, "%s: %v", name, body)
		if c.path != "" {
			require.Len(t, body["issues"], 1, name)
			require.Equal(t, c.path, body["issues"].([]any)[0].(map[string]any)["path"], name)
		}
	}
	for _, path := range []string{"/users/session", "/moderation/reports", "/messages", "/admin/users", "/users/notices"} {
		status, _, err := a.p.send(host, nethttp.MethodGet, path, nil)
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusForbidden, status, path)
	}
	status, _ = send(a.admin, nil)
	require.Equal(t, nethttp.StatusBadRequest, status, "only a token of use host names a reporter")
	require.Zero(t, docket(t, environment, "token", "revoke", id).status)
	status, _ = send(host, nil)
	require.Equal(t, nethttp.StatusUnauthorized, status)
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return nethttp.DefaultTransport.RoundTrip(r)
}

func TestPluginTry(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	manifest := shopManifest(t, s.server.URL)
	environment := map[string]string{"DOCKET_DATA_DIR": t.TempDir(), "SHOP_SECRET": shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}

	sound := docket(t, environment, "plugin", "try", manifest, "--id", "7")
	require.Zero(t, sound.status, sound.stderr+sound.stdout)
	for _, want := range []string{"capture shop.review: 200", "current shop.review: 200", "scopes/list shop.department: 200"} {
		require.Contains(t, sound.stdout, want)
	}
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path == "current" {
			_, _ = io.WriteString(w, `{"hidden": "no", "note": "`+"\x7f\u009b2J"+`"}`)
		}
		return path == "current"
	})
	wrong := docket(t, environment, "plugin", "try", manifest, "--type", "shop.review", "--id", "7")
	require.Equal(t, 1, wrong.status)
	require.Contains(t, wrong.stdout, "fault: hidden: Must be true or false.")
	require.Contains(t, wrong.stdout, "\"note\": \"\ufffd\ufffd2J\"", "a terminal obeys nothing of it")
	require.Contains(t, wrong.stdout, "scopes/list shop.department: 200", "the family of the type")
	require.Contains(t, wrong.stderr, "1 fault in the answers")
	unknown := docket(t, environment, "plugin", "try", manifest, "--type", "shop.order")
	require.Equal(t, 2, unknown.status)
	require.Contains(t, unknown.stderr, "nothing to ask about shop.order: the manifest's types are shop.review")
	misfit := docket(t, environment, "plugin", "try", manifest, "--id", "seven")
	require.Equal(t, 1, misfit.status)
	require.Contains(t, misfit.stdout, "shop.review: not asked\n  fault: \"seven\" is not an id of kind bigint")
	require.Contains(t, misfit.stdout, "scopes/list shop.department: 200")

	t.Log("providers are asked about what the platform captured, and in a manifest with tables about an example")
	provider := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		score := 2 // a fault
		if s.webhook.Verify(body, r.Header) == nil && bytes.Contains(body, []byte("Buy my watches")) {
			score = 1
		}
		_, _ = fmt.Fprintf(w, `{"signals": [{"name": "listed", "score": %d}]}`, score)
	}))
	t.Cleanup(provider.Close)
	text, err := os.ReadFile(manifest)
	require.NoError(t, err)
	asking := filepath.Join(t.TempDir(), "asking.yaml")
	providers := "providers: [{name: links, url: " + provider.URL + ", secretEnv: LINKS_SECRET}]\n"
	require.NoError(t, os.WriteFile(asking, append(text, providers...), 0o600))
	require.Contains(t, docket(t, environment, "plugin", "try", asking).stderr, "LINKS_SECRET with the secret is not set")
	short := with(environment, "LINKS_SECRET", "whsec_QUJD")
	require.Contains(t, docket(t, short, "plugin", "try", asking).stderr, "LINKS_SECRET holds no secret", "as a server says")
	environment["LINKS_SECRET"] = shopSecret
	asked := docket(t, environment, "plugin", "try", asking, "--type", "shop.review", "--id", "8")
	require.Contains(t, asked.stdout, "providers/links shop.review: 200\n  {\"signals\": [{\"name\": \"listed\", \"score\": 1}]}\n")
	tables := filepath.Join(t.TempDir(), "tables.yaml")
	require.NoError(t, os.WriteFile(tables, []byte("id: wiki\ncontentTypes:\n  - {id: wiki.page, label: wiki.page, table: pages, permissionModule: pages, key: {column: id, kind: bigint}, fields: {body: {column: body, kind: text}}, publicApi: {path: pages, fields: [body], url: \"/p/{id}\"}, reports: true}\n"+providers), 0o600))
	example := docket(t, environment, "plugin", "try", tables)
	require.Equal(t, 1, example.status, example.stderr)
	require.Contains(t, example.stdout, "providers/links wiki.page: 200")
	require.Contains(t, example.stdout, "fault: signals[0].score: ")

	guarded := docket(t, with(environment, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "false"), "plugin", "try", manifest)
	require.Contains(t, guarded.stdout, "127.0.0.1 is not public: requests to it need DOCKET_WEBHOOK_ALLOW_PRIVATE=true")

	check := docket(t, nil, "plugin", "check", manifest)
	require.Zero(t, check.status, check.stdout)
	require.NotContains(t, check.stderr, "as evidence")
	require.NotContains(t, check.stderr, "were not checked", "a platform has no tables")
	wider := filepath.Join(t.TempDir(), "wider.yaml")
	require.NoError(t, os.WriteFile(wider, bytes.Replace(text, []byte("fields: {"), []byte("fields: {owner: {kind: user}, "), 1), 0o600))
	for _, got := range []outcome{docket(t, nil, "plugin", "check", wider), docket(t, environment, "plugin", "try", wider, "--id", "7")} {
		require.Contains(t, got.stderr, `do not keep the field "owner", of kind user, as evidence`)
	}
}
