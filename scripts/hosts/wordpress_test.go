//go:build hosts

package hosts_test

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// debianWordPress is where Debian's package has WordPress.
const debianWordPress = "/usr/share/wordpress"

// blog is a WordPress site with a MariaDB of its own, in a folder of its own.
type blog struct {
	address     string // of the site
	folder      string
	environment []string
	ids         blogIDs
}

// blogIDs are what testdata/install.php has made.
type blogIDs struct {
	Post                            int
	Category, Uma, Kind, Spam, Rude string
}

// newBlog prepares the folder of a site without starting anything.
func newBlog(t *testing.T) *blog {
	t.Helper()
	folder, err := os.MkdirTemp("", "blog") //nolint:usetesting // the path of a socket must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	require.NoError(t, os.Chmod(folder, 0o755))
	run(t, os.Environ(), "cp", "-rL", debianWordPress, filepath.Join(folder, "site"))
	run(t, os.Environ(), "cp", "testdata/wp-config.php", "testdata/install.php", "testdata/settings.php", filepath.Join(folder, "site"))
	run(t, os.Environ(), "cp", "wordpress/docket.php", filepath.Join(folder, "site/wp-content/plugins"))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "data"), 0o755))
	if os.Getuid() == 0 {
		run(t, os.Environ(), "chown", "-R", "www-data", folder)
	}
	return &blog{address: "http://" + freeAddress(t), folder: folder}
}

// start runs the site, connected to a Docket, until the test ends.
func (b *blog) start(t *testing.T, docket, token string) *caller {
	t.Helper()
	data, socket := filepath.Join(b.folder, "data"), filepath.Join(b.folder, "socket")
	b.environment = append(os.Environ(), "DB_SOCKET="+socket, "SITE_URL="+b.address,
		"DOCKET_URL="+docket, "DOCKET_SECRET="+secret, "DOCKET_TOKEN="+token, "PHP_CLI_SERVER_WORKERS=4")
	site := filepath.Join(b.folder, "site")

	install := unprivileged(t, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	output(t, install)
	b.background(t, unprivileged(t, "mariadbd", "--no-defaults", "--datadir="+data, "--socket="+socket, "--skip-networking", "--pid-file="+socket+".pid"),
		func() bool { return dials("unix", socket) })

	made := unprivileged(t, "php", "install.php")
	made.Dir, made.Env = site, b.environment
	require.NoError(t, json.Unmarshal(output(t, made), &b.ids))

	served := unprivileged(t, "php", "-d", "sendmail_path=/bin/true", "-S", strings.TrimPrefix(b.address, "http://"), "-t", site)
	served.Env = b.environment
	b.background(t, served, func() bool { return dials("tcp", strings.TrimPrefix(b.address, "http://")) })
	return &caller{t, b.address, http.Header{}}
}

// background runs a program with its children until the test ends, and waits until it is ready.
func (b *blog) background(t *testing.T, cmd *exec.Cmd, ready func() bool) {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "log")
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr.Setpgid = true
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		force := time.AfterFunc(30*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		<-ended
		force.Stop()
		_ = log.Close()
		if t.Failed() {
			said, _ := os.ReadFile(log.Name())
			t.Logf("%s said:\n%s", cmd.Path, said[max(0, len(said)-4000):])
		}
	})
	pgtest.Eventually(t, func() bool {
		select {
		case <-ended:
			return true
		default:
			return ready()
		}
	}, "%s is not ready", cmd.Path)
	require.True(t, ready(), "%s has ended", cmd.Path)
}

// unprivileged makes a command that runs as the user of web servers if the test runs as root.
func unprivileged(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	cmd.Dir = "/"
	if os.Getuid() != 0 {
		return cmd
	}
	account, err := user.Lookup("www-data")
	require.NoError(t, err)
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	require.NoError(t, err)
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	require.NoError(t, err)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return cmd
}

func dials(network, address string) bool {
	conn, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// freeAddress returns a loopback address that nobody listened at.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// startBlogWithDocket runs a demo of Docket and a site, connected to each other.
func startBlogWithDocket(t *testing.T) (admin, site *caller, b *blog, verify func()) {
	t.Helper()
	binary := buildDocket(t)
	b = newBlog(t)
	manifest := connect(t, "wordpress/wordpress.yaml", "https://blog.example", b.address)
	environment := append(os.Environ(), "DATABASE_URL="+pgtest.URL(t), "DOCKET_LISTEN=127.0.0.1:0", "DOCKET_DATA_DIR="+t.TempDir(), "LOG_LEVEL=warn",
		"WORDPRESS_SECRET="+secret, "DOCKET_WEBHOOK_ALLOW_PRIVATE=true", "DOCKET_CORS_ORIGINS="+b.address,
		"AUTH_JWKS_URL="+b.address+"/wp-json/docket/v1/jwks", "AUTH_ISSUER=plugin:wordpress", "AUTH_AUDIENCE=docket")
	require.Empty(t, run(t, environment, binary, "plugin", "check", manifest))

	server := exec.Command(binary, "demo", "--plugin", manifest)
	server.Env = environment
	docket := start(t, server)
	site = b.start(t, docket, run(t, environment, binary, "token", "create", "--use", "host", "--plugin", "wordpress"))

	tried := run(t, environment, binary, "plugin", "try", manifest, "--id", b.ids.Spam)
	for _, want := range []string{"capture wordpress.comment: 200", "current wordpress.comment: 200", "people/suspend wordpress.comment: 404", "people/end wordpress.comment: 200", "scopes/list wordpress.category: 200", "scopes/find wordpress.category: 200"} {
		require.Contains(t, tried, want)
	}
	return &caller{t, docket + core, http.Header{}}, site, b, verifies(t, environment, binary)
}

func TestWordPress(t *testing.T) {
	t.Parallel()
	admin, site, b, _ := startBlogWithDocket(t)
	pictures := ""
	if os.Getenv("PICTURES") != "" {
		pictures = "wordpress"
	}
	browse(t, walk{
		Docket: strings.TrimSuffix(admin.base, core), Page: b.address + "/owls/", Pictures: pictures,
		Reported: reported{ID: b.ids.Spam, Text: "watches instead"},
		Linked:   &linked{Href: "docket_report=" + b.ids.Rude, Text: "Only a fool"},
	})

	admin.signIn()
	reports := map[string]map[string]any{}
	for _, r := range edges(admin.get("/moderation/reports?pluginId=wordpress").object) {
		target := r["target"].(map[string]any)
		require.Equal(t, map[string]any{"family": "wordpress.category", "id": b.ids.Category}, target["scope"])
		require.Equal(t, "A visitor", r["reporter"].(map[string]any)["name"])
		reports[target["id"].(string)] = admin.get("/moderation/reports/" + r["id"].(string)).object
	}
	require.Len(t, reports, 2)
	spam, rude := reports[b.ids.Spam], reports[b.ids.Rude]
	require.Equal(t, []string{"created", "action_requested", "action", "action_requested", "action"}, timeline(spam))
	require.Equal(t, spam["reporter"], rude["reporter"], "a visitor has one account, however they report")
	require.Equal(t, "Comment on Owls: a beginner’s guide", spam["snapshot"].(map[string]any)["title"])
	require.Equal(t, "Vic", spam["snapshot"].(map[string]any)["authors"].([]any)[0].(map[string]any)["name"])
	require.Equal(t, []string{"created"}, timeline(rude))
	require.Equal(t, "Comment on Owls: a beginner’s guide", rude["snapshot"].(map[string]any)["title"])

	resources := admin.get("/admin/staff/scope-resources/wordpress.category?search=Owl").object["items"].([]any)
	require.Len(t, resources, 1)
	require.Equal(t, "Owls", resources[0].(map[string]any)["label"])
	require.Equal(t, []any{"Birds & bats"}, resources[0].(map[string]any)["context"])

	// A member has the id of their account, and no token without the nonce of their page.
	uma := b.signInAsUma(t)
	require.Equal(t, b.ids.Uma, subject(t, uma.get(b.tokenURL(t, uma))))
	require.Contains(t, subject(t, uma.get("/wp-json/docket/v1/token")), "visitor-")
	require.Contains(t, subject(t, site.get("/wp-json/docket/v1/token")), "visitor-")

	platform := &signer{t: t, site: site, prefix: "/wp-json/docket/v1/"}
	platform.refusesStrangers("actions/hide", map[string]any{"type": "wordpress.comment", "id": b.ids.Kind})
	platform.repeatsAnswers(map[string]any{"type": "wordpress.comment", "id": b.ids.Kind})
	for name, question := range map[string]map[string]any{
		"an unknown comment":  {"type": "wordpress.comment", "id": "999999"},
		"no number":           {"type": "wordpress.comment", "id": b.ids.Kind + " OR 1=1"},
		"a list":              {"type": "wordpress.comment", "id": []string{b.ids.Kind}},
		"another type":        {"type": "wordpress.post", "id": b.ids.Kind},
		"without a comment":   {},
		"hidden for a reader": {"type": "wordpress.comment", "id": b.ids.Kind},
	} {
		require.Equal(t, http.StatusNotFound, platform.post("capture", question).status, name)
		if name != "hidden for a reader" {
			require.Equal(t, http.StatusNotFound, platform.post("actions/unhide", question).status, name)
		}
	}
	at := platform.post("resolve", map[string]any{"url": b.address + "/owls/#comment-" + b.ids.Rude})
	require.Equal(t, http.StatusOK, at.status, at.text)
	require.Equal(t, []any{"wordpress.comment", b.ids.Rude}, []any{at.object["type"], at.object["id"]})
	for _, elsewhere := range []any{"https://elsewhere.test/owls/#comment-" + b.ids.Rude, b.address + "/owls/", b.address + "/owls/#comment-999999", "#comment-" + b.ids.Rude, []string{"x"}, nil} {
		require.Equal(t, http.StatusNotFound, platform.post("resolve", map[string]any{"url": elsewhere}).status, "%v", elsewhere)
	}
	require.Empty(t, platform.post("scopes/find", map[string]any{"ids": []any{"x", 7, "999999"}}).object["items"])
	require.Equal(t, http.StatusNotFound, site.get("/?docket_report="+b.ids.Kind).status, "hidden comments cannot be reported")
	require.Equal(t, http.StatusForbidden, site.postForm("/?docket_report="+b.ids.Rude, "reason=spam").status, "a form of another site")
}

// tokenURL returns where a page gets its reader's token from, with the nonce of the page.
func (b *blog) tokenURL(t *testing.T, reader *caller) string {
	t.Helper()
	_, after, found := strings.Cut(reader.get("/owls/").text, `token-url="`)
	require.True(t, found)
	address, _, _ := strings.Cut(after, `"`)
	return strings.TrimPrefix(strings.ReplaceAll(address, "&#038;", "&"), b.address)
}

// signInAsUma returns a caller with the session of a member of the site.
func (b *blog) signInAsUma(t *testing.T) *caller {
	t.Helper()
	uma := &caller{t, b.address, http.Header{"Cookie": {"wordpress_test_cookie=WP%20Cookie%20check"}}}
	require.Equal(t, http.StatusFound, uma.postForm("/wp-login.php", "log=uma&pwd=demo-password&testcookie=1").status)
	return uma
}

// A comment's author may not comment until the decision about them is taken back.
func TestWordPressCarriesOutMeasures(t *testing.T) {
	t.Parallel()
	admin, site, b, verify := startBlogWithDocket(t)
	uma := b.signInAsUma(t)
	barred := func() bool {
		shown := uma.get("/owls/").text
		barred := strings.Contains(shown, "You may not comment")
		require.NotEqual(t, barred, strings.Contains(shown, `id="commentform"`))
		if barred {
			require.Equal(t, http.StatusForbidden, uma.postForm("/wp-comments-post.php", "comment=Hello&comment_post_ID="+strconv.Itoa(b.ids.Post)).status)
		}
		return barred
	}
	author := &caller{t, admin.base, http.Header{"Origin": {b.address}, "Authorization": {"Bearer " + uma.get(b.tokenURL(t, uma)).object["token"].(string)}}}
	require.EqualValues(t, 0, author.get("/users/standing").object["strikes"])
	admin.signIn()
	rule := twoStrikes(admin)
	browse(t, walk{
		Docket: strings.TrimSuffix(admin.base, core), Page: b.address + "/owls/", Reported: reported{ID: b.ids.Kind, Text: "I heard one last night"},
		Measure: &measure{Rule: rule["title"].(string), Login: b.address + "/wp-login.php", Form: "#commentform"},
	})
	requireNothingStands(author, map[any]int{"appeal": 1, "decision": 1, "measure": 2})
	require.False(t, barred())

	t.Log("what stands no longer cannot be appealed from here")
	path := "/moderation/reports/" + edges(admin.get("/moderation/reports?pluginId=wordpress").object)[0]["id"].(string)
	appeal := "/?docket_appeal=" + strings.TrimPrefix(path, "/moderation/reports/")
	require.Equal(t, http.StatusNotFound, uma.get(appeal).status)
	command := func(what string, body map[string]any) {
		t.Helper()
		body["expectedVersion"] = admin.get(path).object["version"]
		admin.done(http.MethodPost, path+what, body)
		var latest map[string]any
		pgtest.Eventually(t, func() bool {
			all := admin.get(path).object["measures"].([]any)
			latest = all[len(all)-1].(map[string]any)
			return latest["pending"] == false
		}, "the site has answered")
		require.Equal(t, false, latest["failed"])
	}
	command("/resolve", map[string]any{"resolution": "action_taken", "measures": []any{map[string]any{"authorId": b.ids.Uma, "kind": "suspend", "until": nil}}})
	require.True(t, barred())
	require.Contains(t, uma.get("/owls/").text, "You may not comment. <a")
	require.Equal(t, http.StatusOK, uma.get(appeal).status)
	require.Equal(t, http.StatusForbidden, uma.postForm(appeal, "text=It+is+wrong").status, "a form of another site")
	require.Equal(t, http.StatusNotFound, site.get(appeal).status, "it is about somebody else")
	command("/reopen", map[string]any{"reason": "On second thoughts."})
	require.False(t, barred())
	verify()

	platform := &signer{t: t, site: site, prefix: "/wp-json/docket/v1/"}
	platform.refusesStrangers("people/suspend", map[string]any{"measureId": "m", "author": map[string]string{"subject": b.ids.Uma}})
	platform.keepsMeasures(b.ids.Uma, barred)
	for name, question := range map[string]map[string]any{
		"no author":          {"measureId": "m"},
		"no measure":         {"author": map[string]string{"subject": b.ids.Uma}},
		"an author by list":  {"measureId": "m", "author": map[string]any{"subject": []string{b.ids.Uma}}},
		"an author by words": {"measureId": "m", "author": "1"},
		"no account":         {"measureId": "m", "author": map[string]string{"subject": "author-1"}},
	} {
		require.Equal(t, http.StatusNotFound, platform.post("people/suspend", question).status, name)
	}
}

// subject reads the subject of a JWT in an answer.
func subject(t *testing.T, a answer) string {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.text)
	parts := strings.Split(a.object["token"].(string), ".")
	require.Len(t, parts, 3)
	var claims struct{ Sub string }
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &claims))
	return claims.Sub
}

// Without lines in wp-config.php the settings page makes the secret, says what Docket needs, takes what the
// site needs, and leads to the board.
func TestWordPressIsConnectedByItsSettings(t *testing.T) {
	t.Parallel()
	b := newBlog(t)
	b.start(t, "", "")
	settings := unprivileged(t, "php", "settings.php")
	settings.Dir = filepath.Join(b.folder, "site")
	for _, variable := range b.environment {
		if !strings.HasPrefix(variable, "DOCKET_") {
			settings.Env = append(settings.Env, variable)
		}
	}
	var said struct{ Before, After, Core, Token string }
	require.NoError(t, json.Unmarshal(output(t, settings), &said))
	require.Regexp(t, `WORDPRESS_SECRET=whsec_[A-Za-z0-9+/]{43}=`, said.Before)
	require.Contains(t, said.Before, "AUTH_JWKS_URL="+b.address+"/wp-json/docket/v1/jwks")
	require.Contains(t, said.Before, "DOCKET_WEBHOOK_ALLOW_PRIVATE=true", "the site is on this machine")
	require.NotContains(t, said.Before, "/modcp/reports")
	require.Contains(t, said.After, `href="https://docket.example/modcp/reports"`)
	require.NotContains(t, said.After, "dkt_example", "a token is not shown again")
	require.Equal(t, "https://docket.example/api/@platform/core", said.Core)
	require.Equal(t, "dkt_example", said.Token, "an empty field keeps the token")
}
