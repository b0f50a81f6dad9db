package registry_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
)

const asking = `id: shop
remote: {url: "https://shop.example/docket", secretEnv: SHOP_SECRET}
remoteTypes:
  - {id: shop.review, label: shop.review, permissionModule: reviews, key: {kind: bigint}, fields: {body: {kind: richText}, stars: {kind: number}}, reports: true}
providers:
  - {name: links, url: "https://links.example/ask", secretEnv: LINKS_SECRET, fields: [body], files: true, timeout: 5s}
  - {name: words, url: "https://words.example", secretEnv: WORDS_SECRET}
`

func TestProvidersOfAManifest(t *testing.T) {
	t.Parallel()
	p := registry.ParseManifest("a.yaml", []byte(asking))
	require.NoError(t, registry.Check(p))
	require.Equal(t, []plugin.Provider{
		{Name: "links", URL: "https://links.example/ask", SecretEnv: "LINKS_SECRET", Fields: []string{"body"}, Files: true, Timeout: 5 * time.Second},
		{Name: "words", URL: "https://words.example", SecretEnv: "WORDS_SECRET", Timeout: registry.DefaultRemoteTimeout},
	}, p.Providers)

	for name, c := range map[string]struct{ old, now, fault string }{
		"a wrong name":          {"name: links", "name: Links", "providers[0].name: a provider is named by a lowercase letter"},
		"the platform's name":   {"name: links", "name: shop", `providers[0].name: "shop" is the source`},
		"a name twice":          {"name: words", "name: links", `providers[1].name: the provider "links" is used twice; first in a.yaml:6`},
		"a wrong address":       {"https://links.example/ask", "links.example", "providers[0].url: "},
		"a query":               {"https://links.example/ask", "https://links.example/?key=x", "providers[0].url: the address must not hold"},
		"a secret in the clear": {"LINKS_SECRET", "whsec_x", "providers[0].secretEnv: a provider needs the name of an environment variable"},
		"no field of words":     {"[body]", "[stars]", `providers[0].fields[0]: no type of this manifest has a field "stars" that holds words`},
		"a field that is not":   {"[body]", "[bodi]", `did you mean "body"?`},
		"too long a time":       {"timeout: 5s", "timeout: 11s", "providers[0].timeout: the timeout must be from 1s to 10s"},
		"no time":               {"timeout: 5s", "timeout: soon", `providers[0].timeout: "soon" is not a duration`},
		"an unknown option":     {"files: true", "file: true", `unknown option "file"; did you mean "files"?`},
		"more than are asked": {"providers:", "providers:" + strings.Repeat(`
  - {name: links, url: "https://links.example/ask", secretEnv: LINKS_SECRET}`, 10), "a plugin names at most 10 providers"},
	} {
		require.ErrorContains(t, registry.Check(registry.ParseManifest("a.yaml", []byte(strings.Replace(asking, c.old, c.now, 1)))), c.fault, name)
	}
	require.NoError(t, registry.Check(registry.ParseKept("shop", []byte(strings.ReplaceAll(asking, ", secretEnv: LINKS_SECRET", "")))), "Docket makes the secrets of those that it keeps")
}

func TestSecretsOfProvidersAreRead(t *testing.T) {
	t.Parallel()
	register := func(variables map[string]string) ([]registry.RegisteredProvider, error) {
		r, err := registry.Register(t.Context(), registry.Deps{Webhooks: &registry.WebhookSettings{RequireHTTPS: true, Variable: func(name string) string { return variables[name] }}},
			registry.ParseManifest("a.yaml", []byte(strings.Replace(asking, "https://words", "http://words", 1))))
		if err != nil {
			return nil, err
		}
		return r.Providers, nil
	}
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	_, err := register(map[string]string{"LINKS_SECRET": secret})
	require.ErrorContains(t, err, "providers[1].url: this must begin with https in production")
	require.ErrorContains(t, err, "providers[1].secretEnv: the environment variable WORDS_SECRET is not set")
}
