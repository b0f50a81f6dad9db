package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"strings"

	"github.com/docketmod/docket/http"
)

// wire is a client on one kept connection that costs next to nothing, as
// pgbench's clients do: what is measured is the server.
type wire struct {
	connection net.Conn
	reader     *bufio.Reader
	host       string
}

func dialWire(url string) (*wire, error) {
	host := strings.TrimPrefix(url, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	return &wire{connection, bufio.NewReader(connection), host}, nil
}

func (c *wire) close() { _ = c.connection.Close() }

// post sends a body with a session and gives the answer, which must have the status.
func (c *wire) post(session, path string, status int, body string) ([]byte, error) {
	_, err := fmt.Fprintf(c.connection, "POST %s%s HTTP/1.1\r\nHost: %s\r\nCookie: docket_session=%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		http.Base, path, c.host, session, len(body), body)
	if err != nil {
		return nil, err
	}
	answer, err := nethttp.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != status {
		err = fmt.Errorf("POST %s: %d %s", path, answer.StatusCode, raw)
	}
	return raw, err
}
