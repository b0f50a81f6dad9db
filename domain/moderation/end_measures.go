package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// Batch sizes of EndMeasures: reports that are read at once, and that are changed in one transaction.
const (
	dueBatch = 500
	endBatch = 25
)

// EndMeasures ends the measures that are due, and those that the ladder proposed for strikes since removed, once each.
// It can be interrupted and run again at any time. It continues after a report whose platform fails, or whose row
// differs from the log.
func (s *Service) EndMeasures(ctx context.Context) error {
	now := s.now()
	ended := map[string]bool{} // reports
	var failed []string
	var faults []error
	for len(failed) <= dueBatch && ctx.Err() == nil {
		ids, err := s.reports.DueMeasures(ctx, now, failed, dueBatch)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		if len(ids) == 0 {
			break
		}
		again := domain.Filter(ids, func(id string) bool { return ended[id] })
		if len(again) > 0 {
			failed, faults = append(failed, again...), append(faults, fmt.Errorf("end measures: the rows of reports %v differ from the log", again))
			continue
		}
		for some := range slices.Chunk(ids, endBatch) {
			for _, id := range some {
				ended[id] = true
			}
			if s.endIn(ctx, some, nil) == nil {
				continue
			}
			for _, id := range some {
				if err := s.endIn(ctx, []string{id}, nil); err != nil {
					failed, faults = append(failed, id), append(faults, fmt.Errorf("end measures of report %s: %w", id, err))
				}
			}
		}
	}
	return errors.Join(append(faults, s.endWithoutStrikes(ctx))...)
}

// endWithoutStrikes ends the measures that the ladder proposed for strikes of which too few remain.
func (s *Service) endWithoutStrikes(ctx context.Context) error {
	standing, err := s.reports.LadderMeasures(ctx)
	if err != nil || len(standing) == 0 {
		return err
	}
	now := s.now()
	authors := domain.Map(standing, func(m StoredMeasure) measure.Author { return m.Author })
	decisions, err := s.reports.StrikeDecisions(ctx, authors, now, "", nil)
	if err != nil {
		return err
	}
	var faults []error
	for _, m := range standing {
		if measure.StrikesBehind(decisions[m.Author], m.ImposedAt, now) >= m.Threshold {
			continue
		}
		if err := s.endIn(ctx, []string{m.ReportID}, []string{m.ID}); err != nil {
			faults = append(faults, fmt.Errorf("end measures of report %s: %w", m.ReportID, err))
		}
	}
	return errors.Join(faults...)
}

// endIn ends the measures of the reports that are due or have these ids, in one transaction.
func (s *Service) endIn(ctx context.Context, reportIDs, measureIDs []string) error {
	_, err := s.appendAll(ctx, reportIDs, nil, func(l Loaded) ([]report.Fact, error) {
		return report.DecideMeasureEnds(l.State, measureIDs, l.Now), nil
	})
	return err
}

// AuthorizeMeasure is Authorize for the report of a measure, with the permission to end it.
func (s *Service) AuthorizeMeasure(ctx context.Context, c *permission.Caller, measureID string) (*Authorized, error) {
	m, err := s.reports.Measure(ctx, measureID)
	if err != nil {
		return nil, err
	}
	a, err := s.Authorize(ctx, c, m.ReportID, permission.ImposeMeasures)
	if err != nil {
		return nil, err
	}
	return a, authorizeMeasures(a, m.Kind)
}

// EndMeasure ends a measure for a reason.
func (s *Service) EndMeasure(ctx context.Context, a *Authorized, measureID, reason string, expectedVersion int) (StoredMeasure, error) {
	_, err := s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideMeasureEnd(st, measureID, reason, expectedVersion)
	})
	if err != nil {
		return StoredMeasure{}, err
	}
	return s.reports.Measure(ctx, measureID)
}
