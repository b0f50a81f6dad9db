package http_test

import (
	"encoding/json"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

func TestMessagesFallBackFromARegionToItsLanguage(t *testing.T) {
	t.Parallel()
	messages := map[string]map[string]string{
		"en":    {"post": "post", "topic": "topic", "profile": "profile"},
		"de":    {"post": "Beitrag", "topic": "Thema"},
		"DE-at": {"post": "Posting"},
		"zh":    {"post": "帖子"},
		"fr-CA": {"post": "message", "topic": "sujet"},
		"fr_CA": {"topic": "fil"}, // of another plugin
	}
	catalog := &http.Catalog{Locale: "en", Messages: func() map[string]map[string]string { return messages }}
	api := http.New(http.Config{Log: zerolog.Nop()}, catalog)
	cases := []struct {
		name, locale         string
		post, topic, profile string
	}{
		{"none", "", "post", "topic", "profile"},
		{"a language", "de", "Beitrag", "Thema", "profile"},
		{"a region with words of its own", "de-AT", "Posting", "Thema", "profile"},
		{"a region without", "de-CH", "Beitrag", "Thema", "profile"},
		{"more than a region", "de-AT-1996-x-a", "Posting", "Thema", "profile"},
		{"as systems write it", "de_AT", "Posting", "Thema", "profile"},
		{"in other letters", "DE-at", "Posting", "Thema", "profile"},
		{"a script", "zh-Hant-TW", "帖子", "topic", "profile"},
		{"a language that begins like another", "den", "post", "topic", "profile"},
		{"none that we know", "fr-FR", "post", "topic", "profile"},
		{"two ways to write it, the same in each answer", "fr-CA", "message", "fil", "profile"},
		{"no language at all", "-é", "post", "topic", "profile"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for range 20 {
				w := httptest.NewRecorder()
				api.ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, http.Base+"/messages?locale="+url.QueryEscape(c.locale), nil))
				require.Equal(t, nethttp.StatusOK, w.Code)
				var got map[string]string
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
				require.Equal(t, map[string]string{"post": c.post, "topic": c.topic, "profile": c.profile}, got)
			}
		})
	}
}
