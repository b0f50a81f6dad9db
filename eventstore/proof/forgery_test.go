package proof_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
)

// A forger can write SQL and knows the rules of the hash, but not the key. The functions
// below append an event as a command would, in SQL alone.
const forger = `
	CREATE FUNCTION field(b bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT int8send(coalesce(length(b), 0)) || coalesce(b, '') $$;
	CREATE FUNCTION field(t text) RETURNS bytea LANGUAGE sql AS $$ SELECT field(convert_to(coalesce(t, ''), 'UTF8')) $$;
	CREATE FUNCTION forge(report uuid, type text, payload text, at timestamptz, actor uuid, signature bytea DEFAULT NULL, below integer DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		last core_moderation_report_events;
		id uuid := gen_random_uuid();
		content bytea;
	BEGIN
		SELECT * INTO last FROM core_moderation_report_events WHERE report_id = report ORDER BY sequence DESC LIMIT 1;
		last.version := last.version - below;
		content := field('docket-event-1') || field(id::text) || field(report::text) || field((last.sequence + 1)::text) || field(last.version::text)
			|| field(type) || field(actor::text) || field((extract(epoch FROM at) * 1000000)::bigint::text)
			|| field(convert_to(payload, 'UTF8')) || field(NULL::bytea);
		INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, actor_id, occurred_at, prev_hash, hash, signature)
		VALUES (id, report, last.sequence + 1, last.version, type, convert_to(payload, 'UTF8'), actor, at, last.hash, sha256(last.hash || content), signature);
		UPDATE core_moderation_reports SET sequence = last.sequence + 1 WHERE core_moderation_reports.id = report;
	END $$`

const decided = `{"resolution":"no_violation","explained":false,"shared":false}`

// newForgery is a sealed log with a checkpoint and the forger's functions.
func newForgery(t *testing.T) *sealedLog {
	t.Helper()
	l := newSealedLog(t)
	l.Wait(time.Hour)
	l.SQL(t, forger)
	return l
}

// sign signs the last event of a report, as one who has the key could.
func (l *sealedLog) sign(t *testing.T, reportID string, key proof.Key) {
	t.Helper()
	records, err := eventstore.LoadRecords(t.Context(), l.Pool, reportID)
	require.NoError(t, err)
	last := records[len(records)-1]
	signature, err := key.Sign(last.Hash)
	require.NoError(t, err)
	l.tamper(t, `UPDATE core_moderation_report_events SET signature = $2 WHERE event_id = $1`, last.EventID, signature)
}

func TestNobodyForgesAnEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		forge   func(t *testing.T, l *sealedLog)
		problem string
	}{
		"a decision": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[1], decided, l.Clock(), l.Users[1])
		}, "it is not signed"},
		"a decision before a checkpoint": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[1], decided, l.Clock().Add(-time.Hour), l.Users[1])
		}, "it is not signed"},
		"with a signature of another event": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4, (SELECT signature FROM core_moderation_report_events WHERE report_id = $1 AND sequence = 5))`,
				l.ids[1], decided, l.Clock(), l.Users[1])
		}, "its signature is not by a known key"},
		"with a key of the forger": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[1], decided, l.Clock(), l.Users[1])
			l.sign(t, l.ids[1], logtest.NewKey(t))
		}, "its signature is not by a known key"},
		"with 64 bytes of nothing": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4, decode(repeat('00', 64), 'hex'))`, l.ids[1], decided, l.Clock(), l.Users[1])
		}, "its signature is not by a known key"},
		"an erasure of what is to come": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'evidence_erased', '{"sequences":[7]}', $2, NULL)`, l.ids[1], l.Clock())
		}, "it erases the evidence of sequence 7, which is not before it"},
		"a time before the event before it": {func(t *testing.T, l *sealedLog) {
			l.kept = nil
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[1], decided, l.Clock().Add(-24*time.Hour), l.Users[1])
		}, "its time is before that of the event before it"},
		"a version below that of the event before it": {func(t *testing.T, l *sealedLog) {
			l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4, below => 1)`, l.ids[1], decided, l.Clock(), l.Users[1])
		}, "its version is lower than that of the event before it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newForgery(t)
			c.forge(t, l)
			_, found := l.audit(t)
			require.Len(t, found, 1)
			require.Equal(t, l.ids[1], found[0].ReportID)
			require.Equal(t, 6, found[0].Sequence)
			require.Equal(t, c.problem, found[0].Problem)
			records, err := eventstore.LoadRecords(t.Context(), l.Pool, l.ids[1])
			require.NoError(t, err)
			require.NoError(t, proof.VerifyRecords(l.ids[1], records), "its hash is right")
		})
	}
}

func TestNobodyHidesAReportBehindTheLeastID(t *testing.T) {
	t.Parallel()
	l := newForgery(t)
	const least = "00000000-0000-0000-0000-000000000000"
	l.tamper(t, `UPDATE core_moderation_report_events SET report_id = '`+least+`' WHERE report_id = $1`, l.ids[1])
	l.tamper(t, `UPDATE core_moderation_reports SET id = '`+least+`' WHERE id = $1`, l.ids[1])
	_, found := l.audit(t)
	require.Len(t, found, 1)
	require.Equal(t, least, found[0].ReportID)
}

// Even with a server's key, nobody can put a decision before a checkpoint that was kept
// elsewhere.
func TestNobodyPutsAnEventBeforeACheckpoint(t *testing.T) {
	t.Parallel()
	l := newForgery(t)
	grace := 5 * time.Minute
	late := proof.Checkpoint{Tree: l.kept[0].Tree, Taken: l.Clock().Add(-30 * time.Minute), SignedFrom: 1}
	l.kept[0] = late
	for i, at := range []time.Time{late.Taken.Add(-grace), late.Taken.Add(-grace - time.Microsecond)} {
		l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[i], decided, at, l.Users[1])
		l.sign(t, l.ids[i], l.Key)
	}
	_, found := l.audit(t)
	require.Len(t, found, 1, "%v", found)
	require.Equal(t, l.ids[1], found[0].ReportID)
	require.Contains(t, found[0].Problem, "its time is before the checkpoint of 2026-03-01T12:30:00Z, which does not hold it")
}

// An erasure does not excuse missing words of a later event, even if it names the event and
// has a valid signature.
func TestAnErasureCoversOnlyWhatIsBeforeIt(t *testing.T) {
	t.Parallel()
	l := newForgery(t)
	l.SQL(t, `SELECT forge($1, 'evidence_erased', '{"sequences":[7]}', $2, NULL)`, l.ids[1], l.Clock())
	l.sign(t, l.ids[1], l.Key)
	l.Note(t, l.ids[1], 1, uuid.NewString())
	l.tamper(t, `UPDATE core_moderation_report_events SET evidence = NULL WHERE report_id = $1 AND sequence = 7`, l.ids[1])
	_, found := l.audit(t)
	require.Len(t, found, 1)
	require.Equal(t, 6, found[0].Sequence)
	require.Equal(t, "it erases the evidence of sequence 7, which is not before it", found[0].Problem)
}

// Removing every signature from the log shows against a checkpoint that says from where on
// events are signed.
func TestNobodyMakesASignedLogAnUnsignedOne(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.tamper(t, `UPDATE core_moderation_report_events SET signature = NULL`)
	_, found := l.audit(t)
	require.Len(t, found, 3)
	for _, f := range found {
		require.Equal(t, 1, f.Sequence)
		require.Equal(t, "it is not signed", f.Problem)
	}
	l.kept = nil
	_, found = l.audit(t)
	require.Len(t, found, 3, "also without a checkpoint")
}

// A log that was begun by a release without signatures is whole for those who know from where on
// its events are signed.
func TestALogThatWasBegunUnsigned(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.tamper(t, `UPDATE core_moderation_report_events SET signature = NULL`)
	l.kept = nil
	l.Wait(time.Minute)
	l.Reopen(t, l.ids[0], 1)
	l.File(t, 1, "later")
	l.Seal(t)
	_, found := l.audit(t)
	require.Len(t, found, 3)
	l.signedFrom = 16
	audited, found := l.audit(t)
	require.Empty(t, found)
	require.EqualValues(t, 16, audited.SignedFrom)
	require.EqualValues(t, 16, l.take(t).SignedFrom)

	// From there on nothing unsigned passes.
	l.SQL(t, forger)
	l.SQL(t, `SELECT forge($1, 'resolved', $2, $3, $4)`, l.ids[1], decided, l.Clock(), l.Users[1])
	_, found = l.audit(t)
	require.Len(t, found, 1)
	require.Equal(t, "it is not signed", found[0].Problem)
}

func TestEventsOfServersWithTheirOwnKeysAndOfFormerKeysAreSigned(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	former := l.Key
	l.RenewKey(t)
	l.File(t, 1, "later")
	l.Seal(t)
	keys := func(public ...string) []proof.Finding {
		var found []proof.Finding
		a := &proof.Auditor{Pool: l.Pool, Sealer: newSealer(l.Pool), Keys: public, Workers: 2, Found: func(f proof.Finding) { found = append(found, f) }}
		_, err := a.Verify(t.Context())
		require.NoError(t, err)
		return found
	}
	require.Empty(t, keys(l.Key.Public, former.Public))
	require.Len(t, keys(former.Public), 1)
	require.Len(t, keys(l.Key.Public), 3)
	_, err := (&proof.Auditor{Pool: l.Pool, Sealer: newSealer(l.Pool)}).Verify(t.Context())
	require.ErrorIs(t, err, proof.ErrNoKey)
}

func TestErasuresAreListed(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.Wait(time.Minute)
	_, err := l.Store.Erase(context.Background(), l.ids[0], nil, report.EveryWord)
	require.NoError(t, err)
	_, err = l.Store.Erase(context.Background(), l.ids[1], &l.Users[2], report.WrittenBy(l.Users[1]))
	require.NoError(t, err)
	var lines []string
	a := &proof.Auditor{Pool: l.Pool, Sealer: newSealer(l.Pool), Keys: []string{l.Key.Public}, Workers: 1,
		Erased: func(e proof.Erasure) { lines = append(lines, e.String()) }}
	audited, err := a.Verify(t.Context())
	require.NoError(t, err)
	require.Zero(t, audited.Findings)
	require.EqualValues(t, 2, audited.Erasures)
	require.ElementsMatch(t, []string{
		fmt.Sprintf("erasure: report %s, 2026-03-01T12:01:00Z, operator, sequences 1-5", l.ids[0]),
		fmt.Sprintf("erasure: report %s, 2026-03-01T12:01:00Z, %s, sequences 2-5", l.ids[1], l.Users[2]),
	}, lines)
}

// A checkpoint is of the log whose name it bears: one that a known key signed for another
// log is none of this one.
func TestACheckpointOfAnotherLogIsRefused(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	known, err := proof.Verifiers(l.Key.Public)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"another name": fmt.Sprintf("other\n%d\n%s\n2026-03-01T12:00:00Z\n", l.kept[0].N, l.kept[0].Hash),
		"no name":      fmt.Sprintf("\n%d\n%s\n2026-03-01T12:00:00Z\n", l.kept[0].N, l.kept[0].Hash),
	} {
		_, err = proof.OpenCheckpoint(signNote(t, l.Key, text), known)
		require.ErrorContains(t, err, "no key of that name signed it", name)
	}
	c, err := proof.OpenCheckpoint(l.kept[0].Note, known)
	require.NoError(t, err)
	require.Equal(t, l.Key.Public, c.Key)
	require.EqualValues(t, 1, c.SignedFrom)

	// One of a release that did not sign events has neither line.
	older, err := proof.OpenCheckpoint(signNote(t, l.Key, fmt.Sprintf("test\n%d\n%s\n2026-03-01T12:00:00Z\n", l.kept[0].N, l.kept[0].Hash)), known)
	require.NoError(t, err)
	require.Zero(t, older.SignedFrom)
}
