package fill

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// Log appends a history to the log and projects nothing of it. It returns the number of
// events. Servers may be running.
func Log(ctx context.Context, pool *pgxpool.Pool, h History) (events int64, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		last, err := eventstore.LockLog(ctx, tx)
		if err != nil {
			return err
		}
		return generate(ctx, h, nil, func(p part) error {
			err := eventstore.Copy(ctx, tx, last+events, p.records)
			events += int64(len(p.records))
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("fill the log: %w", err)
	}
	return events, nil
}

// All appends a history to the log and projects all of it. It returns the number of
// events. Commands and lists of reports wait until it is done. progress is called with the
// name of a step and how much of the step is done, one call at a time.
func All(ctx context.Context, pool *pgxpool.Pool, h History, progress func(what string, done, total int64)) (events int64, err error) {
	if err := eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {}).SealAll(ctx); err != nil {
		return 0, err
	}
	loader, err := projector.NewLoader(ctx, pool, projector.New(pool, zerolog.Nop(), prometheus.NewRegistry(), statistics.Projections...))
	if err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		last, err := eventstore.LockLog(ctx, tx)
		if err != nil {
			return err
		}
		// Reports first, as commands lock them.
		tables := append(slices.Clone(projections.LoadTables), "core_moderation_log", "core_moderation_report_events")
		return postgres.Load(ctx, tx, tables, func() error {
			err := generate(ctx, h, loader.Add, func(p part) error {
				if err := eventstore.Copy(ctx, tx, last+events, p.records); err != nil {
					return err
				}
				events += int64(len(p.records))
				if err := projections.LoadTargets(ctx, tx, p.targets); err != nil {
					return err
				}
				return projections.Load(ctx, tx, p.finished)
			})
			if err != nil {
				return err
			}
			progress("indexes", 0, 1)
			return loader.Store(ctx, tx, last, last+events)
		})
	})
	if err != nil {
		return 0, fmt.Errorf("fill: %w", err)
	}
	progress("indexes", 1, 1)
	return events, finish(ctx, pool, progress)
}

// finish does what needs the reports committed, on two connections.
func finish(ctx context.Context, pool *pgxpool.Pool, progress func(what string, done, total int64)) error {
	var mu sync.Mutex
	step := func(what string) func(done, total int64) {
		return func(done, total int64) {
			mu.Lock()
			defer mu.Unlock()
			progress(what, done, total)
		}
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		if err := vacuum(ctx, pool, "core_moderation_report_events, core_moderation_log"); err != nil {
			return err
		}
		return counts.Rebuild(ctx, pool, step("counts"))
	})
	both.Go(func() error {
		if err := vacuum(ctx, pool, "core_moderation_reports, core_moderation_targets, core_moderation_report_notes, core_moderation_report_authors"); err != nil {
			return err
		}
		return cases.Rebuild(ctx, pool, step("cases"))
	})
	return both.Wait()
}

// vacuum does what autovacuum would do within some minutes, on a connection of its own that
// has no time limit.
func vacuum(ctx context.Context, pool *pgxpool.Pool, tables string) error {
	conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, sql := range []string{`SET statement_timeout = 0`, `VACUUM ANALYZE ` + tables} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("fill: %w", err)
		}
	}
	return nil
}

// generate calls store with the parts of the history in order. It generates the next part
// while one is being stored. count, if not nil, is called with each event, from another goroutine.
func generate(ctx context.Context, h History, count func(projector.Step), store func(part) error) error {
	type generated struct {
		part
		err error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	parts := make(chan generated, 1)
	go func() {
		defer close(parts)
		generator := newGenerator(h, count)
		for n := range h.parts() {
			p, err := generator.part(n)
			select {
			case parts <- generated{p, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	var done int64
	total := h.events()
	for p := range parts {
		if p.err != nil {
			return p.err
		}
		if err := store(p.part); err != nil {
			return err
		}
		done += int64(len(p.records))
		if h.Progress != nil {
			h.Progress(done, total)
		}
	}
	return ctx.Err()
}
