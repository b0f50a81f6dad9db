package cron_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/cron"
)

// TestMain also is the server that TestAKilledServersJobsAreFree kills.
func TestMain(m *testing.M) {
	if url := os.Getenv(serverURL); url != "" {
		fmt.Fprintln(os.Stderr, hang(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

var start = time.Date(2026, 10, 11, 19, 33, 21, 123456000, time.UTC)

// bundle is a database and its clock, for any number of servers.
type bundle struct {
	t     *testing.T
	pool  *pgxpool.Pool
	clock *pgtest.Clock
}

func newBundle(t *testing.T) *bundle {
	b := &bundle{t: t, pool: pgtest.New(t)}
	b.clock = pgtest.SetClock(t, b.pool, start)
	return b
}

// server is a server with these jobs, registered.
func (b *bundle) server(jobs ...cron.Job) *cron.Cron {
	c, err := cron.New(b.pool, cron.Config{}, jobs...)
	require.NoError(b.t, err)
	b.t.Cleanup(c.Close)
	require.NoError(b.t, c.Register(b.t.Context()))
	return c
}

func (b *bundle) tick(c *cron.Cron) int {
	executed, err := c.Tick(b.t.Context())
	require.NoError(b.t, err)
	return executed
}

func (b *bundle) stored() map[string]cron.Summary {
	c, err := cron.New(b.pool, cron.Config{})
	require.NoError(b.t, err)
	page, err := c.List(b.t.Context(), cron.Paging.First(100))
	require.NoError(b.t, err)
	byName := make(map[string]cron.Summary)
	for _, s := range page.Edges {
		byName[s.Name] = s
	}
	return byName
}

func (b *bundle) lastRun(name string) string {
	if at := b.stored()[name].LastRun; at != nil {
		return time.Time(*at).UTC().Format(time.RFC3339Nano)
	}
	return "never"
}

func (b *bundle) health(c *cron.Cron) cron.Health {
	h, err := c.Health(b.t.Context())
	require.NoError(b.t, err)
	return h
}

func job(name, schedule string, run func(context.Context) error) cron.Job {
	return cron.Job{PluginID: "test", Module: "jobs", Name: name, Description: name, Schedule: schedule, Run: run}
}

func nothing(context.Context) error { return nil }

// counter counts runs, safely.
type counter struct{ runs atomic.Int32 }

func (c *counter) run(context.Context) error {
	c.runs.Add(1)
	return nil
}

func (c *counter) count() int { return int(c.runs.Load()) }
