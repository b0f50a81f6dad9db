package cmd

import (
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

	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// receiver checks the signature of deliveries and hands them on.
func receiver(secret string, handle func(id, name string, payload []byte) error) (nethttp.Handler, error) {
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return nil, err
	}
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, err := io.ReadAll(nethttp.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		var delivery struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		err = json.Unmarshal(body, &delivery)
		if err == nil {
			// A repeat has the same id.
			err = handle(r.Header.Get("webhook-id"), delivery.Type, delivery.Data)
		}
		if err != nil {
			w.WriteHeader(nethttp.StatusInternalServerError) // it comes again
		}
	}), nil
}

// Given the manifest and the webhook that the book prints, then the report of an
// article reaches the receiver that it prints, once, though two servers declare it;
// and a server that has not got the secret does not start.
func TestReadmeWebhook(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	heard := make(chan string, 10)
	handler, err := receiver(secret, func(id, name string, payload []byte) error {
		heard <- name + " " + id + " " + string(payload)
		return nil
	})
	require.NoError(t, err)
	r := httptest.NewServer(handler)
	t.Cleanup(r.Close)

	blocks := append(codeBlocks(t, "docs/plugins.md", "yaml"), codeBlocks(t, "docs/events.md", "yaml")...)
	require.Len(t, blocks, 2)
	manifest := filepath.Join(t.TempDir(), "blog.yaml")
	const address = "https://tracker.example/docket"
	require.Contains(t, blocks[1], address)
	require.NoError(t, os.WriteFile(manifest, []byte(blocks[0]+strings.Replace(blocks[1], address, r.URL, 1)), 0o600))
	check := docket(t, nil, "plugin", "check", manifest)
	require.Zero(t, check.status, check.stdout)

	environment := map[string]string{"DATABASE_URL": blog(t)}
	refused := docket(t, with(environment, "DOCKET_LISTEN", "127.0.0.1:0"), "serve", "--plugin", manifest)
	require.Equal(t, 1, refused.status)
	require.Contains(t, refused.stderr, "webhooks[0].secretEnv: the environment variable TRACKER_SECRET is not set")

	serving := with(environment, "TRACKER_SECRET", secret, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true")
	p := startProcess(t, serving, "serve", "--plugin", manifest)
	startProcess(t, serving, "serve", "--plugin", manifest)
	made := docketWithInput(t, environment, "correct horse battery\n", "user", "create", "--email", "ann@blog.test", "--name", "Ann", "--password-stdin")
	require.Zero(t, made.status, made.stderr)
	ann := &nethttp.Client{Jar: &cookie{}, Timeout: 30 * time.Second}
	p.must(ann, nethttp.MethodPost, "/users/sign-in", map[string]string{"email": "ann@blog.test", "password": "correct horse battery"})
	filed := p.must(ann, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "blog", "targetType": "blog.article", "targetId": "1", "reason": "spam"})
	select {
	case delivery := <-heard:
		require.True(t, strings.HasPrefix(delivery, event.ReportCreated+" "), delivery)
		require.Contains(t, delivery, fmt.Sprintf(`"reportId":%q`, filed["id"]))
	case <-time.After(time.Minute):
		t.Fatal("nothing was delivered")
	}
	require.Empty(t, heard, "two servers declare one subscription")
}

// Given a webhook of a server without a key, when a server with one starts, then its secret
// and those of new webhooks are encrypted in the database.
func TestAServerEncryptsWebhookSecrets(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	serve := func(environment map[string]string, address string) (secret string) {
		p := startProcess(t, environment, "demo")
		defer p.kill()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodPost, "/admin/webhooks", map[string]string{"url": address})["secret"].(string)
	}
	plain := serve(environment, "https://one.example/docket")
	require.Equal(t, 1, one[int](t, pool, `SELECT count(*) FROM core_webhooks WHERE secret = $1`, plain))

	second := serve(with(environment, "DOCKET_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="), "https://two.example/docket")
	require.Equal(t, 2, one[int](t, pool, `SELECT count(*) FROM core_webhooks`))
	for _, secret := range []string{plain, second} {
		require.NotEmpty(t, secret)
		require.Empty(t, pgtest.WhereFound(t, pool, strings.TrimPrefix(secret, "whsec_")))
	}
}

// blog is a database with the table that the manifest of docs/plugins.md is of, and one article.
func blog(t *testing.T) (url string) {
	t.Helper()
	url = pgtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	pgtest.Exec(t, conn, `
		CREATE TABLE blog_articles (id bigint PRIMARY KEY, title text, body text, author_id uuid, status text NOT NULL,
			hidden_at timestamptz, hidden_by uuid);
		INSERT INTO blog_articles (id, title, body, status) VALUES (1, 'Buy now', '<p>While it lasts.</p>', 'published')`)
	return url
}
