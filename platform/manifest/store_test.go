package manifest_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/manifest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/platform/sealing"
)

type bundle struct {
	*manifest.Store
	t     *testing.T
	pool  *pgxpool.Pool
	clock *platformtest.Clock
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pgtest.New(t), clock: platformtest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	b.with("a")
	return b
}

// with makes the store use the keys, each named by a letter.
func (b *bundle) with(keys ...string) {
	for i, key := range keys {
		keys[i] = base64.StdEncoding.EncodeToString([]byte(strings.Repeat(key, 32)))
	}
	split, err := sealing.Split(strings.Join(keys, ","))
	require.NoError(b.t, err)
	b.Store = manifest.NewStore(b.pool, ledger.Ledger{Now: b.clock.Now}, sealing.NewKeys(split))
}

func (b *bundle) write(id, text string) (secret string) {
	b.t.Helper()
	secret, err := b.Write(b.t.Context(), "", id, func(context.Context, postgres.Querier, []manifest.Stored) (*manifest.Draft, error) {
		return &manifest.Draft{Manifest: text}, nil
	})
	require.NoError(b.t, err)
	return secret
}

func (b *bundle) secrets(id string) []remote.Secret {
	b.t.Helper()
	all, err := b.Secrets(b.t.Context())
	require.NoError(b.t, err)
	return all[id]
}

func (b *bundle) mark() string {
	b.t.Helper()
	mark, err := b.Mark(b.t.Context())
	require.NoError(b.t, err)
	return mark
}

// unsigned are what the ledger does not have.
func (b *bundle) unsigned() []ledger.Difference {
	b.t.Helper()
	var f ledger.Fold
	require.NoError(b.t, ledger.Each(b.t.Context(), b.pool, func(r ledger.Record) error { f.Follow(r); return nil }))
	found, err := f.Differences(b.t.Context(), b.pool, manifest.Ledger, manifest.SecretLedger)
	require.NoError(b.t, err)
	return found
}

func TestVersionsOfAPlatform(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	seen := map[string]bool{b.mark(): true}
	require.NotEmpty(t, b.write("shop", "one"))
	seen[b.mark()] = true
	require.Empty(t, b.write("shop", "two"), "the secret is shown once")
	seen[b.mark()] = true
	b.write("mall", "three")
	seen[b.mark()] = true
	require.Len(t, seen, 4, "each change shows")

	all, err := b.Newest(t.Context())
	require.NoError(t, err)
	require.Equal(t, []manifest.Stored{{ID: "mall", Version: 1, Manifest: "three"}, {ID: "shop", Version: 2, Manifest: "two"}}, all)
	former, err := b.Manifest(t.Context(), "shop", 1)
	require.NoError(t, err)
	require.Equal(t, "one", former)
	_, err = b.Manifest(t.Context(), "shop", 1<<40)
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
	versions, err := b.Versions(t.Context(), "shop")
	require.NoError(t, err)
	require.Len(t, versions, 2)
	require.Equal(t, 2, versions[0].Number)
	require.Empty(t, b.unsigned())

	t.Log("a refusal stores nothing")
	refused := errors.New("no")
	_, err = b.Write(t.Context(), "", "new", func(context.Context, postgres.Querier, []manifest.Stored) (*manifest.Draft, error) {
		return nil, refused
	})
	require.ErrorIs(t, err, refused)
	require.Contains(t, seen, b.mark())

	t.Log("a version never changes")
	for _, edit := range []string{`UPDATE core_platform_versions SET manifest = 'x'`, `DELETE FROM core_platform_versions`, `TRUNCATE core_platform_versions`} {
		_, err := b.pool.Exec(t.Context(), edit)
		require.ErrorContains(t, err, "append-only")
	}
}

func TestASecretIsGoodForAnHourAfterItIsReplaced(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	first := b.write("shop", "one")
	require.Equal(t, []remote.Secret{{Text: first}}, b.secrets("shop"))
	stored, err := postgres.CollectOne(t.Context(), b.pool, "read it", func(row pgx.CollectableRow) (s string, err error) { return s, row.Scan(&s) }, `SELECT secret FROM core_platform_secrets`)
	require.NoError(t, err)
	require.NotContains(t, stored, strings.TrimPrefix(first, "whsec_"), "it is sealed")

	before := b.mark()
	second, err := b.NewSecret(t.Context(), "", "shop")
	require.NoError(t, err)
	require.NotEqual(t, before, b.mark())
	found := b.secrets("shop")
	require.Equal(t, second, found[0].Text)
	require.Equal(t, first, found[1].Text)
	require.True(t, found[1].Until.Equal(b.clock.Now().Add(time.Hour)))

	t.Log("not more than three former ones are good at once")
	for range 2 {
		_, err = b.NewSecret(t.Context(), "", "shop")
		require.NoError(t, err)
	}
	_, err = b.NewSecret(t.Context(), "", "shop")
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	b.clock.Advance(time.Hour)
	_, err = b.NewSecret(t.Context(), "", "shop")
	require.NoError(t, err)
	require.Len(t, b.secrets("shop"), 2, "those that have ended are gone")
	require.Empty(t, b.unsigned())
	_, err = b.NewSecret(t.Context(), "", "none")
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))

	t.Log("a secret that is written by SQL is named")
	pgtest.Exec(t, b.pool, `UPDATE core_platform_secrets SET secret = 'whsec_aW5zaWRlcmluc2lkZXJpbnNpZGVyaW5zaWRlcmluc2k=' WHERE ends_at IS NULL`)
	differences := b.unsigned()
	require.Len(t, differences, 1)
	require.Contains(t, differences[0].String(), "platform secret")
}

func TestSecretsAreSealedAnewWithAnotherKey(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.with()
	secret := b.write("shop", "one")
	b.with("b")
	n, err := b.SealSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	b.with("c", "b")
	n, err = b.SealSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	b.with("c")
	require.Equal(t, []remote.Secret{{Text: secret}}, b.secrets("shop"))
	require.Empty(t, b.unsigned())
	b.with("d")
	require.Empty(t, b.secrets("shop"), "the key is not known")
	n, err = b.SealSecrets(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

// The same id is another person at a platform with members of its own.
func TestTheAuthorsOfAPlatformWithAnIssuerAreItsOwn(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	const host, shop = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
	pgtest.Exec(t, b.pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Host', now()), ($2, 'Shop', now())`, host, shop)
	pgtest.Exec(t, b.pool, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ('https://members.test', 'both', $1, now()),
		('plugin:shop', 'both', $2, now()), ('https://members.test', 'one', $1, now())`, host, shop)
	author := func(plugin, id string) string {
		t.Helper()
		account := pgtest.One[string](t, b.pool, `SELECT coalesce(core_author_account($1, $2, 'https://members.test')::text, '')`, plugin, id)
		return account
	}
	for _, c := range []struct {
		when      string
		own       map[string]bool
		one, mall string
	}{
		{"nothing is known", nil, host, host},
		{"it has one", map[string]bool{"shop": true, "mall": false}, "", host},
		{"a server knows another plugin", map[string]bool{"mall": true}, "", ""},
		{"they have none any more", map[string]bool{"shop": false, "mall": false}, host, host},
	} {
		require.NoError(t, b.NoteIssuers(t.Context(), c.own))
		require.Equal(t, c.one, author("shop", "one"), c.when)
		require.Equal(t, c.mall, author("mall", "one"), c.when)
		require.Equal(t, shop, author("shop", "both"), c.when)
		require.Equal(t, host, author("shop", host), c.when)
	}
}
