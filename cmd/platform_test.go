package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestContentOfAPlatform(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := startWithShop(t, map[string]string{"DATABASE_URL": pgtest.URL(t)}, s.server.URL)
	member, admin := p.signIn("member1@demo.test"), p.signIn("admin@demo.test")

	status, missing := reportReview(t, p, member, "404")
	require.Equal(t, nethttp.StatusNotFound, status, missing)
	status, filed := reportReview(t, p, member, "7")
	require.Equal(t, nethttp.StatusCreated, status, filed)
	id := filed["id"].(string)
	report := readReport(t, p, admin, id)
	snapshot := report["snapshot"].(map[string]any)
	require.Equal(t, "Great", snapshot["title"])
	require.Equal(t, []any{map[string]any{"id": "u7", "name": "Ann"}}, snapshot["authors"])
	encoded, err := json.Marshal(snapshot["fields"])
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "script")
	require.Contains(t, string(encoded), "watches")
	target := report["target"].(map[string]any)
	require.Equal(t, map[string]any{"family": "shop.department", "id": "books"}, target["scope"])
	require.Equal(t, map[string]any{"hidden": false, "url": s.server.URL + "/reviews/7"}, target["current"])

	// The platform dies between the question and its answer, once.
	died := false
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/hide" || died {
			return false
		}
		died = true
		hangUp(w)
		return true
	})
	asked := p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]int{"expectedVersion": 1})
	require.EqualValues(t, 2, asked["version"])
	require.Equal(t, "action_requested", timelineTypes(asked)[1])
	hide := asked["actions"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"name": "hide", "available": false, "permitted": true, "pending": true}, hide)
	status, again, err := p.send(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/warn", map[string]int{"expectedVersion": 2})
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusConflict, status)
	require.Equal(t, "action_unavailable", again["error"])

	require.Eventually(t, func() bool {
		report = readReport(t, p, admin, id)
		return len(timelineTypes(report)) == 3
	}, time.Minute, 200*time.Millisecond)
	require.Equal(t, []string{"created", "action_requested", "action"}, timelineTypes(report))
	require.EqualValues(t, 2, report["version"], "the outcome has no version of its own")
	require.Equal(t, map[string]any{"action": "hide", "pluginId": "shop", "targetType": "shop.review", "targetId": "7"},
		report["timeline"].(map[string]any)["edges"].([]any)[2].(map[string]any)["data"])
	require.Equal(t, true, report["target"].(map[string]any)["current"].(map[string]any)["hidden"])
	s.mu.Lock()
	require.Equal(t, 1, s.changes)
	s.mu.Unlock()

	// A refusal is an outcome.
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path != "actions/warn" {
			return false
		}
		w.WriteHeader(nethttp.StatusForbidden)
		return true
	})
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/warn", map[string]int{"expectedVersion": 2})
	require.Eventually(t, func() bool {
		report = readReport(t, p, admin, id)
		return len(timelineTypes(report)) == 5
	}, time.Minute, 200*time.Millisecond)
	last := report["timeline"].(map[string]any)["edges"].([]any)[4].(map[string]any)
	require.Equal(t, "action_failed", last["type"])
	require.Equal(t, map[string]any{"action": "warn", "reason": "The platform refused the action: it answered 403."}, last["data"])

	told := p.must(admin, nethttp.MethodGet, "/users/notices?locale=en", nil)
	notice := told["edges"].([]any)[0].(map[string]any)
	require.Equal(t, "action", notice["kind"])
	require.Equal(t, []any{"The action warn on \"Great\" could not be done. It is not tried again; you can request it anew.", "The platform refused the action: it answered 403."}, notice["paragraphs"])

	// Scopes, and the platform down.
	picked := p.must(admin, nethttp.MethodGet, "/admin/staff/scope-resources/shop.department", nil)
	require.Len(t, picked["items"], 2)
	s.server.CloseClientConnections()
	s.server.Close()
	for range 6 {
		status, _ := reportReview(t, p, member, "8")
		require.Equal(t, nethttp.StatusServiceUnavailable, status)
	}
	start := time.Now()
	status, _ = reportReview(t, p, member, "8")
	require.Equal(t, nethttp.StatusServiceUnavailable, status)
	require.Less(t, time.Since(start), 200*time.Millisecond, "the breaker is open")
	require.Eventually(t, func() bool {
		report = readReport(t, p, admin, id)
		return report["target"].(map[string]any)["current"] == nil
	}, time.Minute, 200*time.Millisecond, "what was known is used for five seconds")
	require.Equal(t, map[string]any{"family": "shop.department", "id": "books"}, report["target"].(map[string]any)["scope"])
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken"})
	status, _, err = p.send(admin, nethttp.MethodGet, "/admin/staff/scope-resources/shop.department", nil)
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusServiceUnavailable, status)
}

func TestPlatformsFileReportsForTheirMembers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path == "capture" {
			w.WriteHeader(nethttp.StatusInternalServerError) // nothing is called back
			return true
		}
		return false
	})
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	p := startWithShop(t, environment, s.server.URL)
	for _, args := range [][]string{{"--use", "host"}, {"--use", "host", "--plugin", "shop", "--user", "a@b.test"}, {"--plugin", "shop"}} {
		require.Equal(t, 2, docket(t, environment, append([]string{"token", "create"}, args...)...).status, args)
	}
	made := docket(t, environment, "token", "create", "--use", "host", "--plugin", "shop", "--name", "shop server")
	require.Zero(t, made.status, made.stderr)
	id := strings.Fields(made.stderr)[1]
	require.Contains(t, docket(t, environment, "token", "list", "--plugin", "shop").stdout, id)
	host := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(made.stdout))}
	filing := func(changes map[string]any) map[string]any {
		body := map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": "7", "reason": "spam",
			"reporter": map[string]any{"subject": "u1", "name": "Uma"},
			"capture": map[string]any{"fields": map[string]any{"title": "Pushed", "body": "<p>Text</p>"}, "scope": "toys",
				"authors": []any{map[string]any{"subject": "u7", "name": "Ann"}}}}
		for name, value := range changes {
			if body[name] = value; value == nil {
				delete(body, name)
			}
		}
		return body
	}
	send := func(changes map[string]any) (int, map[string]any) {
		status, body, err := p.send(host, nethttp.MethodPost, "/moderation/reports", filing(changes))
		require.NoError(t, err)
		return status, body
	}
	status, body := send(nil)
	require.Equal(t, nethttp.StatusCreated, status, body)
	status, again := send(nil)
	require.Equal(t, nethttp.StatusConflict, status)
	require.Equal(t, body["id"], again["reportId"], "the subject is one account")
	status, _ = send(map[string]any{"reporter": map[string]any{"subject": "u2", "name": ""}})
	require.Equal(t, nethttp.StatusCreated, status)

	admin := p.signIn("admin@demo.test")
	report := readReport(t, p, admin, body["id"].(string))
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
		"without a capture":  {map[string]any{"capture": nil, "targetId": "8"}, 503, ""},
		"an unknown field":   {map[string]any{"extra": 1}, 400, "extra"},
		"a filing's own 400": {map[string]any{"reason": "none"}, 400, "reason"},
	} {
		status, body := send(c.changes)
		require.Equal(t, c.status, status, "%s: %v", name, body)
		if c.path != "" {
			require.Len(t, body["issues"], 1, name)
			require.Equal(t, c.path, body["issues"].([]any)[0].(map[string]any)["path"], name)
		}
	}
	for _, path := range []string{"/users/session", "/moderation/reports", "/messages", "/admin/users", "/users/notices"} {
		status, _, err := p.send(host, nethttp.MethodGet, path, nil)
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusForbidden, status, path)
	}
	status, _, err := p.send(admin, nethttp.MethodPost, "/moderation/reports", filing(nil))
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusBadRequest, status, "only a token of use host names a reporter")

	require.Zero(t, docket(t, environment, "token", "revoke", id).status)
	status, _ = send(nil)
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
			_, _ = io.WriteString(w, `{"hidden": "no"}`)
		}
		return path == "current"
	})
	wrong := docket(t, environment, "plugin", "try", manifest, "--type", "shop.review", "--id", "7")
	require.Equal(t, 1, wrong.status)
	require.Contains(t, wrong.stdout, "fault: hidden: Must be true or false.")
	require.Contains(t, wrong.stderr, "1 fault in the answers")
	require.Equal(t, 2, docket(t, environment, "plugin", "try", manifest, "--type", "shop.order").status)

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
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte(`id: shop
remote: {url: "ftp://x", secretEnv: lower, timeout: 1h}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: number}
    moderationScope: {family: shop.none}
    fields: {title: {kind: text}}
    reports: {titleField: missing}
    actions: [{name: Hide, undo: hide, permission: can_hide}, {name: hide}]
moderation:
  scopes: [{id: shop.department, remote: true, table: x}]
`), 0o600))
	faults := docket(t, nil, "plugin", "check", broken)
	require.Equal(t, 1, faults.status)
	for _, want := range []string{":2: remote.url: ", ":2: remote.secretEnv: ", ":2: remote.timeout: ", "remoteTypes[0].key.kind: ", "remoteTypes[0].moderationScope.family: ",
		"remoteTypes[0].reports.titleField: ", "remoteTypes[0].actions[0].name: ", "remoteTypes[0].actions[1].name: ", "remoteTypes[0].actions[1].permission: ",
		"moderation.scopes[0].table: ", "moderation.scopes[0].label: "} {
		require.Contains(t, faults.stdout, want)
	}
}
