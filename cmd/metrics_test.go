package cmd

import (
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestGroupsOfListenersAreMeasuredByWhatTheyHaveNotRead(t *testing.T) {
	t.Parallel()
	s, err := NewServer(t.Context(), map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}, t.Output())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	pgtest.Exec(t, s.db.Pool, `INSERT INTO watermill_docket_events (uuid, payload, metadata)
		SELECT gen_random_uuid()::text, '{}', json_build_object('occurred_at', now() - i * interval '1 hour') FROM generate_series(1, 2) i`)
	pgtest.Exec(t, s.db.Pool, `INSERT INTO watermill_offsets_docket_events VALUES ('late', 0, '0')`)

	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, "http://localhost/metrics", nil))
	require.Contains(t, w.Body.String(), `docket_subscriber_lag_messages{group="late"} 2`)
	require.Regexp(t, `docket_subscriber_lag_seconds\{group="late"\} 72\d\d\.`, w.Body.String())
}
