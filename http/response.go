package http

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// writeJSON responds with v as JSON. If v cannot be encoded it writes nothing and returns the error.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	encoded, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded)
	return nil
}

// answerJSON responds with v, or returns err if it is not nil. Callers compute v in either case, so that must not fail
// on the zero values that come with an error.
func answerJSON(w http.ResponseWriter, status int, v any, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(w, status, v)
}

// okJSON is answerJSON with 200.
func okJSON(w http.ResponseWriter, v any, err error) error {
	return answerJSON(w, http.StatusOK, v, err)
}

// answerEmpty responds with a status and no body, or returns err if it is not nil.
func answerEmpty(w http.ResponseWriter, status int, err error) error {
	if err == nil {
		w.WriteHeader(status)
	}
	return err
}

// noContent is answerEmpty with 204.
func noContent(w http.ResponseWriter, err error) error {
	return answerEmpty(w, http.StatusNoContent, err)
}

// accepted is answerEmpty with 202.
func accepted(w http.ResponseWriter, err error) error {
	return answerEmpty(w, http.StatusAccepted, err)
}
