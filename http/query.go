package http

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/gorilla/mux"
)

// pathID is a UUID from the path; one that is not of its form is 404.
func pathID(r *http.Request, name string) (string, error) {
	id, ok := parseUUID(mux.Vars(r)[name])
	if !ok {
		return "", notFound()
	}
	return id, nil
}

// parseUUID takes the usual form of 36 characters alone and gives it in lower case.
func parseUUID(value string) (string, bool) {
	id, err := uuid.Parse(value)
	if err != nil || len(value) != 36 {
		return "", false
	}
	return id.String(), true
}
