package webhook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

func declared(name, url string) Declared {
	return Declared{PluginID: "forum", Name: name, Secret: "whsec_" + name, Subscription: event.Subscription{URL: url}}
}

// declares starts a server of which the plugins declare these, and gives what there is.
func (b *bundle) declares(all ...Declared) map[string]Webhook {
	b.t.Helper()
	b.clock = b.clock.Add(time.Minute)
	require.NoError(b.t, b.store.Declare(b.t.Context(), all...))
	page, err := b.store.List(b.t.Context(), List.First(100))
	require.NoError(b.t, err)
	out := map[string]Webhook{}
	for _, w := range page.Edges {
		if w.Name != nil {
			require.Equal(b.t, "forum", w.PluginID)
			out[*w.Name] = w
		}
	}
	return out
}

func (b *bundle) secret(w Webhook) (secret string) {
	b.t.Helper()
	return pgtest.One[string](b.t, b.pool, `SELECT secret FROM core_webhooks WHERE id = $1`, w.ID)
}

func TestWebhooksFollowTheDeclaration(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	own := b.create(New{URL: "https://own.test"})
	first := b.declares(declared("a", "https://a.test"), declared("b", "https://b.test"))
	require.Len(t, first, 2)
	require.Equal(t, "whsec_a", b.secret(first["a"]))
	require.Equal(t, []any{"https://a.test", []string{}, true}, []any{first["a"].URL, first["a"].Events, first["a"].Enabled})

	t.Log("a restart changes nothing")
	require.Equal(t, first, b.declares(declared("a", "https://a.test"), declared("b", "https://b.test")))

	t.Log("a new declaration changes what it says, the secret too")
	changed := declared("a", "https://new.test")
	changed.Secret, changed.Events, changed.Scope = "whsec_new", []string{"content.*"}, &scope.Scope{Family: "forum.category", Mode: scope.All}
	second := b.declares(changed, declared("b", "https://b.test"))
	require.Equal(t, first["b"], second["b"])
	require.Equal(t, "whsec_new", b.secret(second["a"]))
	a := second["a"]
	require.Equal(t, []any{first["a"].ID, first["a"].CreatedAt, b.clock, changed.Subscription},
		[]any{a.ID, a.CreatedAt, time.Time(a.UpdatedAt).UTC(), event.Subscription{URL: a.URL, Events: a.Events, Scope: a.Scope}})

	t.Log("what admins made is no plugin's")
	kept, err := b.store.Get(t.Context(), own.ID)
	require.NoError(t, err)
	require.True(t, kept.Enabled)
}

func TestAWithdrawnWebhookHearsNothingAndComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	w := b.declares(declared("a", "https://a.test"))["a"]
	b.hear(created())
	require.Len(t, b.deliveries(w), 1)

	t.Log("a server without the plugin leaves it alone while another has it")
	require.True(t, b.declares()["a"].Enabled)
	b.clock = b.clock.Add(23 * time.Hour)
	require.NoError(t, b.store.Confirm(t.Context(), declared("a", "https://a.test")))
	b.clock = b.clock.Add(23 * time.Hour)
	require.True(t, b.declares()["a"].Enabled)

	t.Log("one that no server declares for a day is withdrawn")
	b.clock = b.clock.Add(24 * time.Hour)
	require.NoError(t, b.store.Confirm(t.Context()))
	b.clock = b.clock.Add(-time.Minute)
	gone := b.declares()["a"]
	require.Equal(t, []any{false, "Its plugin no longer declares it."}, []any{gone.Enabled, *gone.DisabledReason})
	require.Equal(t, b.clock, time.Time(*gone.DisabledAt).UTC())
	b.hear(created())
	require.Len(t, b.deliveries(w), 1)
	require.ErrorContains(t, b.attempt(b.deliveries(w)[0], false), "disabled", "nothing that waited is sent either")
	require.Equal(t, "failed", b.deliveries(w)[0].Status)
	active, err := b.store.Active(t.Context())
	require.NoError(t, err)
	require.Zero(t, active)
	_, err = b.store.Enable(t.Context(), w.ID, true)
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeInvalidState})

	require.NoError(t, b.store.Confirm(t.Context(), declared("a", "https://a.test")), "as after a server of the release before withdrew it")
	back := b.declares()["a"]
	require.Equal(t, []any{w.ID, true}, []any{back.ID, back.Enabled})
	b.hear(created())
	require.Len(t, b.deliveries(w), 2, "with what was sent before")
}

func TestAnAdminsWordOverADeclaredWebhookStands(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	w := b.declares(declared("a", "https://a.test"))["a"]
	require.ErrorIs(t, b.store.Delete(t.Context(), w.ID), &domain.Error{Code: domain.CodeInvalidState}, "it would come back")
	_, err := b.store.Enable(t.Context(), w.ID, false)
	require.NoError(t, err)

	for _, now := range [][]Declared{{declared("a", "https://a.test")}, {declared("a", "https://new.test")}, {}, {declared("a", "https://a.test")}} {
		b.clock = b.clock.Add(25 * time.Hour)
		require.False(t, b.declares(now...)["a"].Enabled)
	}
	enabled, err := b.store.Enable(t.Context(), w.ID, true)
	require.NoError(t, err)
	require.True(t, enabled.Enabled)

	b.clock = b.clock.Add(25 * time.Hour)
	b.declares()
	require.NoError(t, b.store.Delete(t.Context(), w.ID), "nobody declares it any more")
	require.ErrorIs(t, b.store.Delete(t.Context(), w.ID), &domain.Error{Code: domain.CodeNotFound})
	_, err = b.store.Enable(t.Context(), w.ID, true)
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeNotFound})
}

func TestServersDeclareAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	require.Equal(t, map[domain.Code]int{"": 8}, platformtest.Outcomes(8, func(int) error {
		return b.store.Declare(t.Context(), declared("a", "https://a.test"), declared("b", "https://b.test"))
	}))
	require.Len(t, b.declares(declared("b", "https://b.test"), declared("a", "https://a.test")), 2)
}
