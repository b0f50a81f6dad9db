// Package local runs a private PostgreSQL cluster for a Docket without DATABASE_URL.
// The cluster answers on a Unix socket that only its owner can reach, never on TCP, and
// is as durable as any other PostgreSQL.
//
// All processes on one data directory share its cluster. The first one starts it, the last one to leave stops it, and
// each of them restarts it if it dies. Processes may end in any order. Other modules must not import it.
package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/postgres/internal/server"
)

// database is the cluster's database that holds Docket's tables.
const database = "docket"

const (
	// startTimeout bounds Start, the recovery of a crashed cluster included.
	startTimeout = 2 * time.Minute
	// stopTimeout bounds the wait for the lock and then that for the server, so that a process ends
	// within 10 s.
	stopTimeout = 4 * time.Second
	// watchEvery is how often a process checks that the cluster runs.
	watchEvery = time.Second
)

// Cluster is a running cluster that this process uses. It is safe for concurrent use.
type Cluster struct {
	server *server.Server
	url    string
	log    zerolog.Logger

	// start is held while the cluster is started or stopped. users is held, shared, by
	// every process that uses it.
	start, users *server.FileLock

	cancelWatch context.CancelFunc
	watched     sync.WaitGroup
	stop        func() error
}

// Start joins the cluster of dataDir, which it creates and starts if necessary, and returns once it
// answers. Processes may call it concurrently. The caller must call Stop.
func Start(ctx context.Context, dataDir string, log zerolog.Logger) (_ *Cluster, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	dataDir, err = filepath.Abs(dataDir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	account, err := server.ServerAccount()
	if err != nil {
		return nil, err
	}
	if err := prepareDataDir(dataDir, account); err != nil {
		return nil, err
	}
	start, err := server.OpenLock(filepath.Join(dataDir, "start.lock"))
	if err != nil {
		return nil, err
	}
	users, err := server.OpenLock(filepath.Join(dataDir, "users.lock"))
	if err != nil {
		return nil, errors.Join(err, start.Close())
	}
	c := &Cluster{log: log, start: start, users: users}
	defer func() {
		if err != nil {
			err = errors.Join(err, users.Close(), start.Close())
		}
	}()
	if err := start.Exclusive(ctx); err != nil {
		return nil, err
	}
	if err := c.join(ctx, dataDir, account); err != nil {
		return nil, errors.Join(err, start.Unlock())
	}
	if err := start.Unlock(); err != nil {
		return nil, err
	}
	c.url = c.server.URL(database)
	watchCtx, cancelWatch := context.WithCancel(context.WithoutCancel(ctx))
	c.cancelWatch = cancelWatch
	c.watched.Go(func() { c.watch(watchCtx) })
	c.stop = sync.OnceValue(c.leave)
	return c, nil
}

// URL returns the connection string of Docket's database in the cluster.
func (c *Cluster) URL() string { return c.url }

// Stop leaves the cluster and stops it unless another process uses it. It takes at most
// a few seconds and may be called again.
func (c *Cluster) Stop() error { return c.stop() }

// join makes this process a user of a running cluster. It must be called under the start lock.
func (c *Cluster) join(ctx context.Context, dataDir string, account server.Account) error {
	alone, err := c.users.TryExclusive()
	if err != nil {
		return err
	}
	c.server, err = describe(ctx, dataDir, account)
	if err != nil {
		return err
	}
	// A running cluster without users was left by a killed process. It may still execute that
	// process's statements, so restart it.
	if pid := c.server.PID(); pid != 0 && alone {
		c.log.Info().Int("pid", pid).Msg("stopping the PostgreSQL of a process that was killed")
		if err := c.stopServer(ctx); err != nil {
			return err
		}
	}
	if err := c.ensureRunning(ctx); err != nil {
		return err
	}
	if _, err := c.users.TryShared(); err != nil {
		return errors.Join(err, c.stopIf(ctx, alone))
	}
	if err := c.ensureDatabase(ctx); err != nil {
		return errors.Join(err, c.stopIf(ctx, alone))
	}
	return nil
}

// ensureRunning starts the cluster if it does not run. It must be called under the start lock.
func (c *Cluster) ensureRunning(ctx context.Context) error {
	if c.server.PID() != 0 {
		return c.server.Wait(ctx)
	}
	if err := c.server.ClearStale(ctx); err != nil {
		return err
	}
	if err := c.prepareSocketDir(); err != nil {
		return err
	}
	if err := c.create(ctx); err != nil {
		return err
	}
	if err := trimLog(c.server.LogFile); err != nil {
		return err
	}
	began := time.Now()
	if err := c.server.Start(ctx); err != nil {
		return err
	}
	c.log.Debug().Str("data", c.server.DataDir).Dur("took", time.Since(began)).Msg("started PostgreSQL")
	return nil
}

func (c *Cluster) ensureDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.server.URL("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the local cluster: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database).Scan(&exists)
	if err == nil && !exists {
		_, err = conn.Exec(ctx, "CREATE DATABASE "+database)
	}
	if err != nil {
		return fmt.Errorf("make the database of the local cluster: %w", err)
	}
	return nil
}

// watch restarts the cluster when it dies. A process that leaves the cluster stops it
// only if it is the last one, so a watcher never interferes.
func (c *Cluster) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if c.server.PID() != 0 {
			continue
		}
		if err := c.revive(ctx); err != nil && ctx.Err() == nil {
			c.log.Error().Err(err).Msg("PostgreSQL ended and did not start again")
		}
	}
}

func (c *Cluster) revive(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.start.Exclusive(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.start.Unlock()) }()
	if c.server.PID() != 0 {
		return nil
	}
	if major, err := madeBy(c.server.DataDir); err != nil || major == 0 {
		return errors.Join(err, errors.New("the cluster's files are gone"))
	}
	c.log.Warn().Msg("PostgreSQL ended unexpectedly; starting it again")
	return c.ensureRunning(ctx)
}

func (c *Cluster) leave() error {
	c.cancelWatch()
	c.watched.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	err := c.start.Exclusive(ctx)
	if err == nil {
		var last bool
		last, err = c.users.TryExclusive()
		err = errors.Join(err, c.stopIf(ctx, last))
	}
	return errors.Join(err, c.users.Close(), c.start.Close())
}

func (c *Cluster) stopIf(ctx context.Context, last bool) error {
	if !last {
		return nil
	}
	if err := c.stopServer(ctx); err != nil {
		return err
	}
	return c.removeSocketDir()
}

func (c *Cluster) stopServer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return c.server.Stop(ctx)
}

// trimLog bounds the server's log: beyond 8 MiB it is moved to one older file.
func trimLog(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("server log: %w", err)
	}
	if info.Size() < 8<<20 {
		return nil
	}
	if err := os.Rename(path, path+".old"); err != nil {
		return fmt.Errorf("server log: %w", err)
	}
	return nil
}
