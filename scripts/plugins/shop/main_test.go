package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

// testServer is Docket with the plugin, on a database of the test's own.
type testServer struct {
	t      *testing.T
	docket *cmd.Server
	api    http.Handler
}

func newTestServer(t *testing.T) *testServer {
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	docket, err := cmd.NewServer(t.Context(), environment, t.Output(), newPlugin)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { docket.Run(t.Context()) })
	t.Cleanup(func() {
		running.Wait()
		if err := docket.Close(); err != nil {
			t.Error(err)
		}
	})
	return &testServer{t, docket, docket.Handler()}
}

// signIn makes an account and returns its session.
func (s *testServer) signIn(name string, moderates bool) *http.Cookie {
	s.t.Helper()
	user, err := s.docket.Accounts().CreateUser(s.t.Context(), account.NewUser{Name: name, Email: name + "@example.test"})
	if err == nil && moderates {
		err = s.docket.Staff().Ensure(s.t.Context(), permission.Moderator, user.ID, permission.Entry{Unrestricted: true})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	session, err := s.docket.Accounts().StartSession(s.t.Context(), user.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return &http.Cookie{Name: "docket_session", Value: session.ID}
}

// send sends a request and returns the answer to it, which must have the status.
func (s *testServer) send(session *http.Cookie, method, path, body string, status int) (answer map[string]any) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if session != nil {
		r.AddCookie(session)
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	if w.Code != status {
		s.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// Given a review that a member has reported, when a moderator hides it, then nobody reads it
// any more and its author is told.
func TestAReportedReviewIsHidden(t *testing.T) {
	t.Parallel()
	const reports, review = "/api/@platform/core/moderation/reports", "/api/shop/reviews/1"
	s := newTestServer(t)
	member, moderator := s.signIn("member", false), s.signIn("moderator", true)
	if text := s.send(nil, http.MethodGet, review, "", http.StatusOK)["body"]; text != "Buy my watches instead" {
		t.Fatal(text)
	}
	filed := s.send(member, http.MethodPost, reports, `{"pluginId":"shop","targetType":"shop.review","targetId":"1","reason":"spam"}`, http.StatusCreated)

	s.send(moderator, http.MethodPost, reports+"/"+filed["id"].(string)+"/actions/hide", `{"expectedVersion":1}`, http.StatusOK)

	s.send(nil, http.MethodGet, review, "", http.StatusNotFound)
	pgtest.Eventually(t, func() bool {
		var told int
		err := s.docket.Pool().QueryRow(t.Context(), "SELECT count(*) FROM shop_letters WHERE review = 1 AND hidden").Scan(&told)
		return err == nil && told == 1
	}, "the author is told")
}
