package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given the manifest and the webhook that the book prints, then the report of an
// article reaches the receiver that it prints, once, though two servers declare it;
// and a server that has not got the secret does not start.
func TestReadmeWebhook(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	heard := make(chan string, 10)
	r := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		answerMore(t, w)
		heard <- fmt.Sprint(string(body), err)
	}))
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
	q := startProcess(t, serving, "serve", "--plugin", manifest)
	made := docketWithInput(t, environment, "correct horse battery\n", "user", "create", "--email", "ann@blog.test", "--name", "Ann", "--password-stdin")
	require.Zero(t, made.status, made.stderr)
	ann := &nethttp.Client{Jar: &cookie{}, Timeout: 30 * time.Second}
	p.must(ann, nethttp.MethodPost, "/users/sign-in", map[string]string{"email": "ann@blog.test", "password": "correct horse battery"})
	filed := p.must(ann, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "blog", "targetType": "blog.article", "targetId": "1", "reason": "spam"})
	delivery := <-heard
	for _, part := range []string{event.ReportCreated, fmt.Sprintf(`"reportId":%q`, filed["id"]), "}<nil>"} {
		require.Contains(t, delivery, part)
	}
	require.Empty(t, heard, "two servers declare one subscription")
	pgtest.Eventually(t, func() bool {
		return slices.ContainsFunc([]*process{p, q}, func(p *process) bool { return strings.Contains(p.said(), "Unsolicited") })
	}, "the odd answer is told")
	for line := range strings.Lines(p.said() + q.said()) {
		require.True(t, json.Valid([]byte(line)), "no line of the log: %s", line)
	}
}

// answerMore answers that there is no body, and sends one.
func answerMore(t *testing.T, w nethttp.ResponseWriter) {
	conn, _, err := w.(nethttp.Hijacker).Hijack()
	if assert.NoError(t, err) {
		_, err = conn.Write([]byte("HTTP/1.1 204 No Content\r\n\r\nno more\n"))
		assert.NoError(t, err)
		assert.NoError(t, conn.Close())
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
