package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Superuser is the only role of a cluster that InitDB created.
const Superuser = "docket"

// port is part of the socket's name; nothing listens on TCP.
const port = "5432"

// pollEvery is how often conditions are polled, such as that the server answers.
const pollEvery = 20 * time.Millisecond

// atOnceTimeout bounds an immediate shutdown, which writes nothing.
const atOnceTimeout = 2 * time.Second

// A Server is a cluster and its socket.
type Server struct {
	Installation Installation
	Account      Account
	DataDir      string            // absolute; belongs to Account
	SocketDir    string            // absolute; belongs to Account
	LogFile      string            // absolute; appended to
	Settings     map[string]string // beyond what Start sets itself
}

// InitDB creates the cluster. The locale is C.UTF-8: it sorts by code point on every
// machine and knows the case of every letter, which search needs. args are added to
// initdb's own.
func (s *Server) InitDB(ctx context.Context, args ...string) error {
	args = append([]string{
		"--pgdata=" + s.DataDir, "--username=" + Superuser, "--auth=trust",
		"--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions",
	}, args...)
	cmd := exec.CommandContext(ctx, s.Installation.initdb, args...)
	s.Account.run(cmd)
	cmd.Dir = "/"
	cmd.Env = environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Start starts the postmaster in its own session, so that neither a signal to the
// caller's terminal nor the caller's death reaches it. It returns once the server
// answers. If the server ends before that, the error contains the end of its log.
func (s *Server) Start(ctx context.Context) error {
	log, err := os.OpenFile(s.LogFile, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("server log: %w", err)
	}
	defer log.Close()
	before, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("server log: %w", err)
	}
	cmd := exec.Command(s.Installation.postgres, s.arguments()...) //nolint:noctx // it outlives the caller
	s.Account.run(cmd)
	cmd.Dir = "/"
	cmd.Env = environment()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // reaps the process and ends with it
		if err := cmd.Wait(); err != nil {
			cancel(fmt.Errorf("it ended: %w", err))
		}
		cancel(errors.New("it ended"))
	}()
	if err := s.Wait(waiting); err != nil {
		_ = cmd.Process.Signal(syscall.SIGQUIT) // no error when it has ended
		return fmt.Errorf("%w: %s", err, tail(log, before))
	}
	return nil
}

// Wait waits until the server answers.
func (s *Server) Wait(ctx context.Context) error {
	var last error
	err := poll(ctx, func() (bool, error) {
		last = s.Answers(ctx)
		return last == nil, nil
	})
	if err != nil {
		return fmt.Errorf("PostgreSQL does not answer: %w (%w)", err, last)
	}
	return nil
}

// poll calls done every pollEvery until it returns true or an error. If ctx ends first, poll
// returns its cause.
func poll(ctx context.Context, done func() (bool, error)) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func (s *Server) arguments() []string {
	args := []string{
		"-D", s.DataDir, "-k", `"` + strings.ReplaceAll(s.SocketDir, `"`, `""`) + `"`, "-p", port,
		"-c", "listen_addresses=",
		"-c", "unix_socket_permissions=0700",
		"-c", "timezone=UTC",
		"-c", "log_timezone=UTC",
		"-c", "logging_collector=off",
		"-c", "log_destination=stderr",
		"-c", "log_error_verbosity=terse", // details of errors contain values, which may be people's words
	}
	for name, value := range s.Settings {
		args = append(args, "-c", name+"="+value)
	}
	return args
}

// Answers returns nil if the server accepts a connection now.
func (s *Server) Answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// URL returns the connection string of a database of the cluster.
func (s *Server) URL(database string) string {
	// A path may contain any character. libpq and pgx do not decode + as a space.
	host := strings.ReplaceAll(url.QueryEscape(s.SocketDir), "+", "%20")
	return fmt.Sprintf("postgres://%s@/%s?host=%s&port=%s&sslmode=disable", Superuser, database, host, port)
}

// Stop ends the server without waiting for its clients and returns once it has gone. It
// does nothing if the server is not running. If ctx ends first, the server shuts down
// immediately and recovers at its next start: slower, and as safe.
func (s *Server) Stop(ctx context.Context) error {
	pid := s.PID()
	if pid == 0 || s.signal(ctx, pid, syscall.SIGINT) == nil {
		return nil
	}
	atOnce, cancel := context.WithTimeout(context.WithoutCancel(ctx), atOnceTimeout)
	defer cancel()
	return s.signal(atOnce, pid, syscall.SIGQUIT)
}

// signal sends the signal and waits until the process ends.
func (s *Server) signal(ctx context.Context, pid int, signal syscall.Signal) error {
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	if err := poll(ctx, func() (bool, error) { return !servesFrom(pid, s.DataDir), nil }); err != nil {
		return fmt.Errorf("PostgreSQL took too long to stop: %w", err)
	}
	return nil
}

// environment returns our environment for PostgreSQL's programs, without variables that name a
// server (such as PGHOST and PGDATA) or a locale.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
}

// tail returns what was logged since offset, at most the last two kilobytes.
func tail(log *os.File, offset int64) string {
	end, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err.Error()
	}
	offset = max(offset, end-2048)
	text := make([]byte, end-offset)
	n, _ := log.ReadAt(text, offset) // a short read is better than nothing
	return strings.TrimSpace(string(text[:n]))
}

// FitsSocket reports whether the folder's path is usable for the server's socket: the system limits
// the length of a socket's path, and in connection strings a comma ends a host.
func FitsSocket(dir string) bool {
	longest := 107
	if runtime.GOOS == "darwin" {
		longest = 103
	}
	return len(filepath.Join(dir, ".s.PGSQL."+port)) <= longest && !strings.Contains(dir, ",")
}
