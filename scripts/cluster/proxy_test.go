//go:build cluster

package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"time"
)

// tellProxy sends a command to HAProxy's socket and returns the answer.
func (c *cluster) tellProxy(ctx context.Context, command string) (string, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", filepath.Join(c.Proxy.Dir, "haproxy.sock"))
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintln(conn, command); err != nil {
		return "", err
	}
	answer, err := io.ReadAll(conn)
	return string(answer), err
}

// proxySees waits until the proxy has found a server of a section up.
func (c *cluster) proxySees(ctx context.Context, section, name string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		answer, err := c.tellProxy(ctx, "show stat")
		if err != nil {
			return err
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(strings.TrimSpace(answer), "# "))).ReadAll()
		if err != nil {
			return fmt.Errorf("show stat: %w", err)
		}
		for _, row := range rows {
			if row[0] == section && row[1] == name && strings.HasPrefix(row[17], "UP") {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the proxy does not find %s of %s up", name, section)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// blind makes the proxy take a server that works for one that does not, and cuts its
// connections; see makes it look again.
func (c *cluster) blind(ctx context.Context, server string) error {
	for _, command := range []string{"set server " + server + " state maint", "shutdown sessions server " + server} {
		if answer, err := c.tellProxy(ctx, command); err != nil || strings.TrimSpace(answer) != "" {
			return fmt.Errorf("%s: %s %w", command, strings.TrimSpace(answer), err)
		}
	}
	return nil
}

func (c *cluster) see(ctx context.Context, server string) error {
	answer, err := c.tellProxy(ctx, "set server "+server+" state ready")
	if err == nil && strings.TrimSpace(answer) != "" {
		err = fmt.Errorf("%s", strings.TrimSpace(answer))
	}
	return err
}
