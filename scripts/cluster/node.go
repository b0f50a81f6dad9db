package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// readyTimeout bounds the start of a program.
const readyTimeout = 90 * time.Second

// node is a program of the cluster that can be killed and started again.
type node struct {
	name    string
	args    []string
	env     []string // beside PATH and HOME
	account *account // nil means the own one
	log     string   // its file, which is appended to
	ready   func(context.Context) error
	// orphans returns the processes that survive when the program is killed.
	orphans func() []int

	cmd  *exec.Cmd
	done chan struct{} // closed when the program has ended
}

// start starts the program and returns once it is ready.
func (n *node) start(ctx context.Context) error {
	if err := n.launch(); err != nil {
		return err
	}
	return n.wait(ctx)
}

// launch starts the program without waiting until it is ready.
func (n *node) launch() error {
	log, err := os.OpenFile(n.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(n.args[0], n.args[1:]...) //nolint:noctx // stop and kill end it
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(n.log), "LC_ALL=C.UTF-8"}, n.env...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, "/"
	// Its own process group shields it from the terminal's signals: stop decides the order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if n.account != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: n.account.uid, Gid: n.account.gid}
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", n.name, err)
	}
	n.cmd, n.done = cmd, make(chan struct{})
	go func(done chan struct{}) {
		_ = cmd.Wait()
		close(done)
	}(n.done)
	return nil
}

// wait returns when the program is ready. Its error contains the end of the program's log.
func (n *node) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := n.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-n.done:
			return fmt.Errorf("%s ended: %s", n.name, tail(n.log))
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready (%w): %s", n.name, err, tail(n.log))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// running reports whether the program was started and has not ended.
func (n *node) running() bool {
	if n.done == nil {
		return false
	}
	select {
	case <-n.done:
		return false
	default:
		return true
	}
}

// kill kills the program and its children at once, as if the machine had failed.
func (n *node) kill() {
	var orphans []int
	if n.orphans != nil {
		orphans = n.orphans()
	}
	if n.running() {
		_ = syscall.Kill(-n.cmd.Process.Pid, syscall.SIGKILL)
		<-n.done
	}
	for _, pid := range orphans {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// stop signals the program to end, and kills it after patience.
func (n *node) stop(patience time.Duration) error {
	if !n.running() {
		n.kill() // its orphans
		return nil
	}
	_ = n.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-n.done:
		n.kill()
		return nil
	case <-time.After(patience):
		n.kill()
		return fmt.Errorf("%s did not end within %s", n.name, patience)
	}
}

// tail returns the end of a log.
func tail(path string) string {
	const most = 2000
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > most {
		_, _ = file.Seek(-most, io.SeekEnd)
	}
	text, _ := io.ReadAll(file)
	return fmt.Sprintf("the end of %s:\n%s", path, strings.TrimSpace(string(text)))
}

// postgresProcesses returns the postmaster of a data directory and its children.
func postgresProcesses(data string) []int {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return nil
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil || !strings.HasPrefix(rest, data+"\n") {
		return nil
	}
	// After a crash another process may have this id.
	if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", postmaster)); err != nil || !strings.Contains(string(name), data) {
		return nil
	}
	all := []int{postmaster}
	processes, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range processes {
		stat, err := os.ReadFile(path)
		_, after, found := strings.Cut(string(stat), ") ")
		if err != nil || !found {
			continue
		}
		if fields := strings.Fields(after); len(fields) > 1 && fields[1] == first {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				all = append(all, pid)
			}
		}
	}
	return all
}

// account is a system account that PostgreSQL can run as.
type account struct{ uid, gid uint32 }

var errNoAccount = errors.New("PostgreSQL does not run as root, and there is no account postgres: install Debian's postgresql")
