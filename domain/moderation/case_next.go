package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// The bounds of taking a case.
const (
	// claimBatch is how many reports are claimed in one transaction.
	claimBatch = 200
	// maxClaims is how many reports of one case are claimed. The others stay unclaimed, but
	// nobody else gets the case while one of its reports is assigned.
	maxClaims = 1000
	// nextAttempts bounds how many cases are tried while others take them concurrently.
	nextAttempts = 100
)

// ReserveCase reserves the case that its caller should take next; nil if there is none.
type ReserveCase func(ctx context.Context) (*CaseTarget, error)

// Next claims the open reports of the next case for the caller, at most maxClaims, and returns the first that it
// claimed, or nil if there is no case. Concurrent calls get different cases.
func (s *Service) Next(ctx context.Context, c *permission.Caller, reserve ReserveCase) (*Report, error) {
	for range nextAttempts {
		t, err := reserve(ctx)
		if err != nil || t == nil {
			return nil, err
		}
		first, err := s.takeCase(ctx, c, *t)
		if released := s.releaseCase(ctx, *t); err == nil {
			err = released
		}
		if err != nil {
			return nil, err
		}
		if first != nil {
			return s.View(ctx, first)
		}
	}
	return nil, nil
}

// releaseCase ends a reservation, also if the request has ended.
func (s *Service) releaseCase(ctx context.Context, t CaseTarget) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return s.reports.ReleaseCase(ctx, t)
}

// takeCase claims the open reports of a case and returns the first that is claimed. It returns nil if the case can no
// longer be taken: no report is open, the caller may not manage it in its present scope, or one of the first claimBatch
// reports is claimed by somebody else or escalated to somebody else. A later batch with such a report stays unclaimed.
func (s *Service) takeCase(ctx context.Context, c *permission.Caller, t CaseTarget) (*Authorized, error) {
	ids, err := s.reports.OpenReports(ctx, t, maxClaims)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	first, err := s.Authorize(ctx, c, ids[0], permission.ManageReports)
	if errors.Is(err, domain.NotFound()) || errors.Is(err, &domain.Error{Code: domain.CodeForbidden}) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	claimed := ""
	for batch := range slices.Chunk(ids, claimBatch) {
		after, err := s.appendAll(ctx, batch, &c.UserID, func(l Loaded) ([]report.Fact, error) {
			if l.State.Status == report.Done { // it was decided meanwhile
				return nil, nil
			}
			if e := l.State.Escalation; e != nil && !waitsFor(c, first.Report, e) {
				return nil, domain.Errorf(domain.CodeAlreadyClaimed, "This report waits for somebody else.")
			}
			return report.DecideClaim(l.State, c.UserID, l.State.Version)
		})
		byOthers := domain.ErrorCode(err) == domain.CodeAlreadyClaimed
		switch {
		case byOthers && batch[0] == ids[0]:
			return nil, nil
		case err != nil && !byOthers:
			return nil, err
		}
		for _, id := range batch {
			if claimed == "" && slices.ContainsFunc(after, func(s report.State) bool { return s.ID == id && s.HeldBy(c.UserID) }) {
				claimed = id
			}
		}
	}
	if claimed == "" {
		return nil, nil
	}
	first.Report.ID = claimed
	return first, nil
}
