//go:build cluster

package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// site is what clients know: where Docket is, who they can be, and what there is to report.
type site struct {
	base      string
	client    *http.Client
	signer    jose.Signer
	moderator string // a cookie
	posts     []string
	author    string // of every post
}

// identity is the platform whose members report: its key set, and a signer of its tokens.
// Docket makes an account for each subject, so there are as many members as a load needs.
func identity(t *testing.T) (settings []string, signer jose.Signer) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	keys := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(keys) }))
	t.Cleanup(host.Close)
	signer, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	require.NoError(t, err)
	return []string{"AUTH_JWKS_URL=" + host.URL, "AUTH_ISSUER=https://members.test", "AUTH_AUDIENCE=docket"}, signer
}

// newSite signs a moderator in and makes posts, as members of the forum would.
func newSite(t *testing.T, database string, signer jose.Signer) *site {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	posts := pgtest.All[string](t, conn, `INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT topic_id, category_id, author_id, 'Offer ' || n, 'Buy one, get one.', now(), now()
		FROM (SELECT * FROM forum_posts ORDER BY id LIMIT 1) p, generate_series(1, 5000) n RETURNING id::text`)
	s := &site{base: fmt.Sprintf("http://127.0.0.1:%d/api/@platform/core", running.Proxy.Port), signer: signer, posts: posts,
		client: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second}}}
	t.Cleanup(s.client.CloseIdleConnections)
	require.NoError(t, conn.QueryRow(ctx, `SELECT author_id::text FROM forum_posts WHERE id = $1::bigint`, posts[0]).Scan(&s.author))
	s.moderator = s.signIn(t, "moderator@demo.test")
	return s
}

// signIn returns the credentials of an account of the demo.
func (s *site) signIn(t *testing.T, email string) string {
	t.Helper()
	a := s.send(t.Context(), http.MethodPost, "/users/sign-in", "", map[string]any{"email": email, "password": "demo-password"})
	require.NoError(t, a.err)
	require.Equal(t, http.StatusOK, a.status, "%s", a.text)
	return a.cookie
}

// member returns the credentials of a member.
func (s *site) member(subject string) string {
	claims, err := json.Marshal(map[string]any{"iss": "https://members.test", "aud": "docket", "sub": subject, "name": "Member " + subject,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()})
	if err != nil {
		panic(err)
	}
	signed, err := s.signer.Sign(claims)
	if err != nil {
		panic(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return "Bearer " + token
}

// answer is what became of a request.
type answer struct {
	began  time.Time
	status int
	text   []byte
	cookie string
	object struct {
		ID, Status, ReportID string
		Current              *struct{ Status string }
		Edges                []struct{ ID string }
	}
	err error // without an answer
}

// send makes one request. credentials are a bearer's or a cookie.
func (s *site) send(ctx context.Context, method, path, credentials string, body any) (a answer) {
	a.began = time.Now()
	var encoded io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			a.err = err
			return a
		}
		encoded = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, encoded)
	if err != nil {
		a.err = err
		return a
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(credentials, "Bearer ") {
		r.Header.Set("Authorization", credentials)
	} else if credentials != "" {
		r.Header.Set("Cookie", credentials)
	}
	response, err := s.client.Do(r)
	if err != nil {
		a.err = err
		return a
	}
	defer response.Body.Close()
	for _, c := range response.Cookies() {
		a.cookie = c.Name + "=" + c.Value
	}
	a.status = response.StatusCode
	if a.text, a.err = io.ReadAll(response.Body); a.err == nil && len(a.text) > 0 && a.text[0] == '{' {
		a.err = json.Unmarshal(a.text, &a.object)
	}
	return a
}

// failed reports whether the service did not do its work, whatever was asked.
func (a answer) failed() bool { return a.err != nil || a.status >= 500 }

func (a answer) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return fmt.Sprintf("%d %s", a.status, bytes.TrimSpace(a.text))
}
