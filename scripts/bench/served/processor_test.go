package served

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// processorTime is what the server has used of the processors, to the tick of 10 ms.
func (s *benchServer) processorTime(b *testing.B) time.Duration {
	b.Helper()
	return processorTime(b, s.cmd.Process.Pid)
}

// postgresTime is what the server's PostgreSQL has used, when this process and the server
// have no other children.
func (s *benchServer) postgresTime(b *testing.B) time.Duration {
	b.Helper()
	return s.treeTime(b) - s.processorTime(b) - processorTime(b, os.Getpid())
}

func processorTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(b, err)
	_, rest, found := strings.Cut(string(raw), ") ")
	require.True(b, found)
	var ticks int
	for _, field := range strings.Fields(rest)[11:13] { // utime and stime
		n, err := strconv.Atoi(field)
		require.NoError(b, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// treeTime is what the server with its PostgreSQL and this process have used of the
// processors, to the tick of 10 ms.
func (s *benchServer) treeTime(b *testing.B) (all time.Duration) {
	b.Helper()
	children := make(map[string][]string)
	ticks := make(map[string]int)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(b, err)
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		_, rest, found := strings.Cut(string(raw), ") ")
		if err != nil || !found {
			continue // it has ended
		}
		pid, fields := filepath.Base(filepath.Dir(path)), strings.Fields(rest)
		children[fields[1]] = append(children[fields[1]], pid)
		for _, field := range fields[11:15] { // utime and stime, its own and of children that have ended
			n, err := strconv.Atoi(field)
			require.NoError(b, err)
			ticks[pid] += n
		}
	}
	pids := []string{strconv.Itoa(os.Getpid())} // the server is its child
	for len(pids) > 0 {
		pid := pids[0]
		pids = append(pids[1:], children[pid]...)
		all += time.Duration(ticks[pid]) * 10 * time.Millisecond
	}
	return all
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most memory that the server has held so far, in MB.
func (s *benchServer) peakMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	require.NoError(b, err)
	found := highWater.FindSubmatch(status)
	require.NotNil(b, found)
	kb, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kb / 1000
}
