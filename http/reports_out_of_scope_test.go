package http_test

import (
	"bytes"
	"io"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

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

// outside is a bundle with a report that its moderator does not cover: it is in
// `general`, has a note, and is the only one of its target, its reporter and its words.
type outside struct {
	*bundle
	header   nethttp.Header
	reportID string
	noteID   string
	targetID string
	reporter string
	author   string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{bundle: newBundle(t), targetID: "1"}
	o.reportID, o.reporter = o.file(0, o.targetID), o.members[0]
	author := o.moderator("Author", nil, everyPermission...)
	o.author = author.get("/users/session").body["user"].(map[string]any)["id"].(string)
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
			"a valid body":          {"application/json", validBodies[key]},
			"an empty object":       {"application/json", `{}`},
			"no JSON":               {"application/json", `{`},
			"another media type":    {"application/xml", `<a/>`},
			"a form":                {"text/plain", `a`},
			"more than is accepted": {"application/json", strings.Repeat("x", 1<<20+1)},
		} {
			queries := []string{"", "?first=x", "?sequence=0", "?cursor=x", "?search=%00"}
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

// Nor do lists and counts tell of it, however they are filtered.
func TestListsTellNothingOfAnOutsideReport(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	var reporterName string
	require.NoError(t, o.pool.QueryRow(t.Context(), `SELECT name FROM core_users WHERE id = $1`, o.reporter).Scan(&reporterName))
	for _, list := range []string{"/moderation/reports", "/moderation/reports/counts"} {
		for _, c := range []struct{ there, random string }{
			{"", "pluginId=nothing"},
			{"pluginId=forum&targetType=forum.post&targetId=" + o.targetID, "pluginId=forum&targetType=forum.post&targetId=987654"},
			{"search=" + o.targetID, "search=987654"},
			{"search=" + url.QueryEscape(reporterName), "search=nobodyofthisname"},
			{"assigned=" + o.author, "assigned=" + uuid.NewString()},
			{"assigned=any", "assigned=me"},
			{"scope=forum.category:general", "scope=forum.category:nowhere"},
			{"reason=spam", "reason=abusive"},
			{"status=in_progress", "status=done"},
			{"last=1", "last=1&reason=abusive"},
			{"page=1&pageSize=1", "page=1&pageSize=1&reason=abusive"},
		} {
			there := o.reply(t, o.header, nethttp.MethodGet, core+list+"?"+c.there, "", nil)
			random := o.reply(t, o.header, nethttp.MethodGet, core+list+"?"+c.random, "", nil)
			if !strings.Contains(there.Body, "unknown_parameter") {
				require.Equal(t, nethttp.StatusOK, there.Status, there.Body)
			}
			require.Equal(t, random, there, "%s?%s", list, c.there)
		}
	}
}

// The time of an answer tells nothing either: both ids cost one query, and the
// medians of interleaved requests stay together.
func TestAnOutsideReportTakesAsLongAsNone(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	median := func(d []time.Duration) time.Duration { slices.Sort(d); return d[len(d)/2] }
	for _, key := range []string{"GET " + core + "/moderation/reports/{id}", "POST " + core + "/moderation/reports/{id}/claim", "GET " + core + "/moderation/reports/{id}/assignees"} {
		method, _, _ := strings.Cut(key, " ")
		took := func(id string) time.Duration {
			start := time.Now()
			o.reply(t, o.header, method, fill(key, id, id), "application/json", []byte(validBodies[key]))
			return time.Since(start)
		}
		var there, random []time.Duration
		for range 100 {
			there, random = append(there, took(o.reportID)), append(random, took(uuid.NewString()))
		}
		ratio := float64(median(there)) / float64(median(random))
		require.InDelta(t, 1, ratio, 0.6, "%s takes %s for an outside report and %s for none", key, median(there), median(random))
	}
}
