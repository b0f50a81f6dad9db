package hosts_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

// signer asks a platform as Docket does.
type signer struct {
	t      *testing.T
	site   *caller
	prefix string // of the platform's routes
}

// post asks a question with a message id of its own.
func (s *signer) post(path string, question map[string]any) answer {
	s.t.Helper()
	return s.send(path, uuid.NewString(), time.Now(), question, question)
}

// send posts a question under the signature of another, if they differ.
func (s *signer) send(path, id string, at time.Time, question, signed map[string]any) answer {
	s.t.Helper()
	webhook, err := standardwebhooks.NewWebhook(secret)
	require.NoError(s.t, err)
	body, err := json.Marshal(signed)
	require.NoError(s.t, err)
	signature, err := webhook.Sign(id, at, body)
	require.NoError(s.t, err)
	c := &caller{s.t, s.site.base, http.Header{
		"Webhook-Id": {id}, "Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {"v1a,x v1,eA== " + signature},
	}}
	return c.postJSON(s.prefix+path, question)
}

// refusesStrangers shows that a question is answered only if it is signed, as it is and now.
func (s *signer) refusesStrangers(path string, question map[string]any) {
	s.t.Helper()
	now := time.Now()
	for name, refused := range map[string]answer{
		"another body": s.send(path, "a", now, question, map[string]any{"id": "0"}),
		"too old":      s.send(path, "a", now.Add(-time.Hour), question, question),
		"too new":      s.send(path, "a", now.Add(time.Hour), question, question),
		"no signature": (&caller{s.t, s.site.base, http.Header{}}).postJSON(s.prefix+path, question),
	} {
		require.Equal(s.t, http.StatusUnauthorized, refused.status, name)
	}
}

// repeatsAnswers hides what is shown and shows that a message has one effect and one answer.
func (s *signer) repeatsAnswers(about map[string]any) {
	s.t.Helper()
	for _, c := range []struct {
		id      string
		changed bool
	}{{"a", true}, {"a", true}, {"b", false}, {"a", true}} {
		done := s.send("actions/hide", c.id, time.Now(), about, about)
		require.Equal(s.t, http.StatusOK, done.status, done.text)
		require.Equal(s.t, map[string]any{"changed": c.changed, "hidden": true}, done.object, c.id)
		require.Equal(s.t, true, s.post("current", about).object["hidden"])
	}
}
