package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/forum"
)

// importComments loads real comments as posts and, if reportSpam is set, reports those that are
// spam through the HTTP API of this server.
func (s *Server) importComments(ctx context.Context, a *app, base, dir string, reportSpam bool) error {
	imported := a.progress("importing files")
	summary, err := forum.Import(ctx, s.db.Pool, s.accounts, dir, time.Now(), func(done, total int) {
		imported.set(int64(done), int64(total))
	})
	imported.done()
	if err != nil {
		return err
	}
	s.log.Info().Msg("imported: " + summary.String())
	for _, fault := range summary.Faulty {
		s.log.Warn().Msg(fault)
	}
	if !reportSpam {
		return nil
	}
	return s.reportSpam(ctx, a, base, summary.Comments)
}

// filers is how many reports are filed in parallel.
const filers = 8

// reportSpam files one report for each comment that the data set labels spam. The commenters take
// turns as reporters, so that none reaches the limit of 20 an hour.
func (s *Server) reportSpam(ctx context.Context, a *app, base string, comments []forum.Imported) error {
	var reporters []string
	for _, c := range comments {
		reporters = append(reporters, c.AuthorID)
	}
	slices.Sort(reporters)
	reporters = slices.Compact(reporters)
	spam := slices.DeleteFunc(slices.Clone(comments), func(c forum.Imported) bool { return !c.Spam })
	if len(reporters) < 2 {
		return nil
	}
	progress := a.progress("filing reports")
	defer progress.done()
	var done atomic.Int64
	outcomes := make([]int, len(spam)) // statuses
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filers)
	for i, c := range spam {
		reporter := reporters[i%len(reporters)]
		if reporter == c.AuthorID {
			reporter = reporters[(i+1)%len(reporters)]
		}
		group.Go(func() (err error) {
			outcomes[i], err = s.fileAs(ctx, base, reporter, c.PostID)
			progress.set(done.Add(1), int64(len(spam)))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	filed, open := 0, 0
	for _, status := range outcomes {
		switch status {
		case nethttp.StatusCreated:
			filed++
		case nethttp.StatusConflict:
			open++
		}
	}
	s.log.Info().Int("spam", len(spam)).Int("filed", filed).Int("reported before", open).
		Int("refused", len(spam)-filed-open).Msg("reported the spam")
	return nil
}

// fileAs files one report over HTTP, in a session of the reporter.
func (s *Server) fileAs(ctx context.Context, base, userID, postID string) (status int, err error) {
	session, err := s.accounts.StartSession(ctx, userID)
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.accounts.SignOut(ctx, session.ID) }()
	body, err := json.Marshal(map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": postID, "reason": "spam"})
	if err != nil {
		return 0, err
	}
	r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodPost, base+http.Base+"/moderation/reports", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&nethttp.Cookie{Name: http.SessionCookie, Value: session.ID})
	answer, err := nethttp.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("file a report: %w", err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
