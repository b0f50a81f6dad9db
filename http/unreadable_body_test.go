package http_test

import (
	"bufio"
	"fmt"
	"net"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a body of unknown length that cannot be read, every command on a report refuses it,
// also one that may be sent without a body, and nothing is changed.
func TestAnUnreadableBodyIsRefused(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	id := b.file(0, "1")
	path := "/moderation/reports/" + id
	noteID := mo.post(path+"/notes", map[string]any{"body": "a note"}).status(201).body["note"].(map[string]any)["id"].(string)
	before := mo.get(path).status(200).raw
	for key := range validBodies {
		if !strings.HasPrefix(key, "POST "+core+"/moderation/reports/{id}/") {
			continue
		}
		conn, err := net.Dial("tcp", b.server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
			fill(key, id, noteID), b.server.Listener.Addr(), mo.header.Get("Cookie"))
		require.NoError(t, err)
		got, err := nethttp.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.Equal(t, nethttp.StatusBadRequest, got.StatusCode, key)
	}
	require.JSONEq(t, string(before), string(mo.get(path).status(200).raw))
}
