package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// rebuildPoll is how often a rebuild looks whether another server is done.
const rebuildPoll = 200 * time.Millisecond

// RebuildCounted builds a projection anew beside its live build, which readers
// use until the new one has caught up. Servers help; a rebuild that was stopped
// is finished by them, or goes on where it was. progress, if any, hears of
// positions.
func (p *Projector) RebuildCounted(ctx context.Context, projection Projection, progress func(done, total int64)) error {
	if err := StartBuild(ctx, p.pool, projection, false); err != nil {
		return err
	}
	one := &Projector{pool: p.pool, log: p.log, projections: []Projection{projection}, behind: p.behind, paused: p.paused}
	told := make(chan struct{})
	telling, stop := context.WithCancel(ctx)
	go func() {
		defer close(told)
		tell(telling, p.pool, projection, progress)
	}()
	defer func() {
		stop()
		<-told
	}()
	for {
		if err := one.CatchUp(ctx); err != nil {
			return err
		}
		b, err := building(ctx, p.pool, projection)
		if err != nil || b == nil {
			return err
		}
		if b.PausedAt != nil {
			return fmt.Errorf("build %d of %s is paused: %s", b.Build, b.Name, *b.PausedWhy)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rebuildPoll): // another server is at it
		}
	}
}

// building is the newest build of the projection that is being built.
func building(ctx context.Context, pool *pgxpool.Pool, p Projection) (*Build, error) {
	builds, err := Builds(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, b := range builds {
		if b.Name == p.Name && b.Version == p.Version && b.State == "building" {
			return &b, nil
		}
	}
	return nil, nil
}

// tell reports how far a build is until ctx ends.
func tell(ctx context.Context, pool *pgxpool.Pool, p Projection, progress func(done, total int64)) {
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
		status, err := Status(ctx, pool, time.Now())
		if err != nil {
			continue // the work itself fails and says why
		}
		for _, s := range status {
			if s.Name == p.Name && s.State == "building" {
				progress(s.Position, s.Position+s.Behind)
			}
		}
	}
}
