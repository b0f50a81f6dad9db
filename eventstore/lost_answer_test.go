package eventstore_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
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
