package registry

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

const keptShop = `id: shop
remote: {url: "https://shop.example/docket"}
remoteTypes:
  - {id: shop.review, label: shop.review, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}
`

func faultsOf(manifest string, others ...*Declaration) (all []string) {
	for _, f := range FaultsOf(ParseKept("m", []byte(manifest)), others...) {
		all = append(all, f.String())
	}
	return all
}

func TestAKeptManifestConnectsAPlatformAndNothingElse(t *testing.T) {
	t.Parallel()
	other := ParseManifest("other.yaml", []byte(strings.ReplaceAll(keptShop, "shop", "mall")+"issuer: {jwksUrl: https://mall.example/keys, issuer: mall, audience: docket}\n"))
	other.Remote.SecretEnv = "MALL"
	for name, c := range map[string]struct {
		manifest string
		fault    string // "" means none
	}{
		"a platform, whose secret is made for it": {keptShop, ""},
		"a variable that is not read":             {strings.Replace(keptShop, `docket"}`, `docket", secretEnv: "no name"}`, 1), ""},
		"no platform":                             {"id: shop\n", "m:1: remote: a platform needs the option remote"},
		"types of no platform":                    {strings.Replace(keptShop, "remote: {url: \"https://shop.example/docket\"}\n", "", 1), "m:1: remote: a platform needs the option remote: {url}"},
		"nothing":                                 {"", "m:1: the manifest is empty"},
		"tables":                                  {keptShop + "contentTypes:\n  - {id: shop.order}\n", "m:6: contentTypes[0]: tables can be named in a manifest that the server is given as a file"},
		"a scope over a table":                    {keptShop + "moderation: {scopes: [{id: shop.department, label: x, table: users, idColumn: id, labelColumn: name}]}\n", "m:5: moderation.scopes[0]: a scope of a platform needs remote: true"},
		"a webhook":                               {keptShop + "webhooks: [{name: x, url: https://x.example, secretEnv: DATABASE_URL}]\n", "m:5: webhooks[0]: a webhook takes its secret from the server's environment"},
		"a permission of administrators":          {keptShop + "permissions: {admin: {staff: [can_rule]}}\n", "m:5: permissions.admin.staff[0]: a platform has no pages of administration"},
		"a text of Docket's notices":              {keptShop + "messages: {en: {notice.report.body: x}}\n", "m:5: messages.en.notice.report.body: the texts of Docket's own notices"},
		"the type of another":                     {strings.ReplaceAll(keptShop, "shop.review", "mall.review"), `m:4: remoteTypes[0].id: the content type "mall.review" is used twice; first in other.yaml:4`},
		"the id of another":                       {strings.Replace(keptShop, "id: shop\n", "id: mall\n", 1), `m:1: id: the plugin id "mall" is used twice`},
		"the issuer of another":                   {keptShop + "issuer: {jwksUrl: https://shop.example/keys, issuer: mall, audience: docket}\n", `m:5: issuer.issuer: the issuer "mall" is used twice`},
		"keys that anybody can change":            {keptShop + "issuer: {jwksUrl: http://shop.example/keys, issuer: shop, audience: docket}\n", `m:5: issuer.jwksUrl: "http://shop.example/keys" is not an https address`},
		"an issuer without a name":                {keptShop + "issuer: {jwksUrl: https://shop.example/keys, audience: docket}\n", "m:5: issuer.issuer: an issuer needs its issuer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := strings.Join(faultsOf(c.manifest, other), "\n")
			if c.fault == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, c.fault)
			require.NotContains(t, found, "secretEnv", "it is not read here")
		})
	}
}

// A platform that takes a family from another one would go with it, and be served in one order of the
// two alone.
func TestAKeptPlatformTakesNoFamilyFromAnother(t *testing.T) {
	t.Parallel()
	const family = "moderation: {scopes: [{id: mall.floor, label: x, remote: true}]}\n"
	mall := strings.ReplaceAll(keptShop, "shop", "mall") + family
	inScope := strings.Replace(keptShop, "reports: true", "reports: true, moderationScope: {family: mall.floor}", 1)
	kept := ParseKept("mall", []byte(mall))
	file := ParseManifest("mall.yaml", []byte(mall))
	file.Remote.SecretEnv = "MALL"
	for name, c := range map[string]struct {
		manifest string
		other    *Declaration
		fault    string
	}{
		"of another":                   {inScope, kept, `m:4: remoteTypes[0].moderationScope.family: the scope family "mall.floor" is of the platform mall: use one of this manifest`},
		"of another, for a permission": {keptShop + "permissions: {moderator: {reviews: [{permission: can_pin, scope: mall.floor}]}}\n", kept, `m:5: permissions.moderator.reviews[0].scope: the scope family "mall.floor" is of the platform mall`},
		"of a file":                    {inScope, file, ""},
		"its own":                      {strings.ReplaceAll(inScope+family, "mall.floor", "shop.floor"), kept, ""},
		"none":                         {keptShop, kept, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := strings.Join(faultsOf(c.manifest, c.other), "\n")
			if c.fault == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, c.fault)
		})
	}
}

type fakePlatform struct{}

func (fakePlatform) Target(t *plugin.RemoteType) target.Definition {
	return target.Definition{Type: t.ID, PermissionModule: t.PermissionModule}
}

func (fakePlatform) Family(f *plugin.RemoteFamily) scope.Definition {
	return scope.Definition{ID: f.ID}
}

func TestKeptPlatformsAreReplacedWhileTheRegistriesAreHeld(t *testing.T) {
	t.Parallel()
	base := &Declaration{Plugin: plugin.Plugin{ID: "blog", Targets: []target.Definition{{Type: "blog.post", PermissionModule: "posts"}}, Messages: map[string]map[string]string{"en": {"blog.post": "post"}}}}
	registered := &Registered{Messages: base.Messages}
	registered.assemble([]*Declaration{base}, []*target.Definition{{PluginID: "blog", Type: "blog.post"}}, nil)
	live := NewChangeable(registered, []*Declaration{base})
	targets, catalog := registered.Targets, registered.Permissions // as a store holds them
	shop := ParseKept("shop", []byte(keptShop+"messages: {en: {shop.review: review}}\n"))

	messages := live.Connect(Kept{shop, fakePlatform{}})
	require.Equal(t, map[string]map[string]string{"en": {"blog.post": "post", "shop.review": "review"}}, messages)
	found := targets.Find("shop", "shop.review")
	require.NotNil(t, found)
	_, known := catalog.Find(permission.Moderator, "shop", "reviews", permission.ViewReports)
	require.True(t, known)

	live.Connect()
	require.Nil(t, targets.Find("shop", "shop.review"))
	require.NotNil(t, targets.Find("blog", "blog.post"))
	require.Equal(t, "shop.review", found.Type, "who has found it keeps it")
	_, known = catalog.Find(permission.Moderator, "shop", "reviews", permission.ViewReports)
	require.False(t, known)
	_, err := registered.Scopes.Existing(context.Background(), "shop.department", nil)
	require.Error(t, err)
}
