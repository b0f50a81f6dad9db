package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Filing is what a request to file a report needs besides its caller. Its attempt is counted and committed before its
// content is read.
type Filing struct {
	Capture  *target.Query   // nil means none. A failed one counts as not run.
	Attempts report.Attempts // of the caller, including this one; set once it is counted
}

// admitTimeout bounds a batch of filings. It is short: content that is slow to read then takes two connections away
// from commands for a second at most.
const admitTimeout = time.Second

// filer is a query for a caller, by session or known account, and for a capture.
type filer struct {
	session []byte // the hash of its id; nil if the account is known
	userID  string
	capture *target.Query
}

// admitted is the result of a filer.
type admitted struct {
	session  *sessionRow // nil for none in force
	attempts report.Attempts
}

// CountAttempt counts a filing by an account, successful or not, and runs the capture. It counts the attempts of the
// last hour, in whole minutes.
func (s *Store) CountAttempt(ctx context.Context, userID string, f *Filing) error {
	if _, err := s.file(ctx, filer{userID: userID}, f); err != nil {
		return fmt.Errorf("count filing attempt: %w", err)
	}
	return nil
}

// file counts the attempt, and returns the session of the filer if it was requested.
func (s *Store) file(ctx context.Context, who filer, f *Filing) (*sessionRow, error) {
	who.capture = f.Capture
	a, err := s.callers.filers.Do(ctx, who)
	f.Attempts = a.attempts
	return a.session, err
}

// TrimAttempts deletes the attempts that no limit counts any more.
func (s *Store) TrimAttempts(ctx context.Context) error {
	return postgres.Exec(ctx, s.pool, "trim filing attempts", `DELETE FROM core_moderation_attempts WHERE minute < now() - interval '2 hours'`)
}

// barred selects the measures that prevent authors from filing. A partial index has the standing ones, so that nothing
// is looked up if there are none.
const barred = `SELECT m.plugin_id, m.author FROM core_moderation_measures m
	WHERE m.ended_at IS NULL AND m.kind IN ('suspend', 'terminate') AND (m.until IS NULL OR m.until > $3)`

// countAttempts adds attempts of accounts and sessions to the present minute and returns how many each account made
// within the hour. It locks the rows by account, so that two servers cannot deadlock.
const countAttempts = `
	WITH batch AS (SELECT user_id, date_trunc('minute', $3::timestamptz) AS minute, count(*)::int AS attempts FROM (
			SELECT unnest($1::uuid[]) AS user_id
			UNION ALL SELECT s.user_id FROM unnest($2::bytea[]) AS asked (hash) CROSS JOIN LATERAL (
				SELECT user_id FROM core_sessions WHERE hash = asked.hash AND expires_at > $3 LIMIT 1) s) each
		GROUP BY user_id),
	now AS (INSERT INTO core_moderation_attempts AS a (user_id, minute, attempts) SELECT * FROM batch ORDER BY user_id
		ON CONFLICT (user_id, minute) DO UPDATE SET attempts = a.attempts + excluded.attempts RETURNING user_id, minute, attempts)
	SELECT now.user_id::text, now.attempts + coalesce(before.attempts, 0), least(now.minute, before.minute), CASE WHEN EXISTS (` + barred + `) THEN
			(SELECT array_agg(DISTINCT m.plugin_id) FROM (` + barred + `) m WHERE core_author_account(m.plugin_id, m.author, $4) = now.user_id
				AND m.author IN (SELECT now.user_id::text UNION ALL SELECT i.subject FROM core_user_identities i WHERE i.user_id = now.user_id)) END,
		coalesce((SELECT f.name FROM core_trusted_flaggers f WHERE f.user_id = now.user_id), '')
	FROM now CROSS JOIN LATERAL (
		SELECT sum(attempts)::int AS attempts, min(a.minute) AS minute FROM core_moderation_attempts a
		WHERE a.user_id = now.user_id AND a.minute > $3 - interval '1 hour' AND a.minute <> now.minute) before`

// admit commits the attempts without waiting for the disk, so that a filing waits for the disk only once; a crash may
// lose the most recent counts. Counting an attempt twice is harmless, so these writes are not tracked. Captures run
// after the commit, in their own transactions.
func (s *Store) admit(ctx context.Context, filers []filer) ([]admitted, error) {
	now := s.time()
	all, rows := make([]admitted, len(filers)), make([]*sessionRow, len(filers))
	hashes, accounts := make([][]byte, len(filers)), []string{}
	for i, f := range filers {
		if hashes[i] = f.session; f.session == nil {
			accounts = append(accounts, f.userID)
		}
	}
	counted := false
	b := &pgx.Batch{}
	b.Queue("BEGIN")
	postgres.QueueGenericPlans(b)
	postgres.QueueAsyncCommit(b)
	batch.QueueLockTimeout(ctx, b)
	queueEach(b, rows, (*sessionRow).all, sessionCallers, hashes, now)
	b.Queue(countAttempts, accounts, hashes, now, s.host.issuerName()).Query(func(found pgx.Rows) error {
		byAccount := make(map[string][]*admitted, len(filers))
		for i, f := range filers {
			all[i].session = rows[i]
			if f.session != nil && rows[i] != nil {
				f.userID = rows[i].caller.UserID
			}
			byAccount[f.userID] = append(byAccount[f.userID], &all[i])
		}
		var id string
		var a report.Attempts
		_, err := pgx.ForEachRow(found, []any{&id, &a.Count, &a.Oldest, &a.Suspended, &a.Flagger}, func() error {
			for i, one := range byAccount[id] {
				one.attempts = report.Attempts{Count: a.Count - len(byAccount[id]) + i + 1, Oldest: a.Oldest, Suspended: a.Suspended, Flagger: a.Flagger}
			}
			return nil
		})
		return err
	})
	b.Queue("COMMIT").Exec(func(pgconn.CommandTag) error {
		counted = true
		return nil
	})
	for _, f := range filers {
		if q := f.capture; q != nil && !batch.Alone(ctx) { // it may be why the batch has failed
			b.Queue(q.SQL, q.Args...).QueryRow(func(row pgx.Row) error {
				found, err := q.Read(row)
				switch {
				case err == nil:
					q.Capture, q.Ran = found, true
				case errors.Is(err, pgx.ErrNoRows):
					q.Ran = true
				default:
					return err
				}
				return nil
			})
		}
	}
	if err := s.pool.SendBatch(postgres.Untracked(ctx), b).Close(); err != nil && !counted {
		return nil, err
	}
	return all, nil
}
