package notice

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Group is the consumer group that writes notices.
const Group = "docket.notices"

// Listener writes notices when a report is resolved, when an appeal is decided and when a measure is imposed or ends
// and, with a mail server, enqueues tasks that mail them. Both happen exactly once, in the messages' transaction.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, Events: []string{event.ReportResolved, event.AppealDecided, event.MeasureImposed, event.MeasureEnded}, HandleAll: s.handle}
}

// handle stores the notices for these events, and enqueues their mails.
func (s *Store) handle(ctx context.Context, tx pgx.Tx, events []event.Event) error {
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b) // arrays would be planned each time
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return err
	}
	var resolutions []draft // without users
	var measures []event.Event
	for _, e := range events {
		if e.Name == event.MeasureImposed || e.Name == event.MeasureEnded {
			measures = append(measures, e)
			continue
		}
		if e.Name == event.AppealDecided {
			if err := s.tellAppellant(ctx, tx, e); err != nil {
				return err
			}
			continue
		}
		resolved, err := event.Decode[event.Resolved](e)
		if err != nil {
			return err
		}
		resolutions = append(resolutions, draft{about: e, resolution: resolved.Resolution})
	}
	if err := s.tellAuthors(ctx, tx, resolutions); err != nil {
		return err
	}
	if err := s.tellReporters(ctx, tx, resolutions); err != nil {
		return err
	}
	return s.tellMeasured(ctx, tx, measures)
}

// tellAuthors notifies the authors of content against which action was taken, if they have accounts. If several reports
// were decided as one, in one transaction, they are notified once.
func (s *Store) tellAuthors(ctx context.Context, tx pgx.Tx, resolutions []draft) error {
	var reports, events []string
	var times []time.Time
	var upheld []draft
	for _, d := range resolutions {
		if d.resolution == "action_taken" {
			upheld, times = append(upheld, d), append(times, d.about.OccurredAt)
			reports, events = append(reports, d.about.ReportID), append(events, d.about.ID)
		}
	}
	type decided struct {
		transaction string
		author      uuid.UUID
	}
	told := map[decided]bool{}
	var all []draft
	var n int
	var by decided
	var known bool
	err := postgres.ForEach(ctx, tx, "find the authors to notify", []any{&n, &by.author, &by.transaction, &known}, func() error {
		if !known && !told[by] {
			d := upheld[n-1]
			d.kind, d.user = DecisionKind, by.author
			told[by], all = true, append(all, d)
		}
		return nil
	}, selectAuthors, reports, events, times, s.Issuer, sameDecision)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, all)
}

// selectAuthors selects the accounts of the authors of reports, the transactions of the decisions, and whether they
// have a notice for another event of the same decision.
const selectAuthors = `SELECT d.n, d.account, d.transaction_id::text, EXISTS (
		SELECT FROM (SELECT o.event_id::text FROM core_moderation_report_events o WHERE o.transaction_id = d.transaction_id AND o.report_id <> d.report_id OFFSET 0) o
		CROSS JOIN LATERAL (SELECT FROM core_notices n WHERE n.user_id = d.account AND n.event_id = o.event_id AND n.kind = 'decision'
			AND n.created_at BETWEEN d.at - $5::interval AND d.at + $5::interval OFFSET 0) n)
	FROM (SELECT DISTINCT o.n, o.report_id, o.at, a.account, e.transaction_id
		FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY o (report_id, event_id, at, n)
		JOIN core_moderation_report_authors w ON w.report_id = o.report_id
		CROSS JOIN LATERAL core_author_account(w.plugin_id, w.author, $4::text) a (account)
		JOIN core_moderation_report_events e ON e.event_id = o.event_id WHERE a.account IS NOT NULL) d ORDER BY d.n`

// sameDecision bounds the time between the events of one decision on several reports, since transaction ids are reused
// after a restore into another cluster.
const sameDecision = 5 * time.Second

// tellReporters notifies the reporters who have accounts.
func (s *Store) tellReporters(ctx context.Context, tx pgx.Tx, resolutions []draft) error {
	reports := domain.Map(resolutions, func(d draft) string { return d.about.ReportID })
	var all []draft
	var n int
	var reporter uuid.UUID
	err := postgres.ForEach(ctx, tx, "find the reporters to notify", []any{&n, &reporter}, func() error {
		d := resolutions[n-1]
		d.kind, d.user = ReportKind, reporter
		all = append(all, d)
		return nil
	}, `SELECT o.n, r.reporter_id FROM unnest($1::uuid[]) WITH ORDINALITY o (id, n) JOIN core_moderation_reports r ON r.id = o.id
		WHERE r.id = ANY ($1) AND r.reporter_id IS NOT NULL ORDER BY o.n`, reports)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, all)
}

func (s *Store) tellAppellant(ctx context.Context, tx pgx.Tx, e event.Event) error {
	decided, err := event.Decode[event.AppealOutcome](e)
	if err != nil {
		return err
	}
	var resolution string // the present one; none if the report was reopened
	if err := tx.QueryRow(ctx, `SELECT coalesce(resolution, '') FROM core_moderation_reports WHERE id = $1`, e.ReportID).Scan(&resolution); err != nil {
		return fmt.Errorf("read the report of an appeal: %w", err)
	}
	return s.tellFound(ctx, tx, draft{about: e, kind: AppealKind, resolution: resolution},
		`SELECT a.appellant_id FROM core_moderation_appeals a WHERE a.id = $1 AND a.appellant_id IS NOT NULL`, decided.AppealID)
}

// TellActor writes a notice to the moderator who requested a failed action, in the transaction that records the
// failure. requestID is the id of the request's event.
func (s *Store) TellActor(ctx context.Context, tx pgx.Tx, userID, reportID, requestID string) error {
	failed := event.Event{ID: requestID, ReportID: reportID, OccurredAt: s.now().UTC()}
	return s.tellFound(ctx, tx, draft{about: failed, kind: ActionKind}, "SELECT id FROM core_users WHERE id = $1", userID)
}

// tellFound writes the notice for each account that the query selects.
func (s *Store) tellFound(ctx context.Context, tx pgx.Tx, d draft, accounts string, args ...any) error {
	users, err := postgres.Collect(ctx, tx, "find whom to notify", pgx.RowTo[uuid.UUID], accounts, args...)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, domain.Map(users, func(user uuid.UUID) draft {
		d.user = user
		return d
	}))
}
