package served

import (
	"bufio"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"time"

	"github.com/docketmod/docket/http"
)

// wire is a client on one kept connection that costs next to nothing, as
// pgbench's clients do: what is measured is the server.
type wire struct {
	connection net.Conn
	reader     *bufio.Reader
	host       string
	took       []time.Duration // by each request
}

func dialWire(url string) (*wire, error) {
	host := strings.TrimPrefix(url, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	return &wire{connection: connection, reader: bufio.NewReader(connection), host: host}, nil
}

func (c *wire) close() { _ = c.connection.Close() }

// get asks with a session and gives the answer, which must be 200.
func (c *wire) get(session, path string) ([]byte, error) {
	return c.send("GET", path, nethttp.StatusOK, fmt.Sprintf("Cookie: docket_session=%s\r\n\r\n", session))
}

// post sends a body with a session and gives the answer, which must have the status.
func (c *wire) post(session, path string, status int, body string) ([]byte, error) {
	return c.postAs("Cookie: docket_session="+session, path, status, body)
}

// postAs is post with another header that says who asks.
func (c *wire) postAs(header, path string, status int, body string) ([]byte, error) {
	return c.send("POST", path, status, fmt.Sprintf("%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", header, len(body), body))
}

func (c *wire) send(method, path string, status int, rest string) ([]byte, error) {
	start := time.Now()
	defer func() { c.took = append(c.took, time.Since(start)) }()
	if _, err := fmt.Fprintf(c.connection, "%s %s%s HTTP/1.1\r\nHost: %s\r\n%s", method, http.Base, path, c.host, rest); err != nil {
		return nil, err
	}
	answer, err := nethttp.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != status {
		err = fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, raw)
	}
	return raw, err
}
