package http_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// databaseProxy stands between a test and a database. The test can cut its connections.
type databaseProxy struct {
	listener net.Listener
	server   *pgx.ConnConfig

	mu      sync.Mutex
	open    map[net.Conn]bool
	refusal string // SQLSTATE with which connections are refused
	closed  bool   // new connections are closed at once
	swallow string // the command tag whose answer is lost
	closing bool   // closed is set once the answer is lost
}

// newDatabaseProxy starts a proxy to the database of a connection string.
func newDatabaseProxy(t testing.TB, database string) *databaseProxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatalf("database proxy: %v", err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("database proxy: %v", err)
	}
	p := &databaseProxy{listener: listener, server: config, open: make(map[net.Conn]bool)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
		serving.Wait()
	})
	return p
}

// URL is the connection string through the proxy.
func (p *databaseProxy) URL() string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", url.UserPassword(p.server.User, p.server.Password), p.listener.Addr(), p.server.Database)
}

// Cut ends every connection that is open.
func (p *databaseProxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// Close cuts all connections and closes new ones, until Restore.
func (p *databaseProxy) Close() { p.set(true, "", "") }

// Refuse cuts all connections and refuses new ones with this SQLSTATE, until Restore.
func (p *databaseProxy) Refuse(state string) { p.set(false, state, "") }

// Swallow closes the next connection on which the server answers with this command tag, such
// as COMMIT, instead of passing the answer on. The command has then been executed.
func (p *databaseProxy) Swallow(tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow = tag
}

// SwallowAndClose is Swallow followed by Close.
func (p *databaseProxy) SwallowAndClose(tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow, p.closing = tag, true
}

// Swallowed reports whether an answer was lost since Swallow.
func (p *databaseProxy) Swallowed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.swallow == ""
}

// Restore accepts connections again. It does not change open ones.
func (p *databaseProxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed, p.refusal, p.swallow, p.closing = false, "", "", false
}

func (p *databaseProxy) set(closed bool, refusal, swallow string) {
	p.mu.Lock()
	p.closed, p.refusal, p.swallow = closed, refusal, swallow
	p.mu.Unlock()
	p.Cut()
}

// enter records a connection and reports whether it is accepted.
func (p *databaseProxy) enter(client net.Conn) (refusal string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[client] = true
	return p.refusal, !p.closed && p.refusal == ""
}

func (p *databaseProxy) leave(client net.Conn) {
	_ = client.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
}

func (p *databaseProxy) serve(client net.Conn) {
	defer p.leave(client)
	refusal, ok := p.enter(client)
	if !ok {
		if refusal != "" {
			_, _ = client.Read(make([]byte, 4096)) // the startup message
			fields := "SFATAL\x00VFATAL\x00C" + refusal + "\x00Mrefused by the test\x00\x00"
			size := len(fields) + 4
			_, _ = client.Write(append([]byte{'E', byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}, fields...))
		}
		return
	}
	network, address := "tcp", net.JoinHostPort(p.server.Host, strconv.Itoa(int(p.server.Port)))
	if strings.HasPrefix(p.server.Host, "/") {
		network, address = "unix", filepath.Join(p.server.Host, ".s.PGSQL."+strconv.Itoa(int(p.server.Port)))
	}
	server, err := new(net.Dialer).DialContext(context.Background(), network, address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { // ends with client or server
		defer func() { _ = server.Close() }()
		_, _ = io.Copy(server, client)
	}()
	buffer, swallowed := make([]byte, 1<<20), false
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		swallowed = swallowed || p.swallows(buffer[:n])
		if swallowed && bytes.HasSuffix(buffer[:n], []byte("Z\x00\x00\x00\x05I")) {
			return // the server is ready for more, so the transaction has ended
		}
		if !swallowed {
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
}

// swallows reports whether an answer holds the command tag that is to be swallowed.
func (p *databaseProxy) swallows(answer []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.swallow == "" || !bytes.Contains(answer, []byte(p.swallow+"\x00")) {
		return false
	}
	p.swallow, p.closed = "", p.closing
	return true
}
