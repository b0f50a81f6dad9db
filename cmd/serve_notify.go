package cmd

import (
	"context"
	"fmt"
	"net"
)

// tellReady tells systemd, if it waits for that (Type=notify), that the server answers and has
// printed its link: https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
func (a *app) tellReady(ctx context.Context) error {
	socket := a.variable("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unixgram", socket)
	if err != nil {
		return fmt.Errorf("tell systemd that the server is ready: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("READY=1")); err != nil {
		return fmt.Errorf("tell systemd that the server is ready: %w", err)
	}
	return nil
}
