package http

import (
	"bytes"
	"errors"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

// Whoever runs the service finds the cause in the log, and nobody else finds it anywhere.
func TestTheCauseOfAFailureIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	for name, c := range map[string]struct {
		err    error
		status int
		logged bool
	}{
		"a fault of ours":         {cause, 500, true},
		"an action that failed":   {&domain.Error{Code: domain.CodeActionFailed, Message: "The action failed.", Cause: cause}, 422, true},
		"a fault of the client's": {&domain.Error{Code: domain.CodeUnauthorized, Message: "No.", Cause: cause}, 401, false},
	} {
		var log bytes.Buffer
		logger := zerolog.New(&log).With().Str("request_id", "an-id").Logger()
		r := httptest.NewRequest(nethttp.MethodPost, "/", nil)
		w := httptest.NewRecorder()
		writeError(w, r.WithContext(logger.WithContext(r.Context())), c.err)
		require.Equal(t, c.status, w.Code, name)
		require.NotContains(t, w.Body.String(), "the cause", name)
		if c.logged {
			require.Contains(t, log.String(), "the cause", name)
			require.Contains(t, log.String(), "an-id", name)
		} else {
			require.Empty(t, log.String(), name)
		}
	}
}
