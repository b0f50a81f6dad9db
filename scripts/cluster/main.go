// Command cluster starts Docket on several servers, on loopback: PostgreSQL twice under Patroni
// with etcd, NATS JetStream three times, and two Dockets behind HAProxy. It ends all of them when
// it is interrupted. README.md describes them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	binary := flag.String("docket", "bin/docket", "the Docket to run, as `make build` makes it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string) (err error) {
	if binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	if _, err := os.Stat(binary); err != nil {
		return fmt.Errorf("%w: run make build", err)
	}
	dir, err := os.MkdirTemp("", "docket-cluster-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := newCluster(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	fmt.Printf("starting, logs in %s\n", c.logs)
	if err := c.start(ctx); err != nil {
		return err
	}
	if err := errors.Join(c.makeDatabase(ctx, "docket"), c.makeAuditKey(ctx, binary)); err != nil {
		return err
	}
	for i := range c.Docket {
		if err := c.startDocket(ctx, i, binary); err != nil {
			return err
		}
	}
	fmt.Printf("cluster ready http://127.0.0.1:%d\n", c.Proxy.Port)
	fmt.Printf("the primary:   %s\n", c.databaseURL("postgres", "docket"))
	fmt.Printf("the broker:    %s\n", c.brokerURLs())
	fmt.Printf("configs, data: %s\n", c.Dir)
	<-ctx.Done()
	return nil
}
