package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

func TestRoutesOfAPlugin(t *testing.T) {
	t.Parallel()
	name := func(w nethttp.ResponseWriter, r *nethttp.Request) error {
		who := "guest"
		if c := cmd.Caller(r); c != nil {
			who = c.Name
		}
		return json.NewEncoder(w).Encode(map[string]string{"who": who, "id": r.PathValue("id")})
	}
	acme := &cmd.Plugin{Plugin: plugin.Plugin{ID: "acme"}, Routes: []cmd.Route{
		{Method: "GET", Path: "open/{id}", Access: cmd.Guests, Serve: name},
		{Method: "POST", Path: "open/{id}", Access: cmd.Guests, Serve: name},
		{Method: "GET", Path: "mine", Serve: name},
		{Method: "POST", Path: "mine", Serve: func(w nethttp.ResponseWriter, r *nethttp.Request) error {
			n, err := io.Copy(io.Discard, r.Body)
			if err != nil {
				return err
			}
			return json.NewEncoder(w).Encode(map[string]int64{"bytes": n})
		}},
		{Method: "GET", Path: "board", Access: cmd.Moderators, Serve: name},
		{Method: "GET", Path: "settings", Access: cmd.Admins, Serve: name},
		{Method: "GET", Path: "wrong", Access: cmd.Guests, Serve: func(nethttp.ResponseWriter, *nethttp.Request) error {
			return domain.Errorf(domain.CodeNotFound, "There is no such thing.")
		}},
		{Method: "GET", Path: "broken", Access: cmd.Guests, Serve: func(nethttp.ResponseWriter, *nethttp.Request) error {
			return errors.New("the secret of the plugin")
		}},
		{Method: "GET", Path: "half", Access: cmd.Guests, Serve: func(w nethttp.ResponseWriter, _ *nethttp.Request) error {
			_, _ = io.WriteString(w, "half an answer")
			return errors.New("and no more")
		}},
		{Method: "GET", Path: "panics", Access: cmd.Guests, Serve: func(nethttp.ResponseWriter, *nethttp.Request) error { panic("no") }},
	}}
	b := newBundle(t, func(context.Context, cmd.Host) (*cmd.Plugin, error) { return acme, nil })
	call := func(c *client, method, path, contentType, body string) *answer {
		return c.undescribed(method, "/api/acme/"+path, contentType, []byte(body))
	}
	guest, member, moderator := b.guest(), b.member(0), b.moderator("Mo", nil, permission.ViewReports)
	admin := b.user("Ada")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Admin, admin, permission.Entry{}))

	require.Equal(t, "guest", call(guest, "GET", "open/7%2F8", "", "").status(200).body["who"])
	require.Equal(t, "7/8", call(guest, "GET", "open/7%2F8", "", "").status(200).body["id"])
	require.Equal(t, "Member 0", call(member, "GET", "open/7", "", "").status(200).body["who"])
	for use, who := range map[permission.Use][2]string{
		permission.UseRead: {"Member 0", "guest"}, permission.UseModerate: {"Member 0", "guest"}, permission.UseAdmin: {"Member 0", "Member 0"},
	} {
		token, _, err := b.accounts.CreateToken(t.Context(), b.members[0], account.NewToken{Use: use})
		require.NoError(t, err)
		with := b.guest()
		with.header.Set("Authorization", "Bearer "+token)
		require.Equal(t, who[0], call(with, "GET", "open/7", "", "").status(200).body["who"], use)
		require.Equal(t, who[1], call(with, "POST", "open/7", "application/json", "{}").status(200).body["who"], "a token for %s", use)
	}
	call(guest, "GET", "mine", "", "").fault(401, "unauthorized")
	require.Equal(t, "Member 0", call(member, "GET", "mine", "", "").status(200).body["who"])
	require.Empty(t, call(member, "HEAD", "mine", "", "").status(200).raw)
	call(member, "GET", "board", "", "").fault(403, "forbidden")
	call(moderator, "GET", "board", "", "").status(200)
	call(moderator, "GET", "settings", "", "").fault(403, "forbidden")
	call(b.session(admin), "GET", "settings", "", "").status(200)

	require.Equal(t, "Forbidden", string(call(member, "POST", "mine", "text/plain", "x").status(403).raw), "a form could have sent it")
	require.EqualValues(t, 4, call(member, "POST", "mine", "application/json", `"ab"`).status(200).body["bytes"])
	call(member, "POST", "mine", "application/json", strings.Repeat("x", 1<<20+1)).fault(413, "payload_too_large")
	require.Equal(t, "GET, HEAD, POST", call(member, "DELETE", "mine", "application/json", "").fault(405, "method_not_allowed").header.Get("Allow"))
	call(guest, "GET", "nothing", "", "").fault(404, "not_found")
	require.Equal(t, "There is no such thing.", call(guest, "GET", "wrong", "", "").fault(404, "not_found").body["message"])
	broken := call(guest, "GET", "broken", "", "").fault(500, "internal")
	require.NotContains(t, string(broken.raw), "secret")
	require.NotEmpty(t, broken.header.Get("X-Request-Id"))
	call(guest, "GET", "panics", "", "").fault(500, "internal")
	r, err := nethttp.NewRequestWithContext(t.Context(), "GET", b.server.URL+"/api/acme/half", nil)
	require.NoError(t, err)
	half, err := b.server.Client().Do(r)
	if err == nil { // else it was broken off before anything was sent
		_, err = io.ReadAll(half.Body)
		require.NoError(t, half.Body.Close())
	}
	require.Error(t, err, "nobody takes it for a whole one")
}

func TestFaultsOfRoutes(t *testing.T) {
	t.Parallel()
	serve := func(nethttp.ResponseWriter, *nethttp.Request) error { return nil }
	var got []string
	http.CheckRoutes([]http.Route{
		{Method: "GET", Path: "a/{id}", Serve: serve},
		{Method: "GET", Path: "a/{other}", Serve: serve},
		{Method: "TRACE", Path: "/b", Access: 9},
		{Method: "POST", Path: "a/../b", Serve: serve},
		{Method: "POST", Path: "{id}/{id}", Serve: serve},
		{Method: "GET", Path: "posts/{id}", Serve: serve},
		{Method: "POST", Path: "posts", Serve: serve},
		{Method: "POST", Path: "", Serve: serve},
		{Method: "GET", Path: "{any}", Serve: serve},
	}, []string{"posts"}, func(path, format string, args ...any) { got = append(got, path+": "+fmt.Sprintf(format, args...)) })
	require.Equal(t, []string{
		"Routes[1].Path: GET a/{other} is also Routes[0]",
		"Routes[2].Method: the method is one of GET, POST, PUT, PATCH, DELETE, not \"TRACE\"",
		"Routes[2].Access: there is no such access",
		"Routes[2].Serve: a route needs its serve function",
		`Routes[2].Path: "/b" is not a path such as reviews/{id}/score`,
		`Routes[3].Path: "a/../b" is not a path such as reviews/{id}/score`,
		`Routes[4].Path: "{id}/{id}" names a part twice`,
		`Routes[5].Path: "posts/{id}" hides the public content of the plugin's own types`,
		`Routes[7].Path: "" is not a path such as reviews/{id}/score`,
		`Routes[8].Path: "{any}" hides the public content of the plugin's own types`,
	}, got)
}

// A plugin's faults of every kind are one error.
func TestFaultsOfRoutesAreToldWithTheOthers(t *testing.T) {
	t.Parallel()
	p := &registry.Declaration{Plugin: plugin.Plugin{ID: "acme", Tasks: []plugin.Task{{Name: "x"}}}}
	http.CheckRoutes([]http.Route{{Method: "GET", Path: "x"}}, nil, p.AddFault)
	require.EqualError(t, registry.Check(p), "plugin acme: Routes[0].Serve: a route needs its serve function\nplugin acme: Tasks[0].Run: a task needs its run function")
}
