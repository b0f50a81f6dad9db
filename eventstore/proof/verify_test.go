package proof_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
)

// sealedLog is a log of three reports with five events each, all sealed, and a
// checkpoint of it that was kept.
type sealedLog struct {
	signedFrom int64
	*logtest.Database
	ids  []string
	kept []proof.Checkpoint
}

func newSealer(pool *pgxpool.Pool) *eventstore.Sealer {
	return eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {})
}

func newSealedLog(t *testing.T) *sealedLog {
	t.Helper()
	l := &sealedLog{Database: logtest.New(t)}
	for i := range 3 {
		id := l.File(t, 0, fmt.Sprint(i))
		l.Note(t, id, 1, uuid.NewString())
		l.Resolve(t, id, 1, report.ActionTaken)
		l.Reopen(t, id, 1)
		l.Resolve(t, id, 1, report.ActionTaken)
		l.ids = append(l.ids, id)
	}
	l.Seal(t)
	l.kept = append(l.kept, l.take(t))
	return l
}

func (l *sealedLog) take(t *testing.T) proof.Checkpoint {
	t.Helper()
	c, err := proof.Take(context.Background(), l.Pool, l.kept, l.Key, l.Clock())
	require.NoError(t, err)
	return c
}

func (l *sealedLog) audit(t *testing.T) (proof.Audited, []proof.Finding) {
	t.Helper()
	var found []proof.Finding
	a := &proof.Auditor{Pool: l.Pool, Sealer: newSealer(l.Pool), Checkpoints: l.kept, Keys: []string{l.Key.Public}, SignedFrom: l.signedFrom, Workers: 2,
		Found: func(f proof.Finding) { found = append(found, f) }}
	audited, err := a.Verify(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, len(found), audited.Findings)
	return audited, found
}

// tamper changes the database as one who has it could, past the triggers.
func (l *sealedLog) tamper(t *testing.T, sql string, args ...any) {
	t.Helper()
	pgtest.Exec(t, l.Pool, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL; ALTER TABLE core_moderation_log DISABLE TRIGGER ALL`)
	pgtest.Exec(t, l.Pool, sql, args...)
}

func TestAuditOfAWholeLog(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.File(t, 0, "after the checkpoint")
	_, err := l.Store.Erase(context.Background(), l.ids[1], nil, report.EveryWord)
	require.NoError(t, err)
	audited, found := l.audit(t)
	require.Empty(t, found)
	require.Equal(t, proof.Audited{Reports: 4, Positions: 17, Checkpoints: 1, Erasures: 1, SignedFrom: 1}, audited)
}

func TestAuditNamesWhatWasTamperedWith(t *testing.T) {
	t.Parallel()
	const events, here = `core_moderation_report_events`, ` WHERE report_id = $1 AND sequence = 3`
	tests := []struct {
		name     string
		sql      string
		sequence int
		problem  string
	}{
		{"payload", `UPDATE ` + events + ` SET payload = replace(convert_from(payload, 'UTF8'), 'action_taken', 'no_violation')::bytea` + here, 3, "content does not match its hash"},
		{"actor", `UPDATE ` + events + ` SET actor_id = gen_random_uuid()` + here, 3, "content does not match its hash"},
		{"time", `UPDATE ` + events + ` SET occurred_at = occurred_at + interval '1 microsecond'` + here, 3, "content does not match its hash"},
		{"version", `UPDATE ` + events + ` SET version = 9` + here, 3, "content does not match its hash"},
		{"evidence", `UPDATE ` + events + ` SET evidence = 'other'` + here, 3, "evidence does not match its digest"},
		{"evidence gone without an erasure", `UPDATE ` + events + ` SET evidence = NULL` + here, 3, "no erasure says so"},
		{"digest", `UPDATE ` + events + ` SET evidence_digest = NULL, evidence = NULL` + here, 3, "content does not match its hash"},
		{"an event in the middle", `DELETE FROM ` + events + here, 3, "missing"},
		{"the first event", `DELETE FROM ` + events + ` WHERE report_id = $1 AND sequence = 1`, 1, "missing"},
		{"the last event", `DELETE FROM ` + events + ` WHERE report_id = $1 AND sequence = 5`, 5, "missing"},
		{"a whole report", `DELETE FROM ` + events + ` WHERE report_id = $1`, 1, "missing"},
		{"its row", `DELETE FROM core_moderation_reports WHERE id = $1`, 5, "no row"},
		{"the hash chain", `UPDATE ` + events + ` SET hash = sha256('x')` + here, 3, "content does not match its hash"},
		{"the link", `UPDATE ` + events + ` SET prev_hash = sha256('x')` + here, 3, "does not follow"},
		{"its leaf", `UPDATE core_moderation_log SET leaf_hash = sha256('x') WHERE event_id = (SELECT event_id FROM ` + events + here + `)`, 3, "not the event that was sealed"},
		{"its position", `UPDATE core_moderation_log SET position = position + 1000 WHERE event_id = (SELECT event_id FROM ` + events + here + `)`, 4, "sealed before"},
	}
	l := newSealedLog(t)
	tables := []string{events, "core_moderation_log", "core_moderation_reports"}
	for _, table := range tables {
		l.tamper(t, `ALTER TABLE `+table+` DISABLE TRIGGER ALL; CREATE TABLE whole_`+table+` AS TABLE `+table)
	}
	for _, c := range tests { // one after the other: they share the database
		t.Run(c.name, func(t *testing.T) {
			for _, table := range tables {
				l.tamper(t, `DELETE FROM `+table+`; INSERT INTO `+table+` SELECT * FROM whole_`+table)
			}
			l.tamper(t, c.sql, l.ids[1])
			_, found := l.audit(t)
			require.NotEmpty(t, found)
			var named []string
			for _, f := range found {
				if f.ReportID != "" {
					named = append(named, fmt.Sprintf("%s %d %s", f.ReportID, f.Sequence, f.Problem))
				}
			}
			require.Len(t, named, 1, "%v", found)
			require.True(t, strings.HasPrefix(named[0], fmt.Sprintf("%s %d ", l.ids[1], c.sequence)), named[0])
			require.Contains(t, named[0], c.problem)
		})
	}
}

func TestAuditNamesAPositionThatIsMissing(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.tamper(t, `DELETE FROM core_moderation_log WHERE position = 8`)
	_, found := l.audit(t)
	// The event itself has no position, or a late one where a sealer came to it again.
	require.Contains(t, found, proof.Finding{Position: 8, Problem: "the position is missing from the log"})
}

func TestAuditNamesEventsThatChangedPlaces(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	for _, move := range [][2]int{{3, 99}, {4, 3}, {99, 4}} {
		l.tamper(t, `UPDATE core_moderation_report_events SET sequence = $3 WHERE report_id = $1 AND sequence = $2`, l.ids[0], move[0], move[1])
	}
	_, found := l.audit(t)
	require.Equal(t, []proof.Finding{{ReportID: l.ids[0], Sequence: 3, Problem: "it does not follow the event before it"}}, found)
}

func TestPositionsThatChangedPlacesAreCaughtByAKeptCheckpoint(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	// Two reports change places, which no report's own chain tells.
	for _, move := range [][2]int{{1, 99}, {6, 1}, {99, 6}} {
		l.tamper(t, `UPDATE core_moderation_log SET position = $2 WHERE position = $1`, move[0], move[1])
	}
	_, found := l.audit(t)
	require.NotEmpty(t, found)
	require.Contains(t, found[len(found)-1].String(), "position 15: the log up to here is not what the checkpoint")
}

// forge changes what an event says and makes the chain anew from there on.
func (l *sealedLog) forge(t *testing.T, id string, sequence int) {
	t.Helper()
	records, err := eventstore.LoadRecords(context.Background(), l.Pool, id)
	require.NoError(t, err)
	changed := strings.Replace(string(records[sequence-1].Payload), "action_taken", "no_violation", 1)
	require.NotEqual(t, string(records[sequence-1].Payload), changed)
	records[sequence-1].Payload = []byte(changed)
	for i := sequence - 1; i < len(records); i++ {
		if i > 0 {
			records[i].PrevHash = records[i-1].Hash
		}
		records[i].Hash = records[i].ChainHash()
		l.tamper(t, `UPDATE core_moderation_report_events SET payload = $2, prev_hash = $3, hash = $4 WHERE event_id = $1`,
			records[i].EventID, records[i].Payload, records[i].PrevHash, records[i].Hash)
	}
}

func TestAuditNamesAForgedChain(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.forge(t, l.ids[1], 3)
	logtest.VerifyStream(t, l.Pool, l.ids[1]) // the chain holds in itself
	_, found := l.audit(t)
	require.Equal(t, []proof.Finding{{ReportID: l.ids[1], Sequence: 3, Position: 8, Problem: "it is not the event that was sealed there"}}, found)
}

func TestARewrittenHistoryIsCaughtByAKeptCheckpoint(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	// Given a history rewritten with every hash, leaf and row to match.
	l.tamper(t, `DELETE FROM core_moderation_log`)
	l.tamper(t, `UPDATE core_moderation_sealer SET lower_bound = '0'`)
	for _, id := range l.ids {
		l.forge(t, id, 5)
	}
	l.Seal(t)

	// Then the chains hold, and both the signatures and the checkpoint tell.
	kept := l.kept
	l.kept = nil
	_, found := l.audit(t)
	require.Len(t, found, len(l.ids))
	for _, f := range found {
		require.Equal(t, 5, f.Sequence)
		require.Equal(t, "its signature is not by a known key", f.Problem)
	}
	l.kept = kept
	_, found = l.audit(t)
	require.Len(t, found, len(l.ids)+1)
	require.EqualValues(t, 15, found[len(l.ids)].Position)
	require.Contains(t, found[len(l.ids)].Problem, "rewritten")
	_, err := proof.Take(context.Background(), l.Pool, kept, l.Key, time.Now())
	require.ErrorContains(t, err, "is not what the checkpoint")
}

func TestATruncatedLogIsCaughtByAKeptCheckpoint(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	l.tamper(t, `DELETE FROM core_moderation_reports WHERE id = $1`, l.ids[2])
	l.tamper(t, `DELETE FROM core_moderation_log WHERE event_id IN (SELECT event_id FROM core_moderation_report_events WHERE report_id = $1)`, l.ids[2])
	l.tamper(t, `DELETE FROM core_moderation_report_events WHERE report_id = $1`, l.ids[2])
	_, found := l.audit(t)
	require.Len(t, found, 1)
	require.Contains(t, found[0].String(), "position 11: the log ends here")
}

func TestBundles(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	ctx := context.Background()
	known, err := proof.Verifiers(l.Key.Public)
	require.NoError(t, err)
	for _, words := range []bool{false, true} {
		b, err := proof.Prove(ctx, l.Pool, l.ids[1], l.kept[0], l.Key.Public, words)
		require.NoError(t, err)
		encoded, err := json.Marshal(b)
		require.NoError(t, err)
		require.Equal(t, words, strings.Contains(string(encoded), "a note"))
		verified, c, err := proof.VerifyBundle(encoded, known)
		require.NoError(t, err)
		require.Len(t, verified.Events, 5)
		require.Equal(t, l.kept[0].Tree, c.Tree)
	}

	whole, err := proof.Prove(ctx, l.Pool, l.ids[1], l.kept[0], l.Key.Public, true)
	require.NoError(t, err)
	strangers, err := proof.Take(ctx, l.Pool, nil, logtest.NewKey(t), time.Now())
	require.NoError(t, err)
	for name, harm := range map[string]func(b *proof.Bundle){
		"payload": func(b *proof.Bundle) {
			b.Events[2].Payload = strings.Replace(b.Events[2].Payload, "action_taken", "no_violation", 1)
		},
		"actor":                  func(b *proof.Bundle) { b.Events[2].ActorID = &b.ReportID },
		"words":                  func(b *proof.Bundle) { other := "other"; b.Events[2].Evidence = &other },
		"order":                  func(b *proof.Bundle) { b.Events[2], b.Events[3] = b.Events[3], b.Events[2] },
		"an event less":          func(b *proof.Bundle) { b.Events = append(b.Events[:2:2], b.Events[3:]...) },
		"no events":              func(b *proof.Bundle) { b.Events = nil },
		"position":               func(b *proof.Bundle) { b.Events[4].Position-- },
		"a position out of it":   func(b *proof.Bundle) { b.Events[4].Position = 99 },
		"proof":                  func(b *proof.Bundle) { b.Events[4].Proof = b.Events[4].Proof[1:] },
		"another report":         func(b *proof.Bundle) { b.ReportID = l.ids[0] },
		"a stranger's signature": func(b *proof.Bundle) { b.Checkpoint = string(strangers.Note) },
	} {
		t.Run(name, func(t *testing.T) {
			encoded, err := json.Marshal(whole)
			require.NoError(t, err)
			var b proof.Bundle
			require.NoError(t, json.Unmarshal(encoded, &b))
			harm(&b)
			encoded, err = json.Marshal(b)
			require.NoError(t, err)
			_, _, err = proof.VerifyBundle(encoded, known)
			require.Error(t, err)
		})
	}

	// After an erasure a bundle still proves all that is left.
	_, err = l.Store.Erase(ctx, l.ids[1], nil, report.EveryWord)
	require.NoError(t, err)
	_, err = proof.Prove(ctx, l.Pool, l.ids[1], l.kept[0], l.Key.Public, true)
	require.NoError(t, err, "an erasure that is not sealed yet")
	l.Seal(t)
	_, err = proof.Prove(ctx, l.Pool, l.ids[1], l.kept[0], l.Key.Public, true)
	require.ErrorContains(t, err, "does not reach")
	b, err := proof.Prove(ctx, l.Pool, l.ids[1], l.take(t), l.Key.Public, true)
	require.NoError(t, err)
	encoded, err := json.Marshal(b)
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "a note")
	_, _, err = proof.VerifyBundle(encoded, known)
	require.NoError(t, err)
}

func TestCheckpointsThatStandBehindEachOther(t *testing.T) {
	t.Parallel()
	l := newSealedLog(t)
	known, err := proof.Verifiers(l.Key.Public)
	require.NoError(t, err)
	l.File(t, 0, "later")
	l.Seal(t)
	first, second := string(l.kept[0].Note), string(l.take(t).Note)
	for name, content := range map[string]string{
		"as they came":       first + second,
		"with lines between": "\n" + first + "\n\n" + second + "\n",
		"without a last end": first + strings.TrimSuffix(second, "\n"),
		"of another system":  strings.ReplaceAll(first+second, "\n", "\r\n"),
	} {
		all, err := proof.OpenCheckpoints([]byte(content), known)
		require.NoError(t, err, name)
		require.Len(t, all, 2, name)
		require.Equal(t, []int64{15, 16}, []int64{all[0].N, all[1].N}, name)
	}
	for name, content := range map[string]string{
		"a size changed":  first + strings.Replace(second, "\n16\n", "\n17\n", 1),
		"no signature":    first + strings.Split(second, "—")[0],
		"something else":  "hello",
		"another's words": strings.Replace(first, "test", "tset", 1) + second,
	} {
		_, err := proof.OpenCheckpoints([]byte(content), known)
		require.Error(t, err, name)
	}
	none, err := proof.OpenCheckpoints(nil, known)
	require.NoError(t, err)
	require.Empty(t, none)
}
