package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/digest"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections"
)

// digestTask is the name of the queue's task that mails one digest.
const digestTask = "digest.mail"

type digestPayload struct {
	UserID string     `json:"userId"`
	Urgent bool       `json:"urgent"`
	At     *time.Time `json:"at,omitempty"` // when it was due; nil if a server of the previous release enqueued it
}

// handleDigests registers the queue's handler that mails digests.
func (s *Server) handleDigests() error {
	if s.delivery.mail == nil {
		return nil
	}
	return s.queue.Handle(permission.CorePlugin, digestTask, queue.Handler{Limit: mail.Timeout, Run: queue.Decoded(s.mailDigest)})
}

// mailDigest mails the reader's open work as of now. It skips a mail that was delayed until the next one was
// due.
func (s *Server) mailDigest(ctx context.Context, a queue.Attempt, p digestPayload) error {
	r, err := s.digests.Reader(ctx, p.UserID)
	if err != nil || r == nil || p.At != nil && r.SentAt != nil && r.SentAt.After(*p.At) {
		return err
	}
	waiting, _, err := s.waitsFor(ctx, *r)
	if err != nil || !waiting.Any() || p.Urgent && !waiting.Urgent() {
		return err
	}
	return s.delivery.mail.Send(ctx, digest.Letter(*r, a.TaskID, waiting, p.Urgent, s.base))
}

// sendDigests enqueues the mails that are due. One server at a time runs it; each mail is recorded in
// the transaction that enqueues it.
func (s *Server) sendDigests(ctx context.Context) error {
	now := time.Now().UTC().Truncate(time.Microsecond)
	readers, err := s.digests.Readers(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range readers {
		if !r.Urgent && !r.Due(now) {
			continue
		}
		waiting, since, err := s.waitsFor(ctx, r)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		urgent := r.Urgent && since != nil && (r.ToldDue == nil || since.After(*r.ToldDue))
		if !urgent && (!r.Due(now) || !waiting.Any()) {
			continue
		}
		sentAt, told := &now, r.ToldDue
		if since != nil {
			told = since
		}
		failed = append(failed, s.digests.Enqueue(ctx, r, sentAt, told, queue.Task{ID: uuid.NewString(), PluginID: permission.CorePlugin,
			Name: digestTask, Queue: queue.Outbound, Payload: digestPayload{r.UserID, urgent, sentAt}}))
	}
	return errors.Join(failed...)
}

// waitsFor returns the reader's open work within their present scopes, and the time of the latest urgent item:
// a missed deadline, or an escalation to them. since is nil if nothing is urgent.
func (s *Server) waitsFor(ctx context.Context, r digest.Reader) (w digest.Waiting, since *time.Time, err error) {
	entry, err := s.staff.EntryOf(ctx, permission.Moderator, r.UserID)
	if domain.ErrorCode(err) == domain.CodeNotFound {
		return w, nil, nil
	}
	if err != nil || !entry.HasAnywhere(permission.ViewReports) {
		return w, nil, err
	}
	reach, shown := entry.Coverage(permission.ViewReports), false
	all, err := s.reports.Counts(ctx, reach, projections.Filter{Muted: &shown}, r.UserID)
	if err != nil {
		return w, nil, err
	}
	late, err := s.reports.Counts(ctx, reach, projections.Filter{Muted: &shown, Overdue: true}, r.UserID)
	if err != nil {
		return w, nil, err
	}
	w = digest.Waiting{Unassigned: all.Unassigned, Mine: all.Mine, Overdue: late.New + late.InProgress}
	w.Escalated, since, err = s.reports.Escalated(ctx, reach, projections.WaitsFor{UserID: r.UserID, Leads: entry.Coverage(permission.Approve)})
	if err != nil || w.Overdue == 0 {
		return w, since, err
	}
	due, err := s.reports.LatestOverdue(ctx, reach)
	if due != nil && (since == nil || due.After(*since)) {
		since = due
	}
	return w, since, err
}
