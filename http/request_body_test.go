package http

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

// manyFields is an object with n fields.
func manyFields(n int) string {
	var b strings.Builder
	b.WriteString(`{"f0":0`)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, `,"f%d":0`, i)
	}
	return b.String() + "}"
}

// A body within its size in bytes is not to grow to many times that in memory.
func TestABodyHasABoundedNumberOfFields(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, body, code string
	}{
		{"as many as may be", manyFields(maxFields), ""},
		{"one more", manyFields(maxFields + 1), "too_many_fields"},
		{"in an object within", `{"a":[` + manyFields(maxFields+1) + `]}`, "too_many_fields"},
		{"in several", `{"a":[` + manyFields(maxFields) + `,` + manyFields(maxFields) + `]}`, ""},
		{"a long list", `{"a":[0` + strings.Repeat(",0", 3*maxFields) + `]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			issue := checkJSON([]byte(c.body))
			if c.code == "" {
				require.Nil(t, issue)
				return
			}
			require.NotNil(t, issue)
			require.Equal(t, c.code, issue.Code)
		})
	}
}

// A list that holds a number instead of an object has one fault, not also those of an empty object.
func TestAFieldWithAFaultHasNoFaultsWithin(t *testing.T) {
	t.Parallel()
	b := &body{}
	b.fault("measures[1]", "wrong_type", "Must be an object.")

	b.add([]domain.Issue{{Path: "measures[1]"}, {Path: "measures[1].kind"}, {Path: "measures[10].kind"}, {Path: "measures"}})

	require.Equal(t, []domain.Issue{{Path: "measures[1]", Code: "wrong_type", Message: "Must be an object."}, {Path: "measures[10].kind"}, {Path: "measures"}}, b.issues)
}

// The connection ends with the time to read it; a client that is still there must not
// take the silence for success.
func TestABodyThatEndsEarlyIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := &server{}
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, nethttp.MethodPost, "/", io.MultiReader(bytes.NewReader([]byte("{")), iotest.ErrReader(io.ErrUnexpectedEOF)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()

	s.answer(func(w nethttp.ResponseWriter, r *nethttp.Request) error {
		cancel()
		return readBody(w, r).Err()
	}).ServeHTTP(w, r)

	require.Equal(t, nethttp.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "unreadable")
}

func TestAClientThatIsGoneIsNoSuccess(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()

	writeError(w, httptest.NewRequestWithContext(ctx, nethttp.MethodGet, "/", nil), fmt.Errorf("list reports: %w", ctx.Err()))

	require.Equal(t, statusClientGone, w.Code)
	require.Empty(t, w.Body.String())
}

func TestAClientThatSendsBeforeItReadsIsToldThatItsBodyIsTooLarge(t *testing.T) {
	t.Parallel()
	s := &server{}
	there := httptest.NewServer(s.answer(func(w nethttp.ResponseWriter, r *nethttp.Request) error { return readBody(w, r).Err() }))
	t.Cleanup(there.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", there.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	const size = 20 << 20
	_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat(" ", size))
	require.NoError(t, err)
	answer, err := nethttp.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	require.Equal(t, nethttp.StatusRequestEntityTooLarge, answer.StatusCode)
}
