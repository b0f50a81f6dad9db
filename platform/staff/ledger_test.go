package staff

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
)

// sealed is a bundle whose changes are signed.
type sealed struct {
	*bundle
	key proof.Key
}

func newSealed(t *testing.T) *sealed {
	t.Helper()
	b := &sealed{newBundle(t), logtest.NewKey(t)}
	b.ledger.Signer = b.key
	require.NoError(t, b.ledger.Begin(t.Context(), b.pool, Ledger))
	return b
}

// audit returns the findings, and what is noted beside them.
func (b *sealed) audit(kept ...proof.Checkpoint) (problems, noted []string) {
	b.t.Helper()
	a := &proof.Auditor{Pool: b.pool, Sealer: b.sealer(), Keys: []string{b.key.Public}, Tables: []*ledger.Table{Ledger},
		Checkpoints: kept, Workers: 1, Found: func(f proof.Finding) { problems = append(problems, f.String()) },
		Noted: func(line string) { noted = append(noted, line) }}
	_, err := a.Verify(b.t.Context())
	require.NoError(b.t, err)
	return problems, noted
}

func (b *sealed) sealer() *eventstore.Sealer {
	return eventstore.NewSealer(b.pool, zerolog.Nop(), func(int64) {})
}

// checkpoint takes a checkpoint, of a log with one report, and reads it from its note, which
// is all that is kept of it.
func (b *sealed) checkpoint() proof.Checkpoint {
	b.t.Helper()
	log := eventstore.New(b.pool, projections.Inline{}, nil, b.key, func() time.Time { return clock }, func() {})
	_, err := log.File(b.t.Context(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: "1", PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: b.user("Reporter"), Words: report.CreatedWords{Snapshot: []byte(`{}`)},
	}})
	require.NoError(b.t, err)
	require.NoError(b.t, b.sealer().SealAll(b.t.Context()))
	taken, err := proof.Take(b.t.Context(), b.pool, nil, b.key, clock)
	require.NoError(b.t, err)
	known, err := proof.Verifiers(b.key.Public)
	require.NoError(b.t, err)
	kept, err := proof.OpenCheckpoint(taken.Note, known)
	require.NoError(b.t, err)
	return kept
}

// unlock lets SQL change the ledger, as its owner can.
func (b *sealed) unlock() {
	b.t.Helper()
	b.sql(`ALTER TABLE core_ledger DISABLE TRIGGER ALL`)
}

func (b *sealed) sql(sql string, args ...any) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, sql, args...)
}

// life makes an entry, changes it twice and deletes an account with an entry: seven
// changes with those of the root, after the beginning. A moderator stays.
func (b *sealed) life() (staying string) {
	b.t.Helper()
	root := b.root("Root")
	id := b.user("Mo")
	e, err := b.Create(b.t.Context(), root, permission.Moderator, id)
	require.NoError(b.t, err)
	_, err = b.Replace(b.t.Context(), root, permission.Moderator, e.ID, grants(viewAll()))
	require.NoError(b.t, err)
	require.NoError(b.t, b.Delete(b.t.Context(), root, permission.Moderator, e.ID))
	gone, _ := b.staff("Gone", permission.Moderator, permission.Entry{})
	require.NoError(b.t, b.deleteAccount(root, gone))
	_, staying = b.staff("Stays", permission.Moderator, permission.Entry{Grants: []permission.Grant{viewAll()}})
	return staying
}

func TestEveryChangeOfStaffIsSigned(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	b.life()
	problems, noted := b.audit()
	require.Empty(t, problems)
	require.Empty(t, noted)
	var records, last int
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT count(*), max(position) FROM core_ledger WHERE signature IS NOT NULL`).Scan(&records, &last))
	require.Equal(t, []int{9, 9}, []int{records, last})
	_, err := b.pool.Exec(t.Context(), `DELETE FROM core_ledger`)
	require.ErrorContains(t, err, "append-only")
}

func TestChangesAtOnceMakeOneChain(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	var servers errgroup.Group
	for range 12 {
		id := b.user("Mo")
		servers.Go(func() error {
			return b.Ensure(context.Background(), permission.Moderator, id, permission.Entry{Grants: []permission.Grant{viewAll()}})
		})
	}
	require.NoError(t, servers.Wait())
	problems, _ := b.audit()
	require.Empty(t, problems)
}

// One who can write SQL cannot change unseen who may decide. What a server does with the entry
// afterwards does not sign the change; an operator who adopts it does.
func TestAnEntryThatIsChangedByHandIsNamed(t *testing.T) {
	t.Parallel()
	const strange = `INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, created_at, updated_at) SELECT gen_random_uuid(), 'admin', id, true, now(), now() FROM core_users WHERE name = 'Insider'`
	for name, c := range map[string]struct{ sql, problem string }{
		"another account": {`UPDATE core_staff_entries SET user_id = (SELECT id FROM core_users WHERE name = 'Insider') WHERE id = $1`, `: user_id is "INSIDER", and "`},
		"another kind":    {`UPDATE core_staff_entries SET kind = 'admin' WHERE id = $1`, `: kind is "admin", and "moderator" is signed`},
		"permissions":     {`UPDATE core_staff_entries SET permissions = '[]' WHERE id = $1`, `: permissions is [], and [{"`},
		"unrestricted":    {`UPDATE core_staff_entries SET unrestricted = true WHERE id = $1`, `: unrestricted is true, and false is signed`},
		"its time":        {`UPDATE core_staff_entries SET created_at = '2020-01-01' WHERE id = $1`, `: created_at is "20`},
		"deleted":         {`DELETE FROM core_staff_entries WHERE id = $1`, `: the table has it no more, and no server signed that: {`},
		"inserted":        {strange + ` AND id <> $1`, `: the table has it, and no server signed it: {"created_at":`},
		"inserted with a guessed transaction id": {`WITH made AS (` + strange + ` AND id <> $1 RETURNING *)
			INSERT INTO core_staff_history (entry_id, kind, user_id, action, after, transaction_id)
			SELECT id, kind, user_id, 'created', '{"unrestricted": true, "permissions": []}', (pg_current_xact_id()::text::bigint + n)::text::xid8
			FROM made, generate_series(1, 20) n`, `: the table has it, and no server signed it: {`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newSealed(t)
			id, insider := b.life(), b.user("Insider")
			b.sql(c.sql, id)
			problem := strings.Replace(c.problem, "INSIDER", insider, 1)
			problems, _ := b.audit()
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], problem)
			require.Contains(t, problems[0], "staff entry ")

			b.also(b.user("Later"), permission.Moderator, permission.Entry{})
			if name != "deleted" && !strings.HasPrefix(name, "inserted") {
				e, err := b.find(id)
				require.NoError(t, err)
				_, err = b.Replace(t.Context(), Operator(), e.Kind, id, unrestricted(!e.Unrestricted))
				require.NoError(t, err)
			}
			problems, _ = b.audit()
			require.NotEmpty(t, problems, "a later change signs nothing of it")

			adopted, err := b.ledger.Adopt(t.Context(), b.pool, nil, Ledger)
			require.NoError(t, err)
			require.Len(t, adopted, 1)
			problems, noted := b.audit()
			require.Empty(t, problems)
			require.Len(t, noted, 1)
			require.Contains(t, noted[0], "adopted by the operator on ")
		})
	}
}

// find returns an entry of whatever kind.
func (b *sealed) find(id string) (e Entry, err error) {
	if e, err = b.Get(b.t.Context(), permission.Moderator, id); err != nil {
		e, err = b.Get(b.t.Context(), permission.Admin, id)
	}
	return e, err
}

// A trigger that somebody else has put into the database writes what the server does not sign.
func TestAServerSignsWhatItMadeAndNotWhatATriggerMadeOfIt(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"before": `CREATE FUNCTION root() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.unrestricted := true; RETURN NEW; END';
			CREATE TRIGGER root BEFORE INSERT ON core_staff_entries FOR EACH ROW EXECUTE FUNCTION root()`,
		"after": `CREATE FUNCTION root() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				INSERT INTO core_staff_entries (id, kind, user_id, unrestricted, created_at, updated_at) VALUES (gen_random_uuid(), 'admin', NEW.user_id, true, now(), now());
				RETURN NULL; END $$;
			CREATE TRIGGER root AFTER INSERT ON core_staff_entries FOR EACH ROW WHEN (NEW.kind = 'moderator') EXECUTE FUNCTION root()`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newSealed(t)
			root := b.root("Root")
			b.sql(sql)
			_, err := b.Create(t.Context(), root, permission.Moderator, b.user("Mo"))
			require.NoError(t, err)
			problems, _ := b.audit()
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], "unrestricted")
			require.Contains(t, problems[0], "signed")
		})
	}
}

// Nobody who has the database without the key changes the ledger itself.
func TestNobodyForgesTheLedger(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	b.life()
	kept := b.checkpoint()
	problems, _ := b.audit(kept)
	require.Empty(t, problems)
	id := pgtest.One[string](t, b.pool, `SELECT key FROM core_ledger WHERE position = 5`)
	b.unlock()
	b.sql(`CREATE TABLE whole AS TABLE core_ledger`)
	for name, c := range map[string]struct{ sql, problem string }{
		"content":    {`UPDATE core_ledger SET payload = replace(convert_from(payload, 'UTF8'), 'false', 'true')::bytea WHERE position = 5`, "ledger, record 5 (staff entry ID): its content does not match its hash"},
		"what was":   {`UPDATE core_ledger SET found = 'null' WHERE position = 5`, "ledger, record 5 (staff entry ID): its content does not match its hash"},
		"actor":      {`UPDATE core_ledger SET actor_id = gen_random_uuid() WHERE position = 5`, "its content does not match its hash"},
		"time":       {`UPDATE core_ledger SET at = at - interval '1 microsecond' WHERE position = 5`, "its content does not match its hash"},
		"key":        {`UPDATE core_ledger SET key = gen_random_uuid() WHERE position = 5`, "its content does not match its hash"},
		"kind":       {`UPDATE core_ledger SET kind = 'policy' WHERE position = 5`, "its content does not match its hash"},
		"version":    {`UPDATE core_ledger SET version = 9 WHERE position = 5`, "its content does not match its hash"},
		"action":     {`UPDATE core_ledger SET action = 'adopted' WHERE position = 5`, "its content does not match its hash"},
		"chain":      {`UPDATE core_ledger SET prev_hash = hash WHERE position = 5`, "it does not follow the record before it"},
		"hash":       {`UPDATE core_ledger SET hash = prev_hash WHERE position = 5`, "its content does not match its hash"},
		"gone":       {`DELETE FROM core_ledger WHERE position = 5`, "ledger: record 5 is missing"},
		"signature":  {`UPDATE core_ledger SET signature = decode(repeat('00', 64), 'hex') WHERE position = 5`, "its signature is not by a known key"},
		"unsigned":   {`UPDATE core_ledger SET signature = NULL WHERE position = 5`, "it is not signed"},
		"renumbered": {`DELETE FROM core_ledger WHERE position = 5; UPDATE core_ledger SET position = position - 1 WHERE position > 5`, "it does not follow the record before it"},
		"the end":    {`DELETE FROM core_ledger WHERE position > 7`, "ledger: it ends after record 7, and the checkpoint of 2026-10-01T12:00:00Z attests 9"},
		"everything": {`DELETE FROM core_ledger`, "ledger: it ends after record 0, and the checkpoint of 2026-10-01T12:00:00Z attests 9"},
	} {
		t.Run(name, func(t *testing.T) { // one after the other: they share the database
			b.sql(`TRUNCATE core_ledger; INSERT INTO core_ledger SELECT * FROM whole`)
			b.sql(c.sql)
			problems, _ := b.audit(kept)
			require.Contains(t, strings.Join(problems, "\n"), strings.Replace(c.problem, "ID", id, 1))
		})
	}
}

// Even with a server's key, nobody can put another history in the place of one that a kept
// checkpoint attests.
func TestARewrittenLedgerIsCaughtByAKeptCheckpoint(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	b.life()
	kept := b.checkpoint()
	b.unlock()
	b.sql(`DELETE FROM core_ledger WHERE position > 8; DELETE FROM core_staff_entries WHERE id NOT IN (SELECT key::uuid FROM core_ledger WHERE kind = 'staff_entry')`)
	b.root("Another")
	problems, _ := b.audit()
	require.Empty(t, problems)
	problems, _ = b.audit(kept)
	require.Contains(t, strings.Join(problems, "\n"), "it is not the record that the checkpoint of 2026-10-01T12:00:00Z attests")
	_, err := proof.Take(t.Context(), b.pool, []proof.Checkpoint{kept}, b.key, clock)
	require.ErrorContains(t, err, "the ledger up to record 9 is not what the checkpoint of 2026-10-01T12:00:00Z attests")
}
