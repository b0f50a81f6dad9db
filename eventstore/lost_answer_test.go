package eventstore_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// lossy is a connection that fails once instead of giving the answer to what it was sent.
type lossy struct {
	net.Conn
	word  []byte        // in what is sent
	left  *atomic.Int32 // failures, of all connections
	armed bool
}

func (c *lossy) Write(p []byte) (int, error) {
	c.armed = c.armed || bytes.Contains(p, c.word)
	return c.Conn.Write(p)
}

func (c *lossy) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.armed && c.left.Add(-1) >= 0 {
		_ = c.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// Given a batch of filings that is stored, and whose answer is lost, none of them is refused as
// a repetition of itself.
func TestAFilingWhoseAnswerIsLostIsNotRefused(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	require.NoError(t, err)
	var left atomic.Int32
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &lossy{Conn: conn, word: []byte("lost answer"), left: &left}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	b := bundleOn(pool)
	users := b.users(t, 20)
	left.Store(1)

	got := platformtest.Outcomes(len(users), func(i int) error {
		_, err := b.store.File(context.Background(), filing(users[i], fmt.Sprint("lost answer ", i)))
		return err
	})

	require.Equal(t, map[domain.Code]int{"": len(users)}, got)
	require.Less(t, left.Load(), int32(1), "an answer was lost")
}

// Given a command that a deadlock repeats, and whose connection is then lost before it writes, only what was sent is
// looked for: the request has as many writes as before.
func TestACommandLostAfterADeadlockTakesNoWriteAway(t *testing.T) {
	t.Parallel()
	b := bundleOn(pgtest.Open(t, pgtest.URL(t), postgres.Options{})) // whose connections are Docket's
	user := b.users(t, 1)[0]
	filed, err := b.store.File(t.Context(), filing(user, "42"))
	require.NoError(t, err)
	pgtest.Exec(t, b.pool, `CREATE SEQUENCE attempts`)
	pgtest.Exec(t, b.pool, `CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF nextval('attempts') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$`)
	pgtest.Exec(t, b.pool, `CREATE TRIGGER deadlock_once BEFORE INSERT ON core_moderation_report_events FOR EACH ROW EXECUTE FUNCTION deadlock_once()`)
	ctx, writes := postgres.TrackWrites(t.Context())
	postgres.AddWrites(ctx, 1) // by the same request, earlier

	attempts := 0
	_, err = b.store.Update(ctx, moderation.Ref{ReportID: filed.ID}, &user, func(ctx context.Context, tx pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
		if attempts++; attempts == 2 {
			_, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
			return moderation.Change{}, err
		}
		facts, err := report.DecideClaim(l.State, user, l.State.Version)
		return moderation.Change{Facts: facts}, err
	})

	require.True(t, postgres.Lost(err), err)
	require.Equal(t, 2, attempts)
	require.True(t, writes.Any())
}
