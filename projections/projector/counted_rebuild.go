package projector

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
)

// rebuildPoll is the interval at which a rebuild polls whether another server is done.
const rebuildPoll = 200 * time.Millisecond

// Rebuild makes a new build beside the live one, which readers use until the new one has caught up.
// If Rebuild is stopped, servers complete the build, and another Rebuild continues it.
func (c Counted) Rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Result, error) {
	return Result{}, rebuildCounted(ctx, pool, []Counted{c}, o)
}

// rebuildCounted rebuilds several projections. Its progress is that of the slowest.
func rebuildCounted(ctx context.Context, pool *pgxpool.Pool, all []Counted, o Options) error {
	for _, projection := range all {
		if err := StartBuild(ctx, pool, projection, false); err != nil {
			return err
		}
	}
	counting := &counting{pool: pool, log: zerolog.Nop(), gauges: newGauges(nil), projections: all}
	for {
		more, err := counting.pass(ctx)
		if err != nil {
			return err
		}
		end, err := eventstore.LastPosition(ctx, pool)
		if err != nil {
			return err
		}
		builds, err := building(ctx, pool, all)
		if err != nil {
			return err
		}
		done := end
		for _, b := range builds {
			if b.PausedAt != nil {
				return fmt.Errorf("build %d of %s is paused: %s", b.Build, b.Name, *b.PausedWhy)
			}
			done = min(done, b.Position)
		}
		o.progress(done, end)
		switch {
		case len(builds) == 0:
			return nil
		case more:
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rebuildPoll): // another server works on it
		}
	}
}

// building returns the newest builds of the projections that are being built.
func building(ctx context.Context, pool *pgxpool.Pool, all []Counted) (found []Build, err error) {
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
