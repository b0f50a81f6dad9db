package http_test

import (
	"bytes"
	"io"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// reply is everything that an answer tells, apart from its time and its id.
type reply struct {
	Status int
	Header nethttp.Header
	Body   string
}

func (b *bundle) reply(t *testing.T, header nethttp.Header, method, path, contentType string, body []byte) reply {
	t.Helper()
	r, err := nethttp.NewRequest(method, b.server.URL+path, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header = header.Clone()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := b.server.Client().Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	resp.Header.Del("Date")
	resp.Header.Del("X-Request-Id")
	return reply{resp.StatusCode, resp.Header, string(raw)}
}

// outside is a bundle with a report that its moderator does not cover: it is in `general`, and has a note.
type outside struct {
	*bundle
	header   nethttp.Header
	reportID string
	noteID   string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{bundle: newBundle(t)}
	o.reportID = o.file(0, "1")
	author := o.moderator("Author", nil, everyPermission...)
	made := author.post("/moderation/reports/"+o.reportID+"/notes", map[string]any{"body": "not for everybody"}).status(nethttp.StatusCreated)
	o.noteID = made.body["note"].(map[string]any)["id"].(string)
	author.post("/moderation/reports/"+o.reportID+"/claim", at(1)).status(nethttp.StatusOK)
	o.header = o.moderator("Stranger", []string{"support"}, everyPermission...).header
	return o
}

// A scoped moderator cannot learn that an outside report exists: whatever is
// sent to whichever route of it, a random id is answered alike.
func TestAnOutsideReportIsAsNone(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	routes := 0
	for _, route := range http.Table(o.api) {
		key := routeKey(route)
		if !strings.Contains(key, "/moderation/reports/{id}") {
			continue
		}
		routes++
		for name, c := range map[string]struct{ contentType, body string }{
			"a valid body":          {"application/json", bodies(t)[key].json},
			"no JSON":               {"application/json", `{`},
			"a form":                {"text/plain", `a`},
			"more than is accepted": {"application/json", strings.Repeat("x", 1<<20+1)},
		} {
			queries := []string{"", "?first=x", "?sequence=0"}
			if name != "a valid body" {
				queries = queries[:1]
			}
			for _, query := range queries {
				there := o.reply(t, o.header, route.Method, fill(key, o.reportID, o.noteID)+query, c.contentType, []byte(c.body))
				random := o.reply(t, o.header, route.Method, fill(key, uuid.NewString(), uuid.NewString())+query, c.contentType, []byte(c.body))
				require.Equal(t, random, there, "%s with %s%s", key, name, query)
				if c.contentType == "application/json" && !strings.Contains(there.Body, "unknown_parameter") {
					require.Equal(t, nethttp.StatusNotFound, there.Status, "%s with %s%s", key, name, query)
				}
			}
		}
	}
	require.GreaterOrEqual(t, routes, 14)
}
