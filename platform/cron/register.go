package cron

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Register updates core_cron: it inserts new jobs, updates schedules and descriptions, keeps the
// last runs, and deletes jobs that no server has had for a day. Servers that start at once wait for
// each other. Refresh must be called every few minutes.
func (c *Cron) Register(ctx context.Context) error {
	return postgres.Transact(ctx, c.pool, "register scheduled jobs", func(tx pgx.Tx) error { return c.register(ctx, tx) })
}

// keepUnregistered is how long a job that no server has is kept, since a server that has it may be
// about to start.
const keepUnregistered = 24 * time.Hour

// Refresh confirms that this server has its jobs. It registers them again if some are missing, for
// example after a server of an older release deleted other servers' jobs.
func (c *Cron) Refresh(ctx context.Context) error {
	there, err := postgres.CollectOne(ctx, c.pool, "refresh scheduled jobs", pgx.RowTo[int], `
WITH own AS (SELECT id FROM core_cron WHERE `+keyColumn+` = ANY ($1)),
	confirmed AS (UPDATE core_cron SET registered_at = now() WHERE id IN (SELECT id FROM own) AND registered_at < now() - interval '5 minutes')
SELECT count(*) FROM own`, slices.Collect(maps.Keys(c.jobs)))
	if err == nil && there < len(c.jobs) {
		return c.Register(ctx)
	}
	return err
}

// Registered reports whether a server has a job, or had it within a day.
func Registered(ctx context.Context, db postgres.Querier, pluginID, module, name string) (bool, error) {
	return postgres.CollectOne(ctx, db, "look for a job", pgx.RowTo[bool],
		"SELECT EXISTS (SELECT FROM core_cron WHERE "+keyColumn+" = $1)", Job{PluginID: pluginID, Module: module, Name: name}.Key())
}

func (c *Cron) register(ctx context.Context, tx pgx.Tx) error {
	// The lock also prevents a tick from recording a run meanwhile.
	if _, err := tx.Exec(ctx, "LOCK TABLE core_cron IN SHARE ROW EXCLUSIVE MODE"); err != nil {
		return err
	}
	now, stored, err := loadJobs(ctx, tx)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for key, row := range stored {
		if _, known := c.jobs[key]; !known && now.Sub(row.RegisteredAt) > keepUnregistered {
			batch.Queue("DELETE FROM core_cron WHERE id = $1", row.ID)
		}
	}
	for key, j := range c.jobs {
		row, known := stored[key]
		if !known {
			insert(batch, j, now)
			continue
		}
		batch.Queue("UPDATE core_cron SET description = $2, schedule = $3, next_run = $4, registered_at = now() WHERE id = $1",
			row.ID, j.Description, j.Schedule, j.nextRun(row.LastRun, row.CreatedAt))
	}
	return tx.SendBatch(ctx, batch).Close()
}

func insert(batch *pgx.Batch, j job, now time.Time) {
	batch.Queue(`INSERT INTO core_cron (id, plugin_id, module, name, description, schedule, next_run, created_at, registered_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
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

// keyColumn is the SQL for a row's Job.Key.
const keyColumn = `plugin_id || ':' || module || ':' || name`

// stored is a row of the table: a job of this or another server.
type stored struct {
	ID, Key                 string
	LastRun, NextRun        *time.Time
	CreatedAt, RegisteredAt time.Time
}

// loadJobs returns the database's time and all jobs in the table by key.
func loadJobs(ctx context.Context, db postgres.Querier) (now time.Time, byKey map[string]stored, err error) {
	if now, err = postgres.CollectOne(ctx, db, "read the time", pgx.RowTo[time.Time], "SELECT now()"); err != nil {
		return time.Time{}, nil, err
	}
	list, err := postgres.Collect(ctx, db, "load jobs", pgx.RowToStructByPos[stored],
		`SELECT id::text, `+keyColumn+`, last_run, next_run, created_at, registered_at FROM core_cron`)
	if err != nil {
		return time.Time{}, nil, err
	}
	byKey = make(map[string]stored, len(list))
	for _, s := range list {
		byKey[s.Key] = s
	}
	return now, byKey, nil
}
