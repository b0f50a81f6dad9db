// Package publicnotice stores notices by anybody until they become reports, mails the links that confirm them, and
// mails decisions to their senders. Other modules must not import it.
package publicnotice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
)

// The tasks of the queue.
const (
	confirmTask = "public-notice.mail"    // mails the link
	fileTask    = "public-notice.file"    // opens the report if the confirming request could not
	outcomeTask = "public-notice.outcome" // mails the decision
)

// Group is the consumer group that mails decisions to senders.
const Group = "docket.public-notices"

// fileAfter is how long after the confirmation a task opens the report, if it was not opened at once.
const fileAfter = time.Minute

// Store stores notices. It is safe for concurrent use.
type Store struct {
	Pool *pgxpool.Pool
	Mail *mail.Server
	Base func() *url.URL // of the links
	Now  func() time.Time
	// File opens the report of this id, once, and reports whether there is content at the notice's
	// address.
	File func(ctx context.Context, reportID string, n publicnotice.Notice) (filed bool, err error)
	// Wake makes the queue poll for tasks.
	Wake func()
}

type payload struct {
	NoticeID string `json:"noticeId"`
}

func task(name, noticeID string) queue.Task {
	return queue.Task{PluginID: permission.CorePlugin, Name: name, Queue: queue.Outbound, Payload: payload{noticeID}}
}

// Submit stores a notice and mails its sender a link that confirms it. A notice from an anonymous sender is filed at
// once. A notice beyond the limits is dropped; the result does not show that.
func (s *Store) Submit(ctx context.Context, n publicnotice.Notice, from netip.Addr) error {
	words, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode notice: %w", err)
	}
	now := s.Now().UTC()
	var email []byte
	var confirmedAt *time.Time
	if n.Email == nil {
		confirmedAt = &now
	} else {
		email = account.HashSecret(strings.ToLower(*n.Email))
	}
	id := uuid.Must(uuid.NewV7()).String()
	err = postgres.Transact(ctx, s.Pool, "store notice", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "wait for other notices", `SELECT pg_advisory_xact_lock(hashtextextended('docket:public-notices', 0))`); err != nil {
			return err
		}
		// A separate statement sees what the others have stored.
		tag, err := tx.Exec(ctx, `INSERT INTO core_public_notices (id, email, address, notice, requested_at, confirmed_at) SELECT $1, $2, $3, $4, $5, $6
			WHERE (SELECT count(*) FROM core_public_notices WHERE address = $3 AND requested_at > $7) < $8
			  AND (SELECT count(*) FROM core_public_notices WHERE email = $2 AND requested_at > $7) < $9`,
			id, email, account.AddressKey(from), string(words), now, confirmedAt, now.Add(-publicnotice.Window), publicnotice.PerAddress, publicnotice.PerEmail)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		name := confirmTask
		if confirmedAt != nil {
			name = fileTask
		}
		return queue.EnqueueTx(ctx, tx, task(name, id))
	})
	if err != nil {
		return err
	}
	s.Wake()
	return nil
}

// Confirm opens the report of the notice for a link's token, and reports whether there is content at the notice's
// address. The link works once, and again if there was none or the content's platform did not respond, which is
// CodeUnavailable.
func (s *Store) Confirm(ctx context.Context, token string) (filed bool, err error) {
	var id, words string
	err = postgres.Transact(ctx, s.Pool, "confirm notice", func(tx pgx.Tx) error {
		now := s.Now().UTC()
		err := tx.QueryRow(ctx, `UPDATE core_public_notices SET confirmed_at = $2
			WHERE hash = $1 AND confirmed_at IS NULL AND notice IS NOT NULL AND requested_at > $3 RETURNING id::text, notice`,
			account.HashSecret(token), now, now.Add(-publicnotice.Lifetime)).Scan(&id, &words)
		if err != nil {
			return err
		}
		later := task(fileTask, id)
		later.Delay = fileAfter
		return queue.EnqueueTx(ctx, tx, later)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, domain.Invalid(domain.Issue{Path: "token", Code: "invalid_link", Message: "This link was used, or it is older than a day."})
	}
	if err != nil {
		return false, err
	}
	if filed, err = s.file(ctx, id, words); !filed {
		undo := postgres.Exec(context.WithoutCancel(ctx), s.Pool, "let a notice be confirmed again", `UPDATE core_public_notices SET confirmed_at = NULL WHERE id = $1`, id)
		return false, errors.Join(err, undo)
	}
	return true, err
}

// file opens the report of a confirmed notice and deletes the notice's texts, which the report now has.
func (s *Store) file(ctx context.Context, id, words string) (filed bool, err error) {
	var n publicnotice.Notice
	if err := json.Unmarshal([]byte(words), &n); err != nil {
		return false, fmt.Errorf("read notice: %w", err)
	}
	if filed, err = s.File(ctx, id, n); err != nil || !filed {
		return false, err
	}
	return true, postgres.Exec(ctx, s.Pool, "forget the words of a notice", `UPDATE core_public_notices SET notice = NULL, hash = NULL WHERE id = $1`, id)
}

// Listener enqueues the mail about decisions on notices, in the messages' transaction.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, Events: []string{event.ReportResolved}, Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		resolved, err := event.Decode[event.Resolved](e)
		if err != nil {
			return err
		}
		var sent bool
		err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_reports WHERE id = $1 AND source = $2)`, e.ReportID, report.FromNotice).Scan(&sent)
		if err != nil || !sent {
			return err
		}
		return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: outcomeTask, Queue: queue.Outbound,
			Payload: outcome{e.ReportID, e.ID, resolved.Resolution}})
	}}
}

type outcome struct {
	ReportID   string `json:"reportId"`
	EventID    string `json:"eventId"`
	Resolution string `json:"resolution"`
}

// Register registers the tasks that mail links and outcomes, and file confirmed notices.
func (s *Store) Register(q *queue.Queue) error {
	return errors.Join(
		q.Handle(permission.CorePlugin, confirmTask, queue.Handler{Limit: mail.Timeout, Run: queue.Decoded(s.mailLink)}),
		q.Handle(permission.CorePlugin, fileTask, queue.Handler{Run: queue.Decoded(s.fileConfirmed)}),
		q.Handle(permission.CorePlugin, outcomeTask, queue.Handler{Limit: mail.Timeout, Run: queue.Decoded(s.mailOutcome)}))
}

// mailLink creates the link's secret when it sends the mail, since the payload of a task is stored.
func (s *Store) mailLink(ctx context.Context, _ queue.Attempt, p payload) error {
	token := account.NewSecret()
	words, err := postgres.CollectFirst(ctx, s.Pool, "store the hash of a link", pgx.RowTo[string],
		`UPDATE core_public_notices SET hash = $2 WHERE id = $1 AND confirmed_at IS NULL RETURNING coalesce(notice, '')`, p.NoticeID, account.HashSecret(token))
	if err != nil || words == nil {
		return err
	}
	var n publicnotice.Notice
	if err := json.Unmarshal([]byte(*words), &n); err != nil {
		return fmt.Errorf("read notice: %w", err)
	}
	return s.Mail.Send(ctx, linkLetter(n, p.NoticeID, s.Base().JoinPath("notice", "confirm").String()+"#token="+token))
}

func (s *Store) fileConfirmed(ctx context.Context, _ queue.Attempt, p payload) error {
	words, err := postgres.CollectFirst(ctx, s.Pool, "read a confirmed notice", pgx.RowTo[string],
		`SELECT notice FROM core_public_notices WHERE id = $1 AND confirmed_at IS NOT NULL AND notice IS NOT NULL`, p.NoticeID)
	if err != nil || words == nil {
		return err
	}
	_, err = s.file(ctx, p.NoticeID, *words)
	return err
}

// mailOutcome reads the sender from the event of the filing, so that it mails nobody after an erasure, and the texts of
// the decision from its own event, since another decision may stand when the mail is sent.
func (s *Store) mailOutcome(ctx context.Context, _ queue.Attempt, p outcome) error {
	var sender, explanation *string
	var appealable *time.Time
	err := s.Pool.QueryRow(ctx, `SELECT (SELECT (convert_from(e.evidence, 'UTF8')::json -> 'words' -> 'notice')::text
			FROM core_moderation_report_events e WHERE e.report_id = d.report_id AND e.sequence = 1),
			CASE WHEN (t.payload ->> 'shared')::boolean THEN convert_from(d.evidence, 'UTF8')::json -> 'words' ->> 'explanation' END,
			(t.payload ->> 'appealableUntil')::timestamptz
		FROM core_moderation_report_events d, LATERAL (SELECT convert_from(d.payload, 'UTF8')::json AS payload) t WHERE d.event_id = $1`, p.EventID).Scan(&sender, &explanation, &appealable)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && sender == nil {
		return nil
	}
	var w report.NoticeWords
	if err == nil {
		err = json.Unmarshal([]byte(*sender), &w)
	}
	if err != nil {
		return fmt.Errorf("read the sender of a notice: %w", err)
	}
	if w.Email == nil {
		return nil
	}
	return s.Mail.Send(ctx, outcomeLetter(w, p, explanation, appealable))
}

// giveUp is how long a confirmed notice is stored that did not become a report, because there is no content at its
// address.
const giveUp = 7 * 24 * time.Hour

// Trim deletes notices that were not confirmed within a day, counts that no limit needs any more, and after a week the
// notices that did not become reports.
func (s *Store) Trim(ctx context.Context) error {
	return postgres.Exec(ctx, s.Pool, "forget old notices", `DELETE FROM core_public_notices
		WHERE requested_at < now() - $1::interval AND (confirmed_at IS NULL OR notice IS NULL OR requested_at < now() - $2::interval)`, publicnotice.Lifetime, giveUp)
}
