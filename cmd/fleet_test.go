package cmd

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
