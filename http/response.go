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

// okJSON answers 200 with v, or returns the error if there is one.
func okJSON(w http.ResponseWriter, v any, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, v)
}

// noContent answers with 204, or returns the error if there is one.
func noContent(w http.ResponseWriter, err error) error {
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
