package platformtest

import (
	"io"
	"net"
	"testing"
	"time"
)

// SlowProxy forwards connections to an address until the test ends, and delays each response; it
// calls delay each time. It returns its own address.
func SlowProxy(t testing.TB, to string, delay func() time.Duration) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).DialContext(t.Context(), "tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go forwardSlowly(client, server, delay)
		}
	}()
	return listener.Addr().String()
}

func forwardSlowly(client, server net.Conn, delay func() time.Duration) {
	defer func() { _ = client.Close() }()
	answer := make([]byte, 64<<10)
	for {
		n, err := server.Read(answer)
		if err != nil {
			return
		}
		<-time.After(delay())
		if _, err := client.Write(answer[:n]); err != nil {
			return
		}
	}
}
