package cron

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Register brings core_cron up to date: it inserts new jobs, updates schedules and
// descriptions, keeps the last runs, and deletes jobs that are no longer registered.
// Servers that start at once wait for each other.
func (c *Cron) Register(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error { return c.register(ctx, tx) })
	if err != nil {
		return fmt.Errorf("register scheduled jobs: %w", err)
	}
	return nil
}

func (c *Cron) register(ctx context.Context, tx pgx.Tx) error {
	// The lock also prevents a tick from recording a run meanwhile.
	if _, err := tx.Exec(ctx, "LOCK TABLE core_cron IN SHARE ROW EXCLUSIVE MODE"); err != nil {
		return err
	}
	stored, err := loadJobs(ctx, tx)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for key, row := range stored {
		if _, known := c.jobs[key]; !known {
			batch.Queue("DELETE FROM core_cron WHERE id = $1", row.ID)
		}
	}
	for key, j := range c.jobs {
		row, known := stored[key]
		if !known {
			c.insert(batch, j)
			continue
		}
		batch.Queue("UPDATE core_cron SET description = $2, schedule = $3, next_run = $4 WHERE id = $1",
			row.ID, j.Description, j.Schedule, j.nextRun(row.LastRun, row.CreatedAt))
	}
	return tx.SendBatch(ctx, batch).Close()
}

func (c *Cron) insert(batch *pgx.Batch, j job) {
	now := c.now()
	batch.Queue(`INSERT INTO core_cron (id, plugin_id, module, name, description, schedule, next_run, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		uuid.Must(uuid.NewV7()), j.PluginID, j.Module, j.Name, j.Description, j.Schedule, j.nextRun(nil, now), now)
}

// nextRun returns the time from which the job is due, or nil if its schedule never
// matches. A job that has never run counts from its registration.
func (j job) nextRun(lastRun *time.Time, createdAt time.Time) *time.Time {
	if lastRun == nil {
		if !j.schedule.Due(nil, createdAt) {
			return nil
		}
		return &createdAt
	}
	next, ok := j.schedule.Next(*lastRun)
	if !ok {
		return nil
	}
	return &next
}

// loadJobs returns all jobs in the table by key. They are few.
func loadJobs(ctx context.Context, db postgres.Querier) (map[string]Summary, error) {
	list, err := postgres.Collect(ctx, db, "load jobs", pgx.RowToStructByPos[Summary], "SELECT "+summaryColumns+" FROM core_cron")
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]Summary, len(list))
	for _, s := range list {
		byKey[s.Key()] = s
	}
	return byKey, nil
}
