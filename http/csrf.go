package http

import (
	"mime"
	"net/http"
	"strings"
)

// withCSRF refuses a POST that a form of another site could send: one whose content type is
// missing, text/plain or a form's, unless it comes from the trusted origin. A request without a
// body that only a bearer token authenticates needs no content type, since no form can send the
// token; this does not apply to the trigger of scheduled jobs.
func (s *server) withCSRF(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && formLike(r.Header.Get("Content-Type")) && !s.trusted(r.Header.Get("Origin")) && !s.bearerAlone(r) {
			writeError(w, r, &plainText{http.StatusForbidden, "Forbidden"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// bearerAlone reports whether the request has a bearer token, but no session, body or content type.
func (s *server) bearerAlone(r *http.Request) bool {
	c := s.readCredentials(r)
	return c.Bearer != "" && c.SessionID == "" && r.ContentLength == 0 && len(r.Header.Values("Content-Type")) == 0 && r.URL.Path != Base+cronPath
}

func formLike(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(contentType)), ";")
		media = strings.TrimSpace(media)
	}
	switch media {
	case "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data":
		return true
	}
	return false
}

func (s *server) trusted(origin string) bool {
	return origin != "" && s.BaseURL != nil && origin == s.BaseURL.Scheme+"://"+s.BaseURL.Host
}
