package projector

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Loader counts events that are appended in bulk, without reading them back from the log.
// The builds of its projections must be at the end of the log when it begins.
type Loader struct {
	projections []Projection
	builds      [][]Build
	sums        []rowSums
}

// NewLoader begins a build of each projection that has none and projects the log to its end.
func NewLoader(ctx context.Context, pool *pgxpool.Pool, p *Projector) (*Loader, error) {
	l := &Loader{projections: p.projections, sums: make([]rowSums, len(p.projections)), builds: make([][]Build, len(p.projections))}
	for i, projection := range p.projections {
		l.sums[i].rows = map[string]*Addition{}
		if err := StartBuild(ctx, pool, projection, true); err != nil {
			return nil, err
		}
	}
	if err := p.CatchUp(ctx); err != nil {
		return nil, err
	}
	all, err := Builds(ctx, pool)
	if err != nil {
		return nil, err
	}
	for i, projection := range p.projections {
		for _, b := range all {
			if b.Name == projection.Name && b.Version == projection.Version {
				l.builds[i] = append(l.builds[i], b)
			}
		}
	}
	return l, nil
}

// Add counts the next step of the log.
func (l *Loader) Add(s Step) {
	for i, p := range l.projections {
		l.sums[i].add(p.Count(s))
	}
}

// Store adds what was counted to the builds, in the transaction that appends the events
// between two positions. It fails if a build is not at the first of them.
func (l *Loader) Store(ctx context.Context, tx pgx.Tx, from, to int64) error {
	for i, p := range l.projections {
		for _, b := range l.builds[i] {
			if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('docket:projection:' || $1, $2))`, b.Name, b.Build); err != nil {
				return fmt.Errorf("load %s: %w", b.Name, err)
			}
			moved, err := tx.Exec(ctx, `UPDATE core_projections SET position = $4 WHERE name = $1 AND build = $2 AND position = $3 AND paused_at IS NULL`,
				b.Name, b.Build, from, to)
			if err != nil {
				return fmt.Errorf("load %s: %w", b.Name, err)
			}
			if moved.RowsAffected() == 0 {
				return fmt.Errorf("load %s: build %d is not at position %d", b.Name, b.Build, from)
			}
			if err := p.store(ctx, tx, b.table(), l.sums[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
