package upkeep_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/upkeep"
)

func TestTheNewestCounts(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	last, err := upkeep.Last(t.Context(), pool)
	require.NoError(t, err)
	require.Empty(t, last)

	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	require.NoError(t, upkeep.Record(t.Context(), pool, upkeep.Backup, noon, upkeep.BackupDetail{Bytes: 7, Reports: 3}))
	require.NoError(t, upkeep.Record(t.Context(), pool, upkeep.Backup, noon.Add(-time.Hour), upkeep.BackupDetail{}))
	require.NoError(t, upkeep.Record(t.Context(), pool, upkeep.Checkpoint, noon, upkeep.CheckpointDetail{Events: 5}))

	last, err = upkeep.Last(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, last, 2)
	require.True(t, noon.Equal(last[upkeep.Backup].At))
	require.JSONEq(t, `{"bytes":7,"reports":3}`, string(last[upkeep.Backup].Detail))
}
