package hosts_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// nodeSocket returns a listening socket for the shop in node/, and its address. The shop
// inherits the socket, so that Docket can be told the address before the shop runs.
func nodeSocket(t *testing.T) (socket *os.File, address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	socket, err = listener.(*net.TCPListener).File()
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	return socket, "http://" + listener.Addr().String()
}

func startNode(t *testing.T, socket *os.File, address string, environment ...string) *caller {
	t.Helper()
	return startScript(t, "node/server.mjs", socket, address, append(environment, "SHOP_SECRET="+secret, "SHOP_URL="+address)...)
}

func startScript(t *testing.T, script string, socket *os.File, address string, environment ...string) *caller {
	t.Helper()
	node := exec.Command("node", script)
	node.Env = append(os.Environ(), append(environment, "LISTEN_FDS=1")...)
	node.ExtraFiles = []*os.File{socket}
	require.Equal(t, address, start(t, node))
	return &caller{t, address, http.Header{}}
}

// startNodeWithDocket runs a demo of Docket and the shop in node/, connected to each other.
func startNodeWithDocket(t *testing.T) (docket, shop *caller, verify func()) {
	t.Helper()
	binary := buildDocket(t)
	socket, address := nodeSocket(t)
	manifest := connect(t, "node/shop.yaml", "http://127.0.0.1:8090", address)
	environment := append(os.Environ(), "DATABASE_URL="+pgtest.URL(t), "DOCKET_LISTEN=127.0.0.1:0", "DOCKET_DATA_DIR="+t.TempDir(), "LOG_LEVEL=warn",
		"SHOP_SECRET="+secret, "DOCKET_WEBHOOK_ALLOW_PRIVATE=true", "DOCKET_CORS_ORIGINS="+address,
		"AUTH_JWKS_URL="+address+"/jwks", "AUTH_ISSUER=plugin:shop", "AUTH_AUDIENCE=docket", "DOCKET_NOTICES=on", "SMTP_URL=smtp://127.0.0.1:1")
	require.Empty(t, run(t, environment, binary, "plugin", "check", manifest))

	server := exec.Command(binary, "demo", "--plugin", manifest)
	server.Env = environment
	url := start(t, server)
	token := run(t, environment, binary, "token", "create", "--use", "host", "--plugin", "shop")
	shop = startNode(t, socket, address, "DOCKET_URL="+url, "DOCKET_TOKEN="+token)

	tried := run(t, environment, binary, "plugin", "try", manifest, "--id", "2")
	for _, want := range []string{"capture shop.comment: 200", "current shop.comment: 200", "resolve shop.comment: 200", "context shop.comment: 200", "people/suspend shop.comment: 404", "people/end shop.comment: 200", "scopes/list shop.department: 200", "scopes/find shop.department: 200"} {
		require.Contains(t, tried, want)
	}
	return &caller{t, url + core, http.Header{}}, shop, verifies(t, environment, binary)
}

// shopMember returns a caller at Docket with the token of a member of the shop.
func shopMember(docket, shop *caller, name string) *caller {
	member := &caller{docket.t, shop.base, http.Header{"Cookie": {"member=" + name}}}
	token := member.get("/docket-token").object["token"].(string)
	known := &caller{docket.t, docket.base, http.Header{"Origin": {shop.base}, "Authorization": {"Bearer " + token}}}
	known.done(http.MethodGet, "/users/session", nil)
	return known
}

func TestNodeShop(t *testing.T) {
	t.Parallel()
	admin, uma, verify := startNodeWithDocket(t)
	const text = "Buy &#60;b&#62;my&#60;/b&#62; watches instead!"

	// A guest cannot report.
	require.Contains(t, uma.get("/").text, text)
	require.Equal(t, http.StatusUnauthorized, uma.get("/docket-token").status)
	require.Equal(t, http.StatusUnauthorized, uma.postForm("/report/2", "reason=spam").status)

	// A member reports by the shop's server.
	require.Equal(t, http.StatusSeeOther, uma.postForm("/sign-in", "member=uma").status)
	filed := uma.postForm("/report/2", "reason=spam")
	require.Equal(t, http.StatusCreated, filed.status, filed.text)
	admin.signIn()
	found := edges(admin.get("/moderation/reports?status=new").object)
	require.Len(t, found, 1)
	path := "/moderation/reports/" + found[0]["id"].(string)
	report := admin.get(path).object
	require.Equal(t, "Uma", report["reporter"].(map[string]any)["name"])
	require.Equal(t, "Comment on Owls: a field guide", report["snapshot"].(map[string]any)["title"])
	require.Equal(t, []any{map[string]any{"id": "vic", "name": "Vic"}}, report["snapshot"].(map[string]any)["authors"])

	// The page's element reports as the same member, from another origin.
	member := uma.get("/docket-token")
	require.Equal(t, http.StatusOK, member.status)
	element := &caller{t, admin.base, http.Header{"Origin": {uma.base}, "Authorization": {"Bearer " + member.object["token"].(string)}}}
	comment := func(id string) map[string]string {
		return map[string]string{"pluginId": "shop", "targetType": "shop.comment", "targetId": id, "reason": "spam"}
	}
	again := element.postJSON("/moderation/reports", comment("2"))
	require.Equal(t, http.StatusConflict, again.status, again.text)
	require.Equal(t, found[0]["id"], again.object["reportId"], "a member has one account, however they report")
	captured := element.postJSON("/moderation/reports", comment("1"))
	require.Equal(t, http.StatusCreated, captured.status, captured.text)
	require.Equal(t, uma.base, captured.header.Get("Access-Control-Allow-Origin"))

	// Somebody without an account says what is wrong with a comment, by its address in the shop.
	for _, url := range []string{"https://elsewhere.test/#comment-3", uma.base + "/#comment-99", uma.base + "/", uma.base + "/#comment-3"} {
		sent := (&caller{t, admin.base, http.Header{}}).postJSON("/notices", map[string]any{"url": url, "category": "child_safety", "goodFaith": true, "explanation": strings.Repeat("It shows what nobody may show. ", 3)})
		require.Equal(t, http.StatusAccepted, sent.status, sent.text)
	}
	var notices []map[string]any
	pgtest.Eventually(t, func() bool {
		notices = edges(admin.get("/moderation/reports?targetId=3").object)
		return len(notices) == 1
	}, "the notice is a report")
	require.Equal(t, []any{"notice", nil}, []any{notices[0]["source"], notices[0]["reporter"]})

	// A moderator hides the comment and restores it.
	for i, step := range []struct {
		action string
		hidden bool
	}{{"hide", true}, {"unhide", false}} {
		asked := admin.postJSON(path+"/actions/"+step.action, map[string]any{"expectedVersion": report["version"]})
		require.Equal(t, http.StatusOK, asked.status, asked.text)
		pgtest.Eventually(t, func() bool {
			report = admin.get(path).object
			return len(timeline(report)) == 3+2*i
		}, "the outcome of %s is not in the timeline", step.action)
		require.Equal(t, []string{"action_requested", "action"}, timeline(report)[1+2*i:])
		require.Equal(t, step.hidden, report["target"].(map[string]any)["current"].(map[string]any)["hidden"])
		if shown := uma.get("/").text; step.hidden {
			require.NotContains(t, shown, text)
			require.Equal(t, http.StatusNotFound, element.postJSON("/moderation/reports", comment("2")).status)
		} else {
			require.Contains(t, shown, text)
		}
	}
	require.EqualValues(t, 3, report["version"])

	// The author may not comment until the decision is taken back.
	vic := &caller{t, uma.base, http.Header{"Cookie": {"member=vic"}}}
	author := shopMember(admin, uma, "vic")
	require.EqualValues(t, 0, author.get("/users/standing").object["strikes"])
	measured := func(entries int) {
		t.Helper()
		pgtest.Eventually(t, func() bool {
			report = admin.get(path).object
			return len(timeline(report)) == entries
		}, "the shop has not answered")
		require.Equal(t, "measure_confirmed", timeline(report)[entries-1])
	}
	suspend := []any{map[string]any{"authorId": "vic", "kind": "suspend", "until": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}}
	imposed := admin.postJSON(path+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken", "measures": suspend})
	require.Equal(t, http.StatusOK, imposed.status, imposed.text)
	measured(9)
	refused := vic.postForm("/comments", "text=Hello")
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.text, "You may not comment until ")
	require.Equal(t, http.StatusOK, admin.postJSON(path+"/reopen", map[string]any{"expectedVersion": 4, "reason": "On second thoughts."}).status)
	measured(13)
	require.Equal(t, http.StatusSeeOther, vic.postForm("/comments", "text=Hello").status)

	suspends(admin, author, found[0]["id"].(string), "vic", func() bool { return vic.postForm("/comments", "text=Hello").status == http.StatusForbidden })
	verify()
}

// The shop does what Docket signed, once for each message id.
func TestNodeShopVerifiesAndRepeats(t *testing.T) {
	t.Parallel()
	socket, address := nodeSocket(t)
	shop := startNode(t, socket, address)
	comments := func() int { return strings.Count(shop.get("/").text, "<docket-report") }
	platform := &signer{t: t, site: shop, prefix: "/docket/"}
	first := map[string]any{"type": "shop.comment", "id": "1"}

	platform.refusesStrangers("actions/hide", first)
	require.Equal(t, 3, comments())
	platform.repeatsAnswers(first)
	require.Equal(t, 2, comments())
	require.Equal(t, http.StatusNotFound, platform.post("actions/hide", map[string]any{"type": "shop.comment", "id": "9"}).status)

	platform.keepsMeasures("uma", func() bool {
		uma := &caller{t, address, http.Header{"Cookie": {"member=uma"}}}
		return uma.postForm("/comments", "text=Hello").status == http.StatusForbidden
	})
}

// The provider of signals answers what Docket signed with the share of the links that are on its list.
func TestNodeLinks(t *testing.T) {
	t.Parallel()
	socket, address := nodeSocket(t)
	docket := &signer{t: t, site: startScript(t, "node/links.mjs", socket, address, "LINKS_SECRET="+secret, "LINKS_URL="+address), prefix: "/"}
	about := func(links ...string) map[string]any {
		return map[string]any{"report": "r", "target": map[string]string{"pluginId": "shop", "type": "shop.comment", "id": "2"}, "title": "", "text": "", "links": links, "files": []any{}}
	}
	docket.refusesStrangers("", about("https://watches.example"))
	for want, links := range map[float64][]string{
		0:   {"https://owls.example", "https://notwatches.example/watches.example", "http://[", "www.owls.example"},
		0.5: {"https://owls.example", "HTTPS://Cheap.Watches.example./1"},
		1:   {"www.watches.example"},
	} {
		answer := docket.post("", about(links...))
		require.Equal(t, http.StatusOK, answer.status, answer.text)
		require.Equal(t, map[string]any{"name": "links.listed", "score": want}, answer.object["signals"].([]any)[0], links)
	}
}
