package http

import (
	"bytes"
	"encoding/json"
	"errors"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
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
		logged string
	}{
		"a fault of ours":         {cause, 500, "the cause"},
		"an action that failed":   {&domain.Error{Code: domain.CodeActionFailed, Message: "The action failed.", Cause: cause}, 422, "the cause"},
		"a lock waited for":       {&pgconn.PgError{Code: "55P03", Message: "the cause"}, 503, "the cause"},
		"a deadlock":              {&pgconn.PgError{Code: "40P01", Message: "the cause"}, 503, "the cause"},
		"a fault of the SQL":      {&pgconn.PgError{Code: "42601", Message: "the cause"}, 500, "the cause"},
		"what cannot be encoded":  {&domain.Error{Code: domain.CodeConflict, Current: json.RawMessage("{")}, 500, "unexpected end of JSON"},
		"a fault of the client's": {&domain.Error{Code: domain.CodeUnauthorized, Message: "No.", Cause: cause}, 401, ""},
	} {
		var log bytes.Buffer
		logger := zerolog.New(&log).With().Str("request_id", "an-id").Logger()
		r := httptest.NewRequest(nethttp.MethodPost, "/", nil)
		w := httptest.NewRecorder()
		writeError(w, r.WithContext(logger.WithContext(r.Context())), c.err)
		require.Equal(t, c.status, w.Code, name)
		require.NotContains(t, w.Body.String(), "the cause", name)
		if c.logged != "" {
			require.Contains(t, log.String(), c.logged, name)
			require.Contains(t, w.Header().Get("Content-Type"), "application/json", name)
			require.Contains(t, log.String(), "an-id", name)
		} else {
			require.Empty(t, log.String(), name)
		}
	}
}

// docs/errors.md has every code once, with its status, and no other.
func TestThePageOfErrors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/errors.md")
	require.NoError(t, err)
	told := map[domain.Code]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\d+) \\| .+ \\|$").FindAllStringSubmatch(string(page), -1) {
		require.NotContains(t, told, domain.Code(row[1]))
		told[domain.Code(row[1])], _ = strconv.Atoi(row[2])
	}
	require.Equal(t, statuses, told)
}
