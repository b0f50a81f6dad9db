package policy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/measure"
	domainpolicy "github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/policy"
)

func TestPoliciesThatAreChangedByHandAreNamed(t *testing.T) {
	t.Parallel()
	pool, key := pgtest.New(t), logtest.NewKey(t)
	log := ledger.Ledger{Signer: key, Now: time.Now}
	require.NoError(t, log.Begin(t.Context(), pool, policy.Ledger))
	store := policy.New(pool, log)
	actor := "0198f5a0-0000-7000-8000-000000000001"
	for _, title := range []string{"No spam", "No advertising"} {
		_, published, err := store.Publish(t.Context(), actor, domainpolicy.Draft{Key: "spam", Title: title, Text: []byte(`{"a": 1}`), Template: []byte(`{"b": 2}`)})
		require.NoError(t, err)
		require.True(t, published)
	}
	_, err := store.Retire(t.Context(), actor, "spam")
	require.NoError(t, err)
	audit := func() []string { return logtest.Audit(t, pool, key, policy.Ledger) }
	require.Empty(t, audit())
	sql := func(sql string) {
		t.Helper()
		pgtest.Exec(t, pool, sql)
	}
	sql(`ALTER TABLE core_policies DISABLE TRIGGER ALL; CREATE TABLE was AS SELECT * FROM core_policies`)
	for change, problem := range map[string]string{
		`title = 'Anything goes'`: `policy spam/1: title is "Anything goes", and "No spam" is signed`,
		`text = '{}'`:             `policy spam/1: text is "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", and "sha256:`,
		`template = NULL`:         `policy spam/1: template is null, and "sha256:`,
		`retired_at = NULL`:       `policy spam/1: retired_at is null, and "`,
		`published_at = now()`:    `policy spam/1: published_at is "`,
		`id = gen_random_uuid()`:  `policy spam/1: id is "`,
		`version = 7`:             `policy spam/1: the table has it no more, and no server signed that: {`,
		`key = 'other'`:           `policy other/1: the table has it, and no server signed it: {`,
	} {
		sql(`UPDATE core_policies SET ` + change + ` WHERE version = 1`)
		found := audit()
		require.NotEmpty(t, found, change)
		require.Contains(t, found[0], problem)
		sql(`DELETE FROM core_policies; INSERT INTO core_policies SELECT * FROM was`)
		require.Empty(t, audit(), change)
	}
}

// What the ladder and the strikes of policies say is proven as the policies are, in records of their
// own, so that a release which knows no strikes still verifies the policies.
func TestStrikesAndTheLadderThatAreChangedByHandAreNamed(t *testing.T) {
	t.Parallel()
	pool, key := pgtest.New(t), logtest.NewKey(t)
	log := ledger.Ledger{Signer: key, Now: time.Now}
	tables := []*ledger.Table{policy.Ledger, policy.StrikesLedger, policy.ReportableLedger, policy.LadderLedger}
	require.NoError(t, log.Begin(t.Context(), pool, tables...))
	store := policy.New(pool, log)
	actor := "0198f5a0-0000-7000-8000-000000000001"
	draft := domainpolicy.Draft{Key: "spam", Title: "No spam", Text: []byte(`{"a": 1}`), Reportable: true}
	for _, c := range []struct{ strikes, days, version int }{{0, 365, 1}, {2, 30, 2}, {2, 30, 2}, {0, 365, 3}} {
		draft.Strikes, draft.StrikeDays = c.strikes, c.days
		p, _, err := store.Publish(t.Context(), actor, draft)
		require.NoError(t, err)
		require.Equal(t, []int{c.version, c.strikes, c.days}, []int{p.Version, p.Strikes, p.StrikeDays})
	}
	ladder, err := store.Ladder(t.Context())
	require.NoError(t, err)
	require.Empty(t, ladder)
	week := 7
	for _, l := range []measure.Ladder{{{Strikes: 2, Kind: measure.Suspend, Days: &week}}, {{Strikes: 2, Kind: measure.Suspend, Days: &week}, {Strikes: 4, Kind: measure.Terminate}}} {
		require.NoError(t, store.SetLadder(t.Context(), actor, l))
		ladder, err = store.Ladder(t.Context())
		require.NoError(t, err)
		require.Equal(t, l, ladder)
	}
	audit := func(tables ...*ledger.Table) []string { return logtest.Audit(t, pool, key, tables...) }
	require.Empty(t, audit(tables...))
	require.Empty(t, audit(policy.Ledger), "by the release before")
	pgtest.Exec(t, pool, `ALTER TABLE core_policy_strikes DISABLE TRIGGER ALL; ALTER TABLE core_policy_reportable DISABLE TRIGGER ALL; UPDATE core_policy_strikes SET strikes = 9; DELETE FROM core_policy_reportable WHERE version = 2; UPDATE core_ladder SET steps = '[]'`)
	found := audit(tables...)
	require.Len(t, found, 3)
	require.Contains(t, found[0], "ladder 1: steps is []")
	require.Contains(t, found[1], "reportable spam/2: the table has it no more")
	require.Contains(t, found[2], "strikes spam/2: strikes is 9, and 2 is signed")
}
