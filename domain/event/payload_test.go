package event_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
)

func TestTimesHaveMicroseconds(t *testing.T) {
	t.Parallel()
	overdue := event.Overdue{ReportID: "r", DueAt: time.Date(2026, 3, 1, 12, 0, 0, 500_000_000, time.FixedZone("", 3600))}
	encoded, err := json.Marshal(overdue)
	require.NoError(t, err)
	require.JSONEq(t, `{"reportId": "r", "dueAt": "2026-03-01T11:00:00.500000Z"}`, string(encoded))
	decoded, err := event.Decode[event.Overdue](event.Event{Payload: encoded})
	require.NoError(t, err)
	require.True(t, overdue.DueAt.Equal(decoded.DueAt))
}
