package cmd

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/fleet"
)

// Given two servers that do not have a setting in common, then their operators are told, and no secret is.
func TestServersTellInWhichSettingsTheyDiffer(t *testing.T) {
	t.Parallel()
	one, other := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a", 32))), base64.StdEncoding.EncodeToString([]byte(strings.Repeat("b", 32)))
	for name, test := range map[string][2]string{
		"AUTH_JWKS_URL":           {"https://host.example/keys", "https://other.example/keys"},
		"OIDC_CLIENT_ID":          {"docket", "other"},
		"DOCKET_STAFF_TWO_FACTOR": {"optional", "required"},
		"DOCKET_STATEMENTS_URL":   {"https://database.example", ""},
		"DOCKET_STATEMENTS_DELAY": {"24h", "1h"},
		"DOCKET_TRANSLATE_URL":    {"", "http://user:hidden@127.0.0.1:5000"},
		"DOCKET_SECRETS_KEY":      {one, other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var servers []fleet.Server
			for _, value := range test {
				cfg, _ := parseConfig(map[string]string{name: value}) // alone, some settings lack others
				servers = append(servers, fleet.Server{Settings: (&Server{cfg: cfg}).sharedSettings()})
			}
			require.Len(t, fleet.Differences(servers), 1)
			said := fleet.Differences(servers)[0]
			require.True(t, strings.HasPrefix(said, name+": "), said)
			for _, secret := range []string{"hidden", one, other} {
				require.NotContains(t, said, secret)
			}
		})
	}
	key := func(text string) string {
		return (&Server{cfg: &Config{SecretsKey: text}}).sharedSettings()["DOCKET_SECRETS_KEY"]
	}
	require.Equal(t, key(one), key(one+","+other), "another behind it is for former secrets")
	require.NotEqual(t, key(one), key(other+","+one))
}

// Given servers with the same plugins, of which one has another manifest, then it is told.
func TestServersTellThatTheirManifestsDiffer(t *testing.T) {
	t.Parallel()
	serves := func(text string) fleet.Server {
		return fleet.Server{Settings: (&Server{cfg: &Config{}, plugins: []*registry.Declaration{registry.ParseManifest("blog.yaml", []byte(text))}}).sharedSettings()}
	}
	require.Empty(t, fleet.Differences([]fleet.Server{serves("id: blog"), serves("id: blog")}))
	said := fleet.Differences([]fleet.Server{serves("id: blog"), serves("id: blog\nmessages: {}")})
	require.Len(t, said, 1)
	require.Regexp(t, `^manifests: blog@[0-9a-f]{8} on 1, blog@[0-9a-f]{8} on 1$`, said[0])
}

// Given servers that sign with a key each, then it is told unless each knows the other's.
func TestServersTellThatTheyDoNotKnowEachOthersKeys(t *testing.T) {
	t.Parallel()
	const one, other = "docket+00000001+AQ==", "docket+00000002+Ag=="
	signs := func(key string, known ...string) fleet.Server {
		return fleet.Server{Settings: (&Server{cfg: &Config{AuditKnownKeys: known}, signer: proof.Key{Public: key}}).sharedSettings()}
	}
	require.Equal(t, []string{"DOCKET_AUDIT_KEY: docket+00000001 on 1, docket+00000002 on 1"}, fleet.Differences([]fleet.Server{signs(one), signs(other)}))
	require.Len(t, fleet.Differences([]fleet.Server{signs(one, other), signs(other)}), 1)
	require.Empty(t, fleet.Differences([]fleet.Server{signs(one, other), signs(other, one), signs(one, one, other)}))
}
