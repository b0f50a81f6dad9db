package postgres_test

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestCloseDoesNotWaitForASilentServer(t *testing.T) {
	t.Parallel()
	server := newMutableServer(t, pgtest.Empty(t))
	pool := server.pool(t)
	require.NoError(t, pool.Ping(t.Context()))
	server.silence()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	require.Error(t, pool.Ping(ctx), "a question that was given up on")
	began := time.Now()

	postgres.Close(pool)

	require.Less(t, time.Since(began), 5*time.Second, "pgx alone waits for 15 s")
}

func TestCloseLeavesNoConnection(t *testing.T) {
	t.Parallel()
	pool := newMutableServer(t, pgtest.Empty(t)).pool(t)
	require.NoError(t, pool.Ping(t.Context()))

	postgres.Close(pool)

	require.Zero(t, pool.Stat().TotalConns())
}

// mutableServer passes on what a PostgreSQL says until it is silenced.
type mutableServer struct {
	t        testing.TB
	url      string
	listener net.Listener
	speaking sync.Mutex // held: silent
}

func newMutableServer(t testing.TB, url string) *mutableServer {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	network, address := pgNetwork(config)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &mutableServer{t: t, url: url, listener: listener}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial(network, address)
			if err != nil {
				_ = client.Close()
				continue
			}
			t.Cleanup(func() { _, _ = client.Close(), upstream.Close() })
			go func() { _, _ = io.Copy(upstream, client) }()
			go s.speak(client, upstream)
		}
	}()
	return s
}

// speak passes on the server's words, and the end of them.
func (s *mutableServer) speak(client, upstream net.Conn) {
	buffer := make([]byte, 4096)
	for {
		n, err := upstream.Read(buffer)
		s.speaking.Lock()
		_, _ = client.Write(buffer[:n])
		if err != nil {
			_ = client.Close()
		}
		s.speaking.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *mutableServer) silence() {
	s.speaking.Lock()
	s.t.Cleanup(s.speaking.Unlock)
}

func (s *mutableServer) pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(s.url)
	require.NoError(t, err)
	address := s.listener.Addr().(*net.TCPAddr)
	config.ConnConfig.Host, config.ConnConfig.Port = "127.0.0.1", uint16(address.Port)
	config.ConnConfig.TLSConfig, config.ConnConfig.Fallbacks = nil, nil
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { postgres.Close(pool) })
	return pool
}

// pgNetwork is where the real server listens: a socket's folder, or a host.
func pgNetwork(config *pgx.ConnConfig) (network, address string) {
	port := strconv.Itoa(int(config.Port))
	if strings.HasPrefix(config.Host, "/") {
		return "unix", config.Host + "/.s.PGSQL." + port
	}
	return "tcp", net.JoinHostPort(config.Host, port)
}
