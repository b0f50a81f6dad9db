package cmd

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/fleet"
)

// awaitedBatch is how many reports with requested actions are read in one query.
const awaitedBatch = 500

// settleRequests gives an outcome to each requested action whose task has ended without one, because the
// server died in the last attempt or could not store the outcome. The request is sent once more, with the
// same message id, because it may have done the action. Requests of plugins that this server does not have
// are left to other servers.
func (s *Server) settleRequests(ctx context.Context) error {
	handled, err := fleet.Handled(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	var elsewhere []string
	for _, task := range handled {
		if plugin, is := strings.CutSuffix(task, ":"+target.RemoteTask); is && !slices.Contains(s.queue.Handled(), task) {
			elsewhere = append(elsewhere, plugin)
		}
	}
	for after := ""; ; {
		awaited, err := s.reports.Awaiting(ctx, after, awaitedBatch, elsewhere...)
		if err != nil || len(awaited) == 0 {
			return err
		}
		after = awaited[len(awaited)-1].ReportID
		// Read after the requests, since a request is older than the end of its task.
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
