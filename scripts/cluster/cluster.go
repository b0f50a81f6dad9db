package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a running cluster.
type cluster struct {
	*plan
	programs programs
	logs     string // folder
	account  *account

	etcd, postgres, nats, docket []*node
	proxy                        *node
}

// newCluster plans a cluster in dir, which must exist, and starts nothing.
func newCluster(dir string) (*cluster, error) {
	found, err := findPrograms()
	if err != nil {
		return nil, err
	}
	c := &cluster{programs: found, logs: filepath.Join(dir, "logs"), docket: make([]*node, 2)}
	if c.account, err = serverAccount(); err != nil {
		return nil, err
	}
	if c.plan, err = newPlan(dir); err != nil {
		return nil, err
	}
	c.PostgresBin = filepath.Dir(found["postgres"])
	if err := os.Mkdir(c.logs, 0o711); err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o711); err != nil { // the account of PostgreSQL passes through
		return nil, err
	}
	return c, nil
}

// node returns a node for the server, with the config of that name.
func (c *cluster) node(s *server, config string, ready func(context.Context) error, args ...string) (*node, error) {
	path, err := s.writeConfig(config)
	if err != nil {
		return nil, fmt.Errorf("config of %s: %w", s.Name, err)
	}
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "CONFIG", path)
	}
	return &node{name: s.Name, args: args, log: filepath.Join(c.logs, s.Name+".log"), ready: ready}, nil
}

// start starts everything but the Dockets. The caller must stop the cluster, also after an
// error.
func (c *cluster) start(ctx context.Context) error {
	for _, s := range c.Etcd {
		n, err := c.node(s, "etcd.yaml", answers(fmt.Sprintf("http://127.0.0.1:%d/health", s.Port)), c.programs["etcd"], "--config-file", "CONFIG")
		if err != nil {
			return err
		}
		c.etcd = append(c.etcd, n)
	}
	for _, s := range c.NATS {
		n, err := c.node(s, "nats.conf", listens(s.Port), c.programs["nats-server"], "-c", "CONFIG")
		if err != nil {
			return err
		}
		c.nats = append(c.nats, n)
	}
	for _, s := range c.Postgres {
		n, err := c.node(s, "patroni.yaml", answers(fmt.Sprintf("http://127.0.0.1:%d/health", s.REST)), c.programs["patroni"], "CONFIG")
		if err != nil {
			return err
		}
		n.account = c.account
		n.orphans = func() []int { return postgresProcesses(filepath.Join(s.Dir, "data")) }
		if c.account != nil {
			for _, path := range []string{s.Dir, filepath.Join(s.Dir, "patroni.yaml")} {
				if err := os.Chown(path, int(c.account.uid), int(c.account.gid)); err != nil {
					return err
				}
			}
		}
		c.postgres = append(c.postgres, n)
	}
	var err error
	if c.proxy, err = c.node(c.Proxy, "haproxy.cfg", listens(c.Proxy.Port), c.programs["haproxy"], "-db", "-f", "CONFIG"); err != nil {
		return err
	}
	// The nodes of each kind wait for each other, so they start together.
	peers := slices.Concat([]*node{c.proxy}, c.etcd, c.nats)
	for _, n := range peers {
		if err := n.launch(); err != nil {
			return err
		}
	}
	for _, n := range peers {
		if err := n.wait(ctx); err != nil {
			return err
		}
	}
	for _, n := range c.postgres {
		if err := n.start(ctx); err != nil {
			return err
		}
	}
	if err := c.synchronous(ctx); err != nil {
		return err
	}
	roles, err := c.Proxy.config("roles.sql")
	if err != nil {
		return err
	}
	return c.onPrimary(ctx, "postgres", roles)
}

// synchronous waits until one server is the primary and the other its synchronous standby.
func (c *cluster) synchronous(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		roles, err := c.roles(ctx)
		if err == nil && roles["leader"] != nil && roles["sync_standby"] != nil {
			if err = c.onPrimary(ctx, "postgres", "SELECT 1"); err == nil {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no primary with a synchronous standby: %v %w; see %s", roles, err, c.logs)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// roles returns the running nodes of PostgreSQL by their role in Patroni: leader, sync_standby or
// replica.
func (c *cluster) roles(ctx context.Context) (map[string]*node, error) {
	var failed error
	for i, n := range c.postgres {
		if !n.running() {
			continue
		}
		var view struct {
			Members []struct{ Name, Role, State string } `json:"members"`
		}
		if err := getJSON(ctx, fmt.Sprintf("http://127.0.0.1:%d/cluster", c.Postgres[i].REST), &view); err != nil {
			failed = err
			continue
		}
		roles := map[string]*node{}
		for _, m := range view.Members {
			for j, s := range c.Postgres {
				if s.Name == m.Name && (m.State == "running" || m.State == "streaming") {
					roles[m.Role] = c.postgres[j]
				}
			}
		}
		return roles, nil
	}
	return nil, errors.Join(errors.New("no Patroni answers"), failed)
}

// onPrimary runs SQL as the superuser, through the proxy.
func (c *cluster) onPrimary(ctx context.Context, database, sql string) error {
	conn, err := pgx.Connect(ctx, c.databaseURL("postgres", database))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, sql)
	return err
}

// makeDatabase makes a database that the Dockets own, and waits until the standby has it.
func (c *cluster) makeDatabase(ctx context.Context, name string) error {
	if err := c.onPrimary(ctx, "postgres", `CREATE DATABASE `+name+` OWNER docket`); err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.replicaURL("docket", name))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the standby has no database %s: %w", name, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// docketEnvironment returns the settings of a Docket. Those in more take precedence.
func (c *cluster) docketEnvironment(i int, more ...string) ([]string, error) {
	text, err := c.Docket[i].config("docket.env")
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return append(append(lines, "DOCKET_DATA_DIR="+c.Docket[i].Dir), more...), nil
}

// startDocket starts a Docket of that binary, and replaces one that has ended.
func (c *cluster) startDocket(ctx context.Context, i int, binary string, more ...string) error {
	s := c.Docket[i]
	n, err := c.node(s, "docket.env", answers(fmt.Sprintf("http://127.0.0.1:%d/readyz", s.Port)), binary, "demo")
	if err != nil {
		return err
	}
	if n.env, err = c.docketEnvironment(i, more...); err != nil {
		return err
	}
	c.docket[i] = n
	return n.start(ctx)
}

// makeAuditKey creates the Dockets' signing key.
func (c *cluster) makeAuditKey(ctx context.Context, binary string) error {
	out, err := exec.CommandContext(ctx, binary, "audit", "key").Output()
	if err != nil {
		return fmt.Errorf("docket audit key: %w", err)
	}
	c.AuditKey = strings.TrimSpace(string(out))
	return nil
}

// stop ends everything that the cluster started: the Dockets gracefully, and the others at once,
// since their data is deleted.
func (c *cluster) stop() error {
	failed := c.stopDockets()
	for _, n := range slices.Concat([]*node{c.proxy}, c.nats, c.postgres, c.etcd) {
		if n != nil {
			n.kill()
		}
	}
	return failed
}

// stopDockets ends the Dockets, which drain first.
func (c *cluster) stopDockets() error {
	errs := make([]error, len(c.docket))
	var ending sync.WaitGroup
	for i, n := range c.docket {
		if n != nil {
			ending.Go(func() { errs[i] = n.stop(30 * time.Second) })
		}
	}
	ending.Wait()
	return errors.Join(errs...)
}

// answers returns a check that succeeds when the URL answers 200.
func answers(url string) func(context.Context) error {
	return func(ctx context.Context) error { return getJSON(ctx, url, nil) }
}

// listens returns a check that succeeds when something listens on the port.
func listens(port int) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

// getJSON decodes the response of a URL, unless into is nil.
func getJSON(ctx context.Context, url string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return err
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s", url, answer.Status)
	case into == nil:
		return nil
	}
	return json.Unmarshal(body, into)
}
