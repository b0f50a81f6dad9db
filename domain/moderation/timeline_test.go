package moderation_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

func TestAnOverdueEntryHasItsTimeToTheMicrosecond(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(moderation.EntryData(report.Event{Fact: &report.Overdue{DueAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}))
	require.NoError(t, err)
	require.JSONEq(t, `{"dueAt": "2026-03-01T12:00:00.000000Z"}`, string(data))
}
