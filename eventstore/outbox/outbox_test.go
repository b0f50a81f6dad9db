package outbox_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

type row struct {
	uuid, payload string
	metadata      map[string]string
}

func stored(t *testing.T, db *pgxpool.Pool) []row {
	t.Helper()
	rows, err := db.Query(t.Context(),
		`SELECT uuid, payload::text, metadata::text FROM watermill_docket_events ORDER BY transaction_id, "offset"`)
	require.NoError(t, err)
	out, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (row, error) {
		var got row
		var metadata string
		if err := r.Scan(&got.uuid, &got.payload, &metadata); err != nil {
			return got, err
		}
		return got, json.Unmarshal([]byte(metadata), &got.metadata)
	})
	require.NoError(t, err)
	return out
}

func TestQueuePublishesWithTheTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	report := outbox.Message{
		ID: uuid.Must(uuid.NewV7()), Name: "moderation.report.created",
		ReportID: "0197a0b0-0000-7000-8000-000000000001", Sequence: 1, PluginID: "forum", ActorID: "someone",
		OccurredAt: time.Date(2026, 10, 11, 19, 33, 21, 42_000, time.FixedZone("east", 3600)),
		Payload:    []byte(`{"reportId":"0197a0b0-0000-7000-8000-000000000001","reason":"spam"}`),
	}
	content := outbox.Message{
		ID: uuid.Must(uuid.NewV7()), Name: "content.forum.post.hidden", PluginID: "forum",
		OccurredAt: report.OccurredAt, Payload: []byte(`{"contentId":"42"}`),
	}

	batch := &pgx.Batch{}
	require.NoError(t, outbox.Queue(batch))
	require.Zero(t, batch.Len(), "no messages, no statement")
	require.NoError(t, outbox.Queue(batch, report, content))
	require.Equal(t, 1, batch.Len())

	tx := pgtest.Begin(t, pool)
	require.NoError(t, tx.SendBatch(t.Context(), batch).Close())
	require.Empty(t, stored(t, pool), "nothing is public before the commit")
	require.NoError(t, tx.Commit(t.Context()))

	require.Equal(t, []row{
		{uuid: report.ID.String(), payload: string(report.Payload), metadata: map[string]string{
			"name": report.Name, "report_id": report.ReportID, "sequence": "1", "plugin_id": "forum",
			"actor_id": "someone", "occurred_at": "2026-10-11T18:33:21.000042Z",
			"content_type": "application/json", "schema": "1",
		}},
		{uuid: content.ID.String(), payload: string(content.Payload), metadata: map[string]string{
			"name": content.Name, "plugin_id": "forum", "occurred_at": "2026-10-11T18:33:21.000042Z",
			"content_type": "application/json", "schema": "1",
		}},
	}, stored(t, pool))
}
