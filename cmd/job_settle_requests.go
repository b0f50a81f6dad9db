package cmd

import (
	"context"
	"encoding/json"

	"github.com/docketmod/docket/domain/target"
)

// awaitedBatch is how many reports with requested actions are read at once.
const awaitedBatch = 500

// settleRequests gives an outcome to each requested action whose task has ended without one, because
// the server died in the last attempt or could not store the outcome. The platform is asked
// once more, with the same message id, because it may have done the action.
func (s *Server) settleRequests(ctx context.Context) error {
	for after := ""; ; {
		awaited, err := s.reports.Awaiting(ctx, after, awaitedBatch)
		if err != nil || len(awaited) == 0 {
			return err
		}
		after = awaited[len(awaited)-1].ReportID
		// Read after the requests, since a request is older than its task's end.
		payloads, err := s.queue.Unfinished(ctx, target.RemoteTask)
		if err != nil {
			return err
		}
		unfinished := map[target.RemotePayload]bool{}
		for _, payload := range payloads {
			var p target.RemotePayload
			if json.Unmarshal(payload, &p) == nil {
				unfinished[p] = true
			}
		}
		for _, p := range awaited {
			if unfinished[p] {
				continue
			}
			if err := s.moderation.DoRequested(ctx, requests{s}, p, true, s.tellActor); err != nil {
				s.log.Warn().Err(err).Str("report_id", p.ReportID).Int("sequence", p.Sequence).Msg("a requested action was settled without an answer")
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
}
