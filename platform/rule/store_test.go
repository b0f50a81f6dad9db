package rule_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	domainrule "github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/rule"
)

const actor = "0198f5a0-0000-7000-8000-000000000001"

func links(title string) domainrule.Content {
	return domainrule.Content{Key: "links", Title: title, When: "links.size() > 2", Then: domainrule.Then{Points: 5, Due: "1h", Tags: []string{"links"}}}
}

func publish(t *testing.T, s *rule.Store, c domainrule.Content) domainrule.Rule {
	t.Helper()
	r, _, err := s.Publish(t.Context(), actor, c)
	require.NoError(t, err)
	return r
}

func requireInForce(t *testing.T, pool *pgxpool.Pool, want ...domainrule.Rule) {
	t.Helper()
	got, err := rule.InForceSince(t.Context(), pool, time.Now())
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.Empty(t, got[i].RetiredAt)
		got[i].ModeAt, got[i].PublishedAt = got[i].ModeAt.UTC(), got[i].PublishedAt.UTC()
		require.Equal(t, want[i], got[i])
	}
}

func TestTheNewestVersionThatIsNotRetiredIsInForce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store := rule.New(pool, ledger.Ledger{Now: time.Now})
	requireInForce(t, pool)
	first := publish(t, store, links("Links"))
	requireInForce(t, pool, first)
	live, err := store.SetMode(t.Context(), actor, "links", domainrule.Live)
	require.NoError(t, err)
	require.True(t, live.ModeAt.After(first.ModeAt))
	requireInForce(t, pool, live)
	_, err = pool.Exec(t.Context(), `UPDATE core_rules SET expression = 'true'`)
	require.ErrorContains(t, err, "never changes")

	require.Equal(t, live, utc(publish(t, store, links("Links"))), "it says the same")
	second := publish(t, store, links("Many links"))
	require.Equal(t, []any{2, domainrule.Live}, []any{second.Version, second.Mode})
	other := links("Other")
	other.Key = "a"
	requireInForce(t, pool, publish(t, store, other), second)
	found, err := rule.Find(t.Context(), pool, first.Ref)
	require.NoError(t, err)
	require.Equal(t, live, utc(found))

	retired, err := store.Retire(t.Context(), actor, "links")
	require.NoError(t, err)
	again, err := store.Retire(t.Context(), actor, "links")
	require.NoError(t, err)
	require.True(t, retired.RetiredAt.Equal(*again.RetiredAt))
	_, err = store.SetMode(t.Context(), actor, "links", domainrule.Draft)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	inForce, err := rule.InForceSince(t.Context(), pool, time.Now())
	require.NoError(t, err)
	require.Len(t, inForce, 1)
	third := publish(t, store, links("Many links"))
	require.Equal(t, []any{3, domainrule.Draft}, []any{third.Version, third.Mode})

	for _, missing := range []func() error{
		func() error { _, err := store.Retire(t.Context(), actor, "none"); return err },
		func() error { _, err := store.SetMode(t.Context(), actor, "none", domainrule.Live); return err },
		func() error {
			_, err := rule.Find(t.Context(), pool, domainrule.Ref{Key: "links", Version: 4})
			return err
		},
	} {
		require.Equal(t, domain.CodeNotFound, domain.ErrorCode(missing()))
	}
}

func TestAFormerVersionWasInForceUntilTheNextOneCame(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store := rule.New(pool, ledger.Ledger{Now: time.Now})
	first := publish(t, store, links("Links"))
	_, err := store.SetMode(t.Context(), actor, "links", domainrule.Live)
	require.NoError(t, err)
	second := publish(t, store, links("Many links"))
	inForce := func(at time.Time) (versions []int) {
		found, err := rule.InForceSince(t.Context(), pool, at)
		require.NoError(t, err)
		for _, r := range found {
			versions = append(versions, r.Version)
			require.Equal(t, r.Version == 1, r.RetiredAt != nil && r.RetiredAt.Equal(second.PublishedAt))
		}
		return versions
	}
	require.Equal(t, []int{1, 2}, inForce(first.PublishedAt))
	require.Equal(t, []int{1, 2}, inForce(second.PublishedAt))
	require.Equal(t, []int{2}, inForce(second.PublishedAt.Add(time.Microsecond)))
	_, err = store.SetMode(t.Context(), actor, "links", domainrule.Draft)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, inForce(first.PublishedAt), "a change of mode counts for what is filed after it")
	modes, err := rule.ModesOf(t.Context(), pool, []domainrule.Ref{first.Ref, second.Ref, {Key: "none", Version: 1}})
	require.NoError(t, err)
	require.Len(t, modes, 2)
	require.Equal(t, []domainrule.Mode{domainrule.Live, domainrule.Draft}, modesOf(modes[first.Ref]), "the newest first")
	require.Equal(t, []domainrule.Mode{domainrule.Draft, domainrule.Live}, modesOf(modes[second.Ref]))
	_, err = store.Retire(t.Context(), actor, "links")
	require.NoError(t, err)
	require.Empty(t, inForce(first.PublishedAt))
}

func modesOf(all []domainrule.Was) (modes []domainrule.Mode) {
	for _, was := range all {
		modes = append(modes, was.Mode)
	}
	return modes
}

func utc(r domainrule.Rule) domainrule.Rule {
	r.ModeAt, r.PublishedAt = r.ModeAt.UTC(), r.PublishedAt.UTC()
	return r
}

func TestPublicationsOfAKeyAtOnceMakeAVersionEach(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store := rule.New(pool, ledger.Ledger{Now: time.Now})
	require.Equal(t, map[domain.Code]int{"": 10}, platformtest.Outcomes(10, func(i int) error {
		_, _, err := store.Publish(context.Background(), actor, links(fmt.Sprint("Links ", i)))
		return err
	}))
	requireVersion := func(want int) {
		inForce, err := rule.InForceSince(t.Context(), pool, time.Now())
		require.NoError(t, err)
		require.Equal(t, want, inForce[0].Version)
	}
	requireVersion(10)
}

func TestSoManyRulesAreInForceAndNoMore(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store := rule.New(pool, ledger.Ledger{Now: time.Now})
	pgtest.Exec(t, pool, fmt.Sprintf(`INSERT INTO core_rules (id, key, version, title, expression, effect, mode, mode_at, published_at)
		SELECT gen_random_uuid(), 'rule-' || n, v, 'R', 'muted', '{"points": 1}', 'draft', now(), now() FROM generate_series(1, %d) n, generate_series(1, 2) v`, domainrule.MaxRules))
	_, _, err := store.Publish(t.Context(), actor, links("Links"))
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	next := links("Links")
	next.Key = "rule-7"
	require.Equal(t, 3, publish(t, store, next).Version)
	_, err = store.Retire(t.Context(), actor, "rule-8")
	require.NoError(t, err)
	publish(t, store, links("Links"))
	next.Key = "rule-8"
	_, _, err = store.Publish(t.Context(), actor, next)
	require.ErrorContains(t, err, "200 rules are in force, and no more can be. Retire one first.")
}

func TestRulesThatAreChangedByHandAreNamed(t *testing.T) {
	t.Parallel()
	pool, key := pgtest.New(t), logtest.NewKey(t)
	log := ledger.Ledger{Signer: key, Now: time.Now}
	require.NoError(t, log.Begin(t.Context(), pool, rule.Ledger))
	store := rule.New(pool, log)
	publish(t, store, links("Links"))
	_, err := store.SetMode(t.Context(), actor, "links", domainrule.Shadow)
	require.NoError(t, err)
	publish(t, store, links("Many links"))
	_, err = store.Retire(t.Context(), actor, "links")
	require.NoError(t, err)
	require.Equal(t, 4, pgtest.One[int](t, pool, `SELECT count(*) FROM core_ledger WHERE kind = 'rule'`))
	audit := func() []string { return logtest.Audit(t, pool, key, rule.Ledger) }
	require.Empty(t, audit())
	pgtest.Exec(t, pool, `ALTER TABLE core_rules DISABLE TRIGGER ALL; CREATE TABLE was AS SELECT * FROM core_rules`)
	for change, problem := range map[string]string{
		`title = 'Anything'`:       `rule links/2: title is "Anything", and "Many links" is signed`,
		`expression = 'true'`:      `rule links/2: expression is "sha256:`,
		`effect = '{"hide":true}'`: `rule links/2: effect is "sha256:`,
		`mode = 'live'`:            `rule links/2: mode is "live", and "shadow" is signed`,
		`mode_at = now()`:          `rule links/2: mode_at is "`,
		`retired_at = NULL`:        `rule links/2: retired_at is null, and "`,
		`published_at = now()`:     `rule links/2: published_at is "`,
		`id = gen_random_uuid()`:   `rule links/2: id is "`,
		`version = 7`:              `rule links/2: the table has it no more, and no server signed that: {`,
		`key = 'other'`:            `rule other/2: the table has it, and no server signed it: {`,
	} {
		pgtest.Exec(t, pool, `UPDATE core_rules SET `+change+` WHERE version = 2`)
		found := audit()
		require.NotEmpty(t, found, change)
		require.Contains(t, found[0]+found[len(found)-1], problem)
		pgtest.Exec(t, pool, `DELETE FROM core_rules; INSERT INTO core_rules SELECT * FROM was`)
		require.Empty(t, audit(), change)
	}
}
