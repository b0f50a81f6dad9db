package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// filingCounter counts the batches that store filings, and the filings in them.
type filingCounter struct {
	tripCounter
	batches, filings atomic.Int64
}

func (c *filingCounter) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	n := int64(0)
	for _, q := range data.Batch.QueuedQueries {
		if strings.HasPrefix(q.SQL, "INSERT INTO core_moderation_reports ") {
			n += int64(len(q.Arguments[0].([]string)))
		}
	}
	c.filings.Add(n)
	c.batches.Add(min(n, 1))
	return c.tripCounter.TraceBatchStart(ctx, conn, data)
}

// One client repeats itself among others, whose filings share batches with it.
func TestARefusedFilingFailsNoOtherAndRunsNoneAgain(t *testing.T) {
	t.Parallel()
	counter := &filingCounter{}
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{Tracer: counter})
	b := bundleOn(pool)
	const clients, each = 32, 15
	users := b.users(t, clients)
	b.file(t, users[0], "repeated")
	counter.filings.Store(0)
	counter.batches.Store(0)

	got := platformtest.Outcomes(clients, func(i int) error {
		for n := range each {
			target := fmt.Sprint(i, n)
			if i == 0 {
				target = "repeated"
			}
			s, err := b.store.File(context.Background(), filing(users[i], target))
			if refused := domain.ErrorCode(err) == domain.CodeAlreadyReported; refused != (i == 0) {
				return fmt.Errorf("client %d: %w", i, err)
			}
			if err == nil && *s.ReporterID != users[i] {
				return errors.New("somebody else's report")
			}
		}
		return nil
	})

	require.Equal(t, map[domain.Code]int{"": clients}, got)
	require.EqualValues(t, clients*each, counter.filings.Load(), "each filing runs once")
	require.Less(t, counter.batches.Load(), int64(clients*each), "filings share batches")
	var reports, events, messages, targets int
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM core_moderation_reports), (SELECT count(*) FROM core_moderation_report_events),
		(SELECT count(*) FROM watermill_docket_events), (SELECT count(*) FROM core_moderation_targets)`).Scan(&reports, &events, &messages, &targets))
	const accepted = (clients-1)*each + 1
	require.Equal(t, []int{accepted, accepted, accepted, accepted}, []int{reports, events, messages, targets})
}
