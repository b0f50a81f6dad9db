package history

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
)

// Size is the size of a history for Forum.
type Size struct {
	Reports int // at least 1
	Cases   int // targets with reports; 0 means one for every twenty reports
}

const (
	forumModerators = 20
	forumCategories = 40
	// reportsOfEach is how many reports a reporter files if there are enough targets.
	reportsOfEach = 5
)

// Forum generates the history of a forum until now, with all projections: reports of posts in 40
// categories, by generated accounts. It returns the number of events.
func Forum(ctx context.Context, pool *pgxpool.Pool, size Size, signer eventstore.Signer, progress func(what string, done, total int64)) (events int64, err error) {
	if size.Reports < 1 || size.Cases < 0 || size.Cases > size.Reports {
		return 0, fmt.Errorf("cannot spread %d reports over %d cases: there must be at least one report, and at most one case for each", size.Reports, size.Cases)
	}
	if size.Cases == 0 {
		size.Cases = (size.Reports + 19) / 20
	}
	h := History{Reports: size.Reports, Signer: signer, Every: time.Minute}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	h.Progress = func(done, total int64) { progress("events", done, total) }
	h.Start = time.Now().Add(-time.Duration(size.Reports+maxEvents*eventGap) * h.Every).Truncate(time.Second)
	// Consecutive reports are about consecutive targets; those of one target are by
	// consecutive reporters.
	reporters := max(size.Reports/size.Cases+1, size.Reports/reportsOfEach)
	if h.Reporters, err = Accounts(ctx, pool, "Reporter", reporters, h.Start); err != nil {
		return 0, err
	}
	if h.Moderators, err = Accounts(ctx, pool, "Moderator", forumModerators, h.Start); err != nil {
		return 0, err
	}
	h.Reporter = func(i int) int { return (i/size.Cases + i%size.Cases) % reporters }
	prefix := uuid.NewString()[:8] // keeps its targets apart from those of earlier histories
	h.Target = func(i int) report.Target {
		n := i % size.Cases
		return report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprintf("%s-%d", prefix, n), PermissionModule: "posts",
			Scope: &scope.Resource{Family: "forum.category", ID: fmt.Sprintf("category-%d", n%forumCategories)}}
	}
	if events, err = Log(ctx, pool, h); err != nil {
		return 0, err
	}
	return events, Project(ctx, pool, progress)
}
