package http_test

import (
	"bytes"
	"io"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
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

func (b *bundle) movePost(id, category string) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET category_id = $2 WHERE id = $1::text::bigint`, id, category)
}

// sees tells where a moderator meets a report: in the list, the counts and by its id.
func (b *bundle) sees(c *client, report string) []string {
	b.t.Helper()
	var places []string
	for _, e := range c.get("/moderation/reports").status(nethttp.StatusOK).edges() {
		if e["id"] == report {
			places = append(places, "list")
		}
	}
	if c.get("/moderation/reports/counts").status(nethttp.StatusOK).body["new"] == 1.0 {
		places = append(places, "counts")
	}
	if c.get("/moderation/reports/"+report).code == nethttp.StatusOK {
		places = append(places, "report")
	}
	return places
}

func TestWhoMaySeeAReportChangesWithTheCommitOfAMove(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.movePost("1", "general")
	report := b.file(0, "1")
	general := b.moderator("Gina", []string{"general"}, permission.ViewReports)
	support := b.moderator("Susi", []string{"support"}, permission.ViewReports)
	everywhere := []string{"list", "counts", "report"}

	require.Equal(t, everywhere, b.sees(general, report))
	require.Empty(t, b.sees(support, report))

	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `UPDATE forum_posts SET category_id = 'support' WHERE id = 1`)
	require.Equal(t, everywhere, b.sees(general, report), "not committed yet")
	require.NoError(t, tx.Commit(t.Context()))
	require.Empty(t, b.sees(general, report))
	require.Equal(t, everywhere, b.sees(support, report))

	// Once it is deleted, the scope it had last decides.
	pgtest.Exec(t, b.pool, `DELETE FROM forum_posts WHERE id = 1`)
	require.Empty(t, b.sees(general, report))
	require.Equal(t, everywhere, b.sees(support, report))
}
