package http_test

import (
	"context"
	"encoding/json"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

// fuzzed is a fixture whose routes are called with anything, by somebody who
// may do everything: with a token, which no request can end.
type fuzzed struct {
	*fixture
	routes []string
	bodies map[string]string
	token  string
}

func newFuzzed(t *testing.T) *fuzzed {
	t.Helper()
	f := &fuzzed{fixture: newFixture(t), bodies: map[string]string{}}
	f.run()
	for _, route := range http.Table(f.api) {
		key := routeKey(route)
		f.routes, f.bodies[key] = append(f.routes, key), bodies(t)[key].json
	}
	f.bodies["POST "+core+"/admin/platforms/fetch"] = `{"url":"https://127.0.0.1:9/x.yaml"}` // nobody else is asked
	slices.Sort(f.routes)
	p := person{name: "Fuzzer", root: true, unlimited: true}
	f.enter(&p)
	id := f.root.get("/users/session").body["user"].(map[string]any)["id"].(string)
	var err error
	f.token, _, err = f.accounts.CreateToken(context.Background(), id, account.NewToken{Use: permission.UseAdmin})
	require.NoError(t, err)
	return f
}

// hostile is one request.
type hostile struct {
	route string // of the table
	id    string // instead of one id of the path, and of the last event; "": those that are there
	query string // also the id of the request
	body  string
	guest bool
}

// call sends it and gives the status; 0 when it is no HTTP request at all.
func (f *fuzzed) call(t testing.TB, h hostile) (int, string) {
	method, _, _ := strings.Cut(h.route, " ")
	key := h.route
	if h.id != "" {
		for _, parameter := range []string{"{noteId}", "{deliveryId}", "{id}", "{action}", "{family}", "{name}", "{type}"} {
			if strings.Contains(key, parameter) {
				key = strings.Replace(key, parameter, strings.ReplaceAll(url.PathEscape(h.id), "{", "%7B"), 1)
				break
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := nethttp.NewRequestWithContext(ctx, method, f.server.URL+f.path(key), strings.NewReader(h.body))
	if err != nil {
		return 0, ""
	}
	r.URL.RawQuery = h.query
	for name, value := range map[string]string{"Content-Type": "application/json", "X-Request-Id": h.query, "Last-Event-ID": h.id} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if !h.guest {
		r.Header.Set("Authorization", "Bearer "+f.token)
	}
	resp, err := f.server.Client().Do(r)
	if err != nil {
		require.NoError(t, ctx.Err(), "%s did not answer", h.route)
		return 0, "" // the client refuses to send it
	}
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return resp.StatusCode, ""
	}
	var answer struct{ Error, Message string }
	_ = json.NewDecoder(resp.Body).Decode(&answer)
	return resp.StatusCode, answer.Error + ": " + answer.Message
}

// TestNoRequestMakesTheServerFail draws requests that are nearly right: bodies
// of the routes with some values changed, queries of known names, ids of other things.
func TestNoRequestMakesTheServerFail(t *testing.T) {
	t.Parallel()
	f := newFuzzed(t)
	rapid.Check(t, func(rt *rapid.T) {
		for range 10 {
			key := rapid.SampledFrom(f.routes).Draw(rt, "route")
			h := hostile{
				route: key, query: drawQuery(rt), body: drawBody(rt, f.bodies[key]),
				id:    rapid.SampledFrom([]string{"", "", "", f.reportID, f.noteID, uuid.NewString(), "hide", "unhide", "posts", "forum.category", "\x00", "\xff"}).Draw(rt, "id"),
				guest: rapid.IntRange(0, 9).Draw(rt, "guest") == 0,
			}
			status, answer := f.call(t, h)
			if status >= nethttp.StatusInternalServerError {
				rt.Fatalf("%d %s to %+v", status, answer, h)
			}
		}
	})
}

func drawQuery(t *rapid.T) string {
	q := url.Values{}
	names := []string{"cursor", "first", "last", "order", "orderBy", "status", "assigned", "search", "pluginId", "targetType", "targetId", "reason", "scope",
		"createdAfter", "createdBefore", "page", "pageSize", "limit", "ids", "sequence", "at", "locale", "group", "after", "unread", "family", "since", "until"}
	values := []string{"", "1", "-1", "0", "100", "9223372036854775807", "9223372036854775808", "asc", "desc", "createdAt", "new,done", "me", "none", uuid.NewString(),
		"2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "-0001-01-01T00:00:00Z", "forum.category:general", ":", "\x00:general", "\xff:general", "a b", "'", `\`, "\x00", "\xff", "&|!:*", "en"}
	for range rapid.IntRange(0, 4).Draw(t, "parameters") {
		value := rapid.OneOf(rapid.SampledFrom(values), rapid.String()).Draw(t, "value")
		q.Add(rapid.SampledFrom(names).Draw(t, "name"), value)
	}
	return q.Encode()
}

func drawBody(t *rapid.T, valid string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(valid), &fields) != nil {
		return valid
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch rapid.IntRange(0, 5).Draw(t, "change "+name) {
		case 0:
			delete(fields, name)
		case 1:
			fields[name] = drawValue(t, 3)
		}
	}
	encoded, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// drawValue draws any JSON value, of the words of documents and grants above all.
func drawValue(t *rapid.T, depth int) any {
	words := []string{"doc", "paragraph", "text", "heading", "type", "content", "marks", "attrs", "link", "href", "plugin", "module", "permission", "scope", "family",
		"mode", "ids", "all", "selected", "forum", "posts", "forum.category", "general", permission.ViewReports, "javascript:x", "\x00", "\ufffd", "", "😀"}
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom(words).Draw(t, "word")
	case 1:
		return rapid.SampledFrom([]any{nil, true, false, 0, -1, 1, 1.5, 1e300, 2147483648, 9223372036854775807}).Draw(t, "literal")
	case 2:
		return rapid.String().Draw(t, "string")
	case 3:
		return strings.Repeat(rapid.SampledFrom([]string{"a", "é ", "<p>"}).Draw(t, "piece"), rapid.IntRange(0, 3000).Draw(t, "times"))
	case 4:
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range list {
			list[i] = drawValue(t, depth-1)
		}
		return list
	default:
		object := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "keys") {
			object[rapid.SampledFrom(words).Draw(t, "key")] = drawValue(t, depth-1)
		}
		return object
	}
}
