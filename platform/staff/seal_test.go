package staff

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
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
	b.signer = b.key
	return b
}

func (b *sealed) audit(kept ...proof.Checkpoint) (problems []string) {
	b.t.Helper()
	a := &proof.Auditor{Pool: b.pool, Sealer: b.sealer(), Keys: []string{b.key.Public},
		Checkpoints: kept, Workers: 1, Found: func(f proof.Finding) { problems = append(problems, f.String()) }}
	_, err := a.Verify(b.t.Context())
	require.NoError(b.t, err)
	return problems
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

// unlock lets SQL change the history, as its owner can.
func (b *sealed) unlock() {
	b.t.Helper()
	b.sql(`ALTER TABLE core_staff_history DISABLE TRIGGER ALL; ALTER TABLE core_staff_seals DISABLE TRIGGER ALL`)
}

func (b *sealed) sql(sql string, args ...any) {
	b.t.Helper()
	_, err := b.pool.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
}

// life makes an entry, changes it twice and deletes an account with two entries: seven
// changes with those of the root.
func (b *sealed) life() {
	b.t.Helper()
	root := b.root("Root")
	id := b.user("Mo")
	e, err := b.Create(b.t.Context(), root, permission.Moderator, id)
	require.NoError(b.t, err)
	_, err = b.Replace(b.t.Context(), root, permission.Moderator, e.ID, grants(viewAll()))
	require.NoError(b.t, err)
	require.NoError(b.t, b.Delete(b.t.Context(), root, permission.Moderator, e.ID))
	gone, _ := b.staff("Gone", permission.Moderator, permission.Entry{})
	require.NoError(b.t, pgx.BeginFunc(b.t.Context(), b.pool, func(tx pgx.Tx) error {
		if err := b.AllowAccountDeletion(b.t.Context(), tx, root, gone); err != nil {
			return err
		}
		if _, err := tx.Exec(b.t.Context(), `DELETE FROM core_users WHERE id = $1`, gone); err != nil {
			return err
		}
		return b.Seal(b.t.Context(), tx)
	}))
}

func TestEveryChangeOfStaffIsSealed(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	b.life()
	require.Empty(t, b.audit())
	var changes, seals, last int
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM core_staff_history), count(*), max(number) FROM core_staff_seals`).
		Scan(&changes, &seals, &last))
	require.Equal(t, []int{7, 7, 7}, []int{changes, seals, last})
	_, err := b.pool.Exec(t.Context(), `DELETE FROM core_staff_seals`)
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
	require.Empty(t, b.audit())
}

// One who can write SQL cannot change unseen who could decide.
func TestNobodyForgesTheHistoryOfStaff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, problem string }{
		"a grant made by hand":    {`UPDATE core_staff_entries SET unrestricted = NOT unrestricted WHERE kind = 'moderator'`, "change 8: it is not signed: no server made it"},
		"a change that is edited": {`UPDATE core_staff_history SET after = '{"unrestricted": true}' WHERE position = 4`, "change 4: its content does not match its hash"},
		"another actor":           {`UPDATE core_staff_history SET actor_id = gen_random_uuid() WHERE position = 4`, "change 4: its content does not match its hash"},
		"another time":            {`UPDATE core_staff_history SET at = at - interval '1 day' WHERE position = 4`, "change 4: its content does not match its hash"},
		"a change that is gone":   {`DELETE FROM core_staff_history WHERE position = 4`, "change 4: the change is missing"},
		"a seal that is gone":     {`DELETE FROM core_staff_seals WHERE number = 4`, "seal 4 is missing"},
		"a signature":             {`UPDATE core_staff_seals SET signature = decode(repeat('00', 64), 'hex') WHERE number = 4`, "change 4: its signature is not by a known key"},
		"a change out of the chain": {`DELETE FROM core_staff_seals WHERE number = 4; DELETE FROM core_staff_history WHERE position = 4;
			UPDATE core_staff_seals SET number = number - 1 WHERE number > 4`, "change 5: it does not follow the change before it"},
		"the end of it": {`DELETE FROM core_staff_seals WHERE number > 5; DELETE FROM core_staff_history WHERE position > 5`,
			"it ends after seal 5, and the checkpoint of 2026-10-01T12:00:00Z attests 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newSealed(t)
			b.life()
			kept := b.checkpoint()
			require.Empty(t, b.audit(kept))
			b.unlock()
			b.sql(c.sql)
			require.Contains(t, strings.Join(b.audit(kept), "\n"), c.problem)
			if name == "a grant made by hand" {
				// What a server does afterwards does not sign it.
				b.also(b.user("Later"), permission.Moderator, permission.Entry{})
				require.Contains(t, strings.Join(b.audit(kept), "\n"), c.problem)
			}
		})
	}
}

// Even with a server's key, nobody can put another history in the place of one that a kept
// checkpoint attests.
func TestARewrittenHistoryOfStaffIsCaughtByAKeptCheckpoint(t *testing.T) {
	t.Parallel()
	b := newSealed(t)
	b.life()
	kept := b.checkpoint()
	b.unlock()
	b.sql(`DELETE FROM core_staff_seals WHERE number > 5; DELETE FROM core_staff_history WHERE position > 5`)
	b.root("Another") // two changes, which a server seals as the sixth and the seventh
	require.Empty(t, b.audit())
	require.Contains(t, strings.Join(b.audit(kept), "\n"), "it is not the change that the checkpoint of 2026-10-01T12:00:00Z attests")
}
