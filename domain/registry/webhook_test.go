package registry_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
)

// listening is a manifest with webhooks and nothing else.
const listening = `id: forum
webhooks:
  - name: tracker
    url: https://tracker.example/docket
    secretEnv: TRACKER_SECRET
    events: [moderation.report.created, content.*]
  - {name: archive, url: "https://archive.example/", secretEnv: ARCHIVE_SECRET}
`

func TestWebhooksOfAManifest(t *testing.T) {
	t.Parallel()
	scoped := strings.Replace(sound, "id: forum\n", listening, 1) + "" // the family is the sound manifest's
	scoped = strings.Replace(scoped, "    events:", "    scope: {family: forum.category, mode: selected, ids: [general]}\n    events:", 1)
	p := registry.ParseManifest("forum.yaml", []byte(scoped))
	require.NoError(t, registry.Check(p))
	require.Equal(t, []plugin.Webhook{
		{Name: "tracker", SecretEnv: "TRACKER_SECRET", Subscription: event.Subscription{
			URL: "https://tracker.example/docket", Events: []string{event.ReportCreated, "content.*"},
			Scope: &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{"general"}}}},
		{Name: "archive", SecretEnv: "ARCHIVE_SECRET", Subscription: event.Subscription{URL: "https://archive.example/"}},
	}, p.Webhooks)
}

func TestFaultsOfWebhooks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, old, new, faults string }{
		{"sound", "", "", ""},
		{"no list", "webhooks:", "webhooks: {}\nmessages:", "a.yaml:2: webhooks: this must be a list, not an object\na.yaml:3: messages: this must be an object, not a list"},
		{"a secret in the clear", "secretEnv: TRACKER_SECRET", "secret: whsec_abc", `a.yaml:3: webhooks[0].secretEnv: a webhook needs the name of an environment variable with its secret, such as TRACKER_SECRET; "" is not a valid name` + "\n" +
			`a.yaml:5: webhooks[0].secret: unknown option "secret"; did you mean "secretEnv"?`},
		{"a secret for a variable", "TRACKER_SECRET", "whsec_abc", `a.yaml:5: webhooks[0].secretEnv: a webhook needs the name of an environment variable with its secret, such as TRACKER_SECRET; "whsec_abc" is not a valid name`},
		{"no name", "name: tracker\n    url", "url", `a.yaml:3: webhooks[0].name: "" is not a valid webhook name: it must consist of lowercase letters, digits, dots, - and _`},
		{"a name twice", "name: archive", "name: tracker", `a.yaml:7: webhooks[1].name: the webhook "tracker" is used twice; first in a.yaml:3`},
		{"no address", `url: "https://archive.example/", `, "", "a.yaml:7: webhooks[1].url: Must be given."},
		{"no web address", "https://tracker.example/docket", "mailto:x@example", "a.yaml:4: webhooks[0].url: Must be an http or https address of at most 2000 characters."},
		{"a password", "https://tracker", "https://me:secret@tracker", "a.yaml:4: webhooks[0].url: Must not hold a name or password."},
		{"an unknown event", "moderation.report.created", "moderation.report.craeted", `a.yaml:6: webhooks[0].events[0]: there is no event "moderation.report.craeted"; did you mean "moderation.report.created"?`},
		{"a pattern of nothing", "content.*", "mod*er", `a.yaml:6: webhooks[0].events[1]: there is no event "mod*er"`},
		{"an unknown family", "    events:", "    scope: {family: forum.tag, mode: all}\n    events:", `a.yaml:6: webhooks[0].scope.family: no plugin declares the scope family "forum.tag"`},
		{"every fault", "  - {name: archive, url: \"https://archive.example/\", secretEnv: ARCHIVE_SECRET}",
			"  - {name: A, url: x, secretEnv: y, events: [z], scope: {family: f, mode: selected, ids: []}}",
			`a.yaml:7: webhooks[1].name: "A" is not a valid webhook name: it must consist of lowercase letters, digits, dots, - and _
a.yaml:7: webhooks[1].secretEnv: a webhook needs the name of an environment variable with its secret, such as TRACKER_SECRET; "y" is not a valid name
a.yaml:7: webhooks[1].events[0]: there is no event "z"
a.yaml:7: webhooks[1].url: Must be an http or https address of at most 2000 characters.
a.yaml:7: webhooks[1].scope.mode: Must be all without ids, or selected with some.
a.yaml:7: webhooks[1].scope.family: no plugin declares the scope family "f"`},
	}
	for _, test := range tests {
		require.Contains(t, listening, test.old, test.name)
		require.Equal(t, test.faults, faultsOf(t, strings.Replace(listening, test.old, test.new, 1)), test.name)
	}
}

func TestSecretsComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	register := func(p *registry.Declaration, requireHTTPS bool, environment map[string]string) (*registry.Registered, error) {
		variable := func(name string) string { return environment[name] }
		return registry.Register(t.Context(), registry.Deps{Webhooks: &registry.WebhookSettings{Variable: variable, RequireHTTPS: requireHTTPS}}, p)
	}
	p := registry.ParseManifest("forum.yaml", []byte(listening))
	registered, err := register(p, true, map[string]string{"TRACKER_SECRET": secret, "ARCHIVE_SECRET": secret})
	require.NoError(t, err)
	require.Equal(t, []registry.RegisteredWebhook{{"forum", p.Webhooks[0], secret}, {"forum", p.Webhooks[1], secret}}, registered.Webhooks)

	_, err = register(p, true, map[string]string{"ARCHIVE_SECRET": "hunter2"})
	require.EqualError(t, err, `forum.yaml:5: webhooks[0].secretEnv: the environment variable TRACKER_SECRET is not set; make a secret with: echo whsec_$(openssl rand -base64 32)
forum.yaml:7: webhooks[1].secretEnv: the environment variable ARCHIVE_SECRET holds no secret of the form whsec_ and 24 to 64 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)`)

	inGo := &registry.Declaration{Plugin: plugin.Plugin{ID: "stats", Webhooks: []plugin.Webhook{{Name: "board", SecretEnv: "BOARD_SECRET", Subscription: event.Subscription{URL: "http://board.example"}}}}}
	_, err = register(inGo, true, map[string]string{"BOARD_SECRET": secret})
	require.EqualError(t, err, "plugin stats: Webhooks[0].URL: this must begin with https in production")
	_, err = register(inGo, false, map[string]string{"BOARD_SECRET": secret})
	require.NoError(t, err)

	registered, err = registry.Register(t.Context(), registry.Deps{}, p)
	require.NoError(t, err)
	require.Empty(t, registered.Webhooks, "where nothing is sent, no secret is asked for")
}
