package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// rebuildPoll is how often a rebuild looks whether another server is done.
const rebuildPoll = 200 * time.Millisecond

// RebuildCounted builds a projection anew beside its live build, which readers
// use until the new one has caught up. Servers help; a rebuild that was stopped
// is finished by them, or goes on where it was. progress, if any, hears of
// positions.
func (p *Projector) RebuildCounted(ctx context.Context, projection Projection, progress func(done, total int64)) error {
	return p.RebuildTogether(ctx, []Projection{projection}, progress)
}

// RebuildTogether is RebuildCounted for several projections, for which the log is
// read once; progress hears of the one that is last.
func (p *Projector) RebuildTogether(ctx context.Context, all []Projection, progress func(done, total int64)) error {
	for _, projection := range all {
		if err := StartBuild(ctx, p.pool, projection, false); err != nil {
			return err
		}
	}
	some := &Projector{pool: p.pool, log: p.log, projections: all, behind: p.behind, paused: p.paused}
	told := make(chan struct{})
	telling, stop := context.WithCancel(ctx)
	go func() {
		defer close(told)
		tell(telling, p.pool, all, progress)
	}()
	defer func() {
		stop()
		<-told
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
			<-told
			return tellEnd(ctx, p.pool, progress)
		}
		for _, b := range builds {
			if b.PausedAt != nil {
				return fmt.Errorf("build %d of %s is paused: %s", b.Build, b.Name, *b.PausedWhy)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rebuildPoll): // another server is at it
		}
	}
}

// building are the newest builds of the projections that are being built.
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

// tellEnd reports that all of the log is built.
func tellEnd(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
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

// tell reports how far the builds are until ctx ends.
func tell(ctx context.Context, pool *pgxpool.Pool, all []Projection, progress func(done, total int64)) {
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
			continue // the work itself fails and says why
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
