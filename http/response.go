package http

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// writeJSON answers with v. If v cannot be encoded it writes nothing.
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

// answerJSON answers with v, or returns the error if there is one. Callers compute v in either case, so that must not
// fail on the zero values that come with an error.
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

// answerEmpty answers with a status and no body, or returns the error if there is one.
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
