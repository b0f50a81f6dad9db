package http_test

import (
	"context"
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

const linksSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// Given a provider that fails at first and answers wrongly then, the third answer to the same
// message is a signal of the report, and of what is filed later without being asked for it.
func TestAProviderIsAskedAboutEachReport(t *testing.T) {
	t.Parallel()
	verifier, err := standardwebhooks.NewWebhook(linksSecret)
	require.NoError(t, err)
	var mu sync.Mutex
	var ids []string
	var questions []map[string]any
	provider := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err != nil || verifier.Verify(body, r.Header) != nil || r.URL.Path != "/ask" {
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		var q map[string]any
		_ = json.Unmarshal(body, &q)
		ids, questions = append(ids, r.Header.Get("webhook-id")), append(questions, q)
		switch len(ids) {
		case 1:
			w.WriteHeader(nethttp.StatusInternalServerError)
		case 2:
			_, _ = w.Write([]byte(`{"signals": [{"name": "Listed", "score": 2}]}`))
		default:
			_, _ = w.Write([]byte(`{"signals": [{"name": "listed", "score": 1}]}`))
		}
	}))
	t.Cleanup(provider.Close)
	value := func(s string) json.RawMessage { encoded, _ := json.Marshal(s); return encoded }
	b := newBundleWith(t, map[string]string{"LINKS_SECRET": linksSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}, func(context.Context, cmd.Host) (*cmd.Plugin, error) {
		p := &cmd.Plugin{}
		p.ID = "photos"
		p.Targets = []target.Definition{{Type: "photos.photo", Label: "photos.photo", PermissionModule: "photos", ParseID: content.KeyBigint.Parse,
			Capture: func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) {
				return &snapshot.Capture{Title: "A photo", Fields: []snapshot.Field{
					{Name: "caption", Kind: snapshot.KindText, Value: value("Cheap at https://watches.example/1")},
					{Name: "alt", Kind: snapshot.KindText, Value: value("not told")},
					{Name: "image", Kind: snapshot.KindFile, Value: json.RawMessage(`{"id": "7", "name": "a.jpg", "url": "https://shop.example/a.jpg"}`)}}}, nil
			},
			Current: func(context.Context, string, string) (*target.State, error) { return &target.State{}, nil },
		}}
		p.Providers = []plugin.Provider{{Name: "links", URL: provider.URL + "/ask", SecretEnv: "LINKS_SECRET", Fields: []string{"caption"}, Files: true, Timeout: time.Second}}
		return p, nil
	})
	b.run()
	mod := b.unlimited("Mod")
	file := func(member int) string {
		return b.member(member).post("/moderation/reports", map[string]any{"pluginId": "photos", "targetType": "photos.photo", "targetId": "7", "reason": "spam"}).
			status(nethttp.StatusCreated).body["id"].(string)
	}
	signals := func(id string) string {
		return briefly(mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["signals"])
	}
	id := file(0)
	pgtest.Eventually(t, func() bool {
		b.exec(`UPDATE core_queue SET available_at = now() WHERE status = 'pending' AND available_at > now()`)
		return signals(id) == "links:listed=1"
	}, "the third answer is a signal")
	mu.Lock()
	require.Equal(t, []string{ids[0], ids[0], ids[0]}, ids, "a repeat has the same id")
	require.Equal(t, map[string]any{"report": id, "target": map[string]any{"pluginId": "photos", "type": "photos.photo", "id": "7"}, "title": "A photo",
		"text": "Cheap at https://watches.example/1", "links": []any{"https://watches.example/1"},
		"files": []any{map[string]any{"id": "7", "name": "a.jpg", "mimeType": "", "size": 0.0, "url": "https://shop.example/a.jpg"}}}, questions[2])
	mu.Unlock()
	require.Equal(t, "links:listed=1", signals(file(1)), "what is kept")
	pgtest.Eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return len(ids) == 4 }, "it is asked about the second report")
	mod.get("/moderation/reports/" + id)
	b.sound()

	t.Log("a task that somebody wrote by SQL asks nothing about the content of another plugin")
	pgtest.Exec(t, b.pool, `INSERT INTO core_queue (id, plugin_id, name, queue, priority, payload, status, attempts, max_attempts, available_at, created_at)
		SELECT gen_random_uuid(), plugin_id, name, queue, priority, json_build_object('reportId', $1::text, 'provider', 'links'), 'pending', 0, max_attempts, now(), now()
		FROM core_queue WHERE name = 'signals.ask' LIMIT 1`, b.file(0, "1"))
	pgtest.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM core_queue WHERE name = 'signals.ask' AND status = 'completed'`) == 3
	}, "the task is done")
	mu.Lock()
	require.Len(t, ids, 4)
	mu.Unlock()

	t.Log("how it answers stands among the integrations")
	admin := b.admin("Admin")
	require.Contains(t, string(admin.get("/admin/integrations").raw), "platform photos/links")
	for _, want := range []string{`questions_total{outcome="answered",plugin="photos",provider="links"} 2`, `questions_total{outcome="failed",plugin="photos",provider="links"} 2`,
		`breaker_open{plugin="photos",provider="links"} 0`} {
		require.Contains(t, b.metrics(), "docket_provider_"+want)
	}
}

// Given a platform of the panel whose manifest names a provider, every server asks it with the secret
// that was shown, until the platform is off.
func TestAProviderOfAPlatformOfThePanel(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var secrets []string
	var asked []string
	provider := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		for _, secret := range secrets {
			verifier, err := standardwebhooks.NewWebhook(secret)
			if err != nil || verifier.Verify(body, r.Header) != nil {
				w.WriteHeader(nethttp.StatusUnauthorized)
				return
			}
		}
		var q struct{ Text string }
		_ = json.Unmarshal(body, &q)
		asked = append(asked, q.Text)
		_, _ = w.Write([]byte(`{"signals": [{"name": "listed", "score": 1}]}`))
	}))
	t.Cleanup(provider.Close)
	secretOf := func(made *answer) string {
		all := made.body["providerSecrets"].([]any)
		require.Len(t, all, 1)
		require.Equal(t, "links", all[0].(map[string]any)["name"])
		return all[0].(map[string]any)["secret"].(string)
	}
	shop := newRemoteShop(t)
	b, admin := newPlatforms(t)
	elsewhere := b.besides()
	mod := b.unlimited("Mod")

	first := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated)
	require.NotContains(t, first.body, "providerSecrets")
	shop.knows(first.body["secret"])
	second := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review") + "providers:\n  - {name: links, url: " + provider.URL + ", timeout: 1s}\n"}).status(nethttp.StatusOK)
	require.NotContains(t, second.body, "secret")
	known := secretOf(second)
	secrets = []string{known}
	require.NotEqual(t, first.body["secret"], known)
	require.NotContains(t, admin.get("/admin/platforms/shop").status(nethttp.StatusOK).body, "providerSecrets", "it is shown once")
	there := elsewhere.admin("Elsewhere", permission.AreaPlatforms)
	pgtest.Eventually(t, func() bool { return there.get("/admin/platforms/shop").body["version"] == 2.0 }, "the other server knows")

	id := b.member(1).reportsReview("7").status(nethttp.StatusCreated).body["id"].(string)
	pgtest.Eventually(t, func() bool {
		return briefly(mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["signals"]) == "links:listed=1"
	}, "the other server has asked")
	mu.Lock()
	require.Equal(t, []string{"Buy"}, asked)
	mu.Unlock()
	require.Contains(t, string(elsewhere.admin("Root").get("/admin/integrations").raw), "platform shop/links")

	t.Log("a new secret is one of the provider too, beside the former")
	renewed := admin.post("/admin/platforms/shop/secret", nil).status(nethttp.StatusOK)
	mu.Lock()
	secrets = append(secrets, secretOf(renewed))
	require.NotEqual(t, secrets[0], secrets[1])
	mu.Unlock()
	answers := admin.post("/admin/platforms/shop/try", map[string]any{"type": "shop.review", "targetId": "7"}).status(nethttp.StatusOK).body["answers"].([]any)
	last := answers[len(answers)-1].(map[string]any)
	require.Equal(t, []any{"providers/links", 200.0, []any{}}, []any{last["path"], last["status"], last["faults"]})

	t.Log("what is off is not asked")
	admin.post("/admin/platforms/shop/off", nil).status(nethttp.StatusOK)
	require.NotContains(t, string(b.admin("Other root").get("/admin/integrations").raw), "shop/links")
}
