package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/forum"
)

// importComments loads real comments as posts and, when asked, reports those
// that are spam through the HTTP API of this server.
func (s *service) importComments(ctx context.Context, a *app, base, dir string, reportSpam bool) error {
	bar := newBar(a.stderr, "importing files")
	summary, err := forum.Import(ctx, s.db.Pool, s.accounts, dir, time.Now(), func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done)
	})
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

// filers is how many reports are filed at once.
const filers = 8

// reportSpam files one report for each comment of class 1, by another of the
// commenters in turn, so that nobody comes near the 20 an hour.
func (s *service) reportSpam(ctx context.Context, a *app, base string, comments []forum.Imported) error {
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
	bar := newBar(a.stderr, "filing reports")
	bar.ChangeMax(len(spam))
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
			_ = bar.Add(1)
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

// fileAs files one report over HTTP with a session of the reporter's.
func (s *service) fileAs(ctx context.Context, base, userID, postID string) (status int, err error) {
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
	r.AddCookie(&nethttp.Cookie{Name: "docket_session", Value: session.ID})
	answer, err := nethttp.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("file a report: %w", err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

func newBar(w io.Writer, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionOnCompletion(func() { fmt.Fprintln(w) }))
}
