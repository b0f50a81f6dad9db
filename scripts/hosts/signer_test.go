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

// keepsMeasures shows that a measure on a member holds until it ends, once for each of its ids, and that
// one which arrives after its end changes nothing.
func (s *signer) keepsMeasures(member string, barred func() bool) {
	s.t.Helper()
	ask := func(path, id, author string, until any) answer {
		s.t.Helper()
		kind := path
		if path == "end" {
			kind = "suspend"
		}
		return s.post("people/"+path, map[string]any{"measureId": id, "author": map[string]string{"id": author, "subject": author}, "kind": kind,
			"until": until, "reportId": uuid.NewString(), "at": time.Now().UTC().Format(time.RFC3339)})
	}
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format("2006-01-02T15:04:05.000000Z") }
	first, second, late := uuid.NewString(), uuid.NewString(), uuid.NewString()
	for _, step := range []struct {
		path, id string
		until    any
		barred   bool
	}{
		{"warn", uuid.NewString(), nil, false},
		{"suspend", uuid.NewString(), in(-time.Hour), false},
		{"suspend", first, in(time.Hour), true},
		{"terminate", second, nil, true},
		{"suspend", first, in(time.Hour), true},
		{"end", second, nil, true},
		{"end", first, in(time.Hour), false},
		{"end", first, in(time.Hour), false},
		{"end", late, nil, false},
		{"suspend", late, nil, false},
	} {
		done := ask(step.path, step.id, member, step.until)
		require.Equal(s.t, http.StatusOK, done.status, done.text)
		require.Contains(s.t, done.object, "changed")
		require.Equal(s.t, step.barred, barred(), step)
	}
	require.Equal(s.t, http.StatusNotFound, ask("suspend", first, "nobody", nil).status)
	require.Equal(s.t, map[string]any{"changed": false}, ask("end", uuid.NewString(), "nobody", nil).object)
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
