package policy_test

import (
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	domainpolicy "github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
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
	audit := func() (problems []string) {
		a := &proof.Auditor{Pool: pool, Sealer: eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {}), Keys: []string{key.Public},
			Tables: []*ledger.Table{policy.Ledger}, Workers: 1, Found: func(f proof.Finding) { problems = append(problems, f.String()) }}
		_, err := a.Verify(t.Context())
		require.NoError(t, err)
		return problems
	}
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
