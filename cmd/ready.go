package cmd

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

type readyCommand struct{}

// readyPatience bounds the health check, below the timeout that containers give it.
const readyPatience = 4 * time.Second

// Run reports whether the server with the same settings on this machine is ready. It is the health
// check of images, which contain no other program.
func (readyCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	address, err := nearAddress(cfg.Listen)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s is not ready: its log says why", address)
	}
	fmt.Fprintln(a.stdout, "ready")
	return nil
}

// nearAddress returns the address at which this machine reaches a server that listens on listen.
func nearAddress(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", err
	}
	if port == "0" {
		return "", usageError{fmt.Errorf("DOCKET_LISTEN is %s, so that nothing tells which port the server has picked", listen)}
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if err == nil && ip.Is6() {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port), nil
}
