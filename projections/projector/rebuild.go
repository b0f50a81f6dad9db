package projector

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// rebuildPoll is how often a rebuild checks whether another server is done.
const rebuildPoll = 200 * time.Millisecond

// Rebuild makes a new build of a projection beside its live one, which readers use until the
// new one has caught up. If Rebuild is stopped, the servers' projectors finish the build, and
// another Rebuild continues it. progress, if not nil, is called with positions.
func (p *Projector) Rebuild(ctx context.Context, projection Projection, progress func(done, total int64)) error {
	return p.RebuildTogether(ctx, []Projection{projection}, progress)
}

// RebuildTogether is Rebuild for several projections. It reads the log once for all of them;
// progress is that of the slowest.
func (p *Projector) RebuildTogether(ctx context.Context, all []Projection, progress func(done, total int64)) error {
	for _, projection := range all {
		if err := StartBuild(ctx, p.pool, projection, false); err != nil {
			return err
		}
	}
	some := &Projector{pool: p.pool, log: p.log, projections: all, behind: p.behind, paused: p.paused}
	reported := make(chan struct{})
	reporting, stop := context.WithCancel(ctx)
	go func() {
		defer close(reported)
		reportProgress(reporting, p.pool, all, progress)
	}()
	defer func() {
		stop()
		<-reported
	}()
	for {
		if err := some.CatchUp(ctx); err != nil {
			return err
		}
		builds, err := building(ctx, p.pool, all)
		if err != nil {
			return err
		}
		if len(builds) == 0 {
			stop()
			<-reported
			return reportEnd(ctx, p.pool, progress)
		}
		for _, b := range builds {
			if b.PausedAt != nil {
				return fmt.Errorf("build %d of %s is paused: %s", b.Build, b.Name, *b.PausedWhy)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rebuildPoll): // another server works on it
		}
	}
}

// building returns the newest builds of the projections that are being built.
func building(ctx context.Context, pool *pgxpool.Pool, all []Projection) (found []Build, err error) {
	builds, err := Builds(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		for _, b := range builds {
			if b.Name == p.Name && b.Version == p.Version && b.State == "building" {
				found = append(found, b)
				break
			}
		}
	}
	return found, nil
}

// reportEnd reports that the whole log is projected.
func reportEnd(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	if progress == nil {
		return nil
	}
	end, err := eventstore.LastPosition(ctx, pool)
	if err != nil {
		return err
	}
	progress(end, end)
	return nil
}

// reportProgress reports how far the builds are until ctx ends.
func reportProgress(ctx context.Context, pool *pgxpool.Pool, all []Projection, progress func(done, total int64)) {
	if progress == nil {
		return
	}
	tick := time.NewTicker(rebuildPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		builds, err := building(ctx, pool, all)
		if err != nil || len(builds) == 0 {
			continue // the rebuild itself fails and says why
		}
		end, err := eventstore.LastPosition(ctx, pool)
		if err != nil {
			continue
		}
		last := builds[0].Position
		for _, b := range builds {
			last = min(last, b.Position)
		}
		progress(last, end)
	}
}
