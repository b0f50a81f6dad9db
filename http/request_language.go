package http

import (
	"net/http"

	"golang.org/x/text/language"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account"
)

// languageOf returns the language for mails that the browser requests.
func languageOf(r *http.Request) string {
	languages := account.Languages()
	supported := domain.Map(languages, language.Make)
	header := r.Header.Get("Accept-Language")
	if len(header) > 1000 {
		return languages[0]
	}
	_, i := language.MatchStrings(language.NewMatcher(supported), header)
	return languages[min(i, len(languages)-1)]
}
