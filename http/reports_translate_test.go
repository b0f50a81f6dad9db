package http_test

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

// translator answers as LibreTranslate does, with the text in capitals.
func translator(t *testing.T, answer func(w nethttp.ResponseWriter, q []string)) string {
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		var asked struct {
			Q              []string
			Source, Target string
			Format         string
			APIKey         string `json:"api_key"`
		}
		if json.NewDecoder(r.Body).Decode(&asked) != nil || r.URL.Path != "/translate" || asked.Source != "auto" || asked.Target != "ar" || asked.Format != "text" || asked.APIKey != "secret" {
			w.WriteHeader(nethttp.StatusBadRequest)
			return
		}
		answer(w, asked.Q)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestContentIsTranslated(t *testing.T) {
	t.Parallel()
	url := translator(t, func(w nethttp.ResponseWriter, q []string) {
		found := make([]map[string]any, len(q))
		for i := range q {
			q[i], found[i] = strings.ToUpper(q[i]), map[string]any{"language": "en", "confidence": 90}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"translatedText": q, "detectedLanguage": found})
	})
	b := newBundleWith(t, map[string]string{"DOCKET_TRANSLATE_URL": url + "/", "DOCKET_TRANSLATE_KEY": "secret"})
	mo := b.moderator("Mo", nil, permission.ViewReports)
	path := "/moderation/reports/" + b.file(0, "1")
	report := mo.get(path).status(200).body
	require.Equal(t, true, report["translatable"])

	got := mo.post(path+"/translate", map[string]any{"to": "ar"}).status(200).body
	title := report["snapshot"].(map[string]any)["title"].(string)
	require.Equal(t, strings.ToUpper(title), got["title"])
	require.Equal(t, "en", got["from"])
	field := got["fields"].([]any)[0].(map[string]any)
	require.NotEmpty(t, field["text"])
	require.Equal(t, strings.ToUpper(field["text"].(string)), field["text"])
	require.Equal(t, map[string]string{"to": "invalid"}, mo.post(path+"/translate", map[string]any{"to": "../x"}).fault(400, "validation_failed").issues())
	b.moderator("Elsewhere", []string{"offtopic"}, permission.ViewReports).post(path+"/translate", map[string]any{"to": "ar"}).fault(404, "not_found")
}

func TestATranslationServiceThatAnswersWronglyIsUnavailable(t *testing.T) {
	t.Parallel()
	var body string
	b := newBundleWith(t, map[string]string{"DOCKET_TRANSLATE_KEY": "secret", "DOCKET_TRANSLATE_URL": translator(t, func(w nethttp.ResponseWriter, _ []string) { _, _ = fmt.Fprint(w, body) })})
	mo := b.moderator("Mo", nil, permission.ViewReports)
	path := "/moderation/reports/" + b.file(0, "1")
	for _, body = range []string{"", "[]", `{"translatedText":"one"}`, `{"translatedText":[]}`, `{"translatedText":["` + strings.Repeat("x", 1<<20) + `"]}`} {
		mo.post(path+"/translate", map[string]any{"to": "ar"}).fault(503, "unavailable")
	}
	mo.post(path+"/translate", map[string]any{"to": "en"}).fault(503, "unavailable")
}

func TestWithoutAServiceNothingIsTranslated(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, permission.ViewReports)
	path := "/moderation/reports/" + b.file(0, "1")
	require.Equal(t, false, mo.get(path).status(200).body["translatable"])
	mo.post(path+"/translate", map[string]any{"to": "ar"}).fault(404, "not_found")
}
