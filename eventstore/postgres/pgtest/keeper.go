package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/docketmod/docket/eventstore/postgres/internal/server"
)

// The keeper is the process that stops the private cluster when no test process has
// used it for keepFor. It is this test program, started again; go test removes the file
// but leaves the process running.

const (
	keeperVariable = "DOCKET_PGTEST_KEEPER"
	// keepFor is long enough for go test to build and start the next package.
	keepFor = time.Minute
)

func init() {
	if os.Getenv(keeperVariable) == "" {
		return
	}
	if err := keep(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func startKeeper() error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start keeper: %w", err)
	}
	// Its input and output are the null device, since go test would wait until ours are closed.
	cmd := exec.Command(program) //nolint:noctx // it outlives the caller
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), keeperVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start keeper: %w", err)
	}
	return cmd.Process.Release()
}

// keep returns once it has stopped the cluster, or if the cluster is gone or has another keeper.
func keep() error {
	ctx := context.Background()
	c, err := openPrivateCluster()
	if err != nil {
		return err
	}
	s, err := c.server(ctx)
	if err != nil {
		return err
	}
	if err := c.start.Exclusive(ctx); err != nil {
		return err
	}
	first, err := c.keeper.TryExclusive()
	if err != nil || !first {
		return err
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for lastUsed := time.Now(); ; {
		// The start lock keeps others from joining between this check and the removal.
		unused, err := c.users.TryExclusive()
		if err != nil {
			return err
		}
		switch {
		case s.PID() == 0:
			return nil
		case !unused:
			lastUsed = time.Now()
		case time.Since(lastUsed) >= keepFor:
			return c.remove(ctx, s)
		}
		if err := errors.Join(c.users.Unlock(), c.start.Unlock()); err != nil {
			return err
		}
		<-tick.C
		if err := c.start.Exclusive(ctx); err != nil {
			return err
		}
	}
}

func (c *privateCluster) remove(ctx context.Context, s *server.Server) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(s.DataDir), os.RemoveAll(s.SocketDir), os.RemoveAll(s.LogFile))
}
