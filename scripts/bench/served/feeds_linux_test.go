package served

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

// feeds are open live feeds, each of a moderator of its own. One loop reads them all
// as cheaply as can be, since 2,000 browsers would not share the server's machine:
// what nobody looks for, the kernel throws away without copying it.
type feeds struct {
	epoll int
	all   []int // sockets
	stop  atomic.Bool
	ended chan struct{}

	mu       sync.Mutex
	answered map[int]bool
	refused  []byte         // an answer that was not 200
	lost     int            // feeds that the server ended
	bytes    int            // read in all
	want     []byte         // what each feed is to bring
	missing  map[int]bool   // those that have not yet
	tails    map[int][]byte // the end of what they brought before
	took     []time.Duration
	since    time.Time
	arrived  chan []time.Duration
}

// openFeeds opens a feed for each session and waits until all of them are answered.
func openFeeds(b *testing.B, url string, sessions []string) *feeds {
	b.Helper()
	f := &feeds{ended: make(chan struct{}), answered: make(map[int]bool)}
	var err error
	f.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	require.NoError(b, err)
	host := strings.TrimPrefix(url, "http://")
	server, err := netip.ParseAddrPort(host)
	require.NoError(b, err)
	to := &syscall.SockaddrInet4{Port: int(server.Port()), Addr: server.Addr().As4()}
	go f.read()
	for _, session := range sessions {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		require.NoError(b, err)
		f.all = append(f.all, fd)
		require.NoError(b, syscall.Connect(fd, to))
		_, err = syscall.Write(fd, fmt.Appendf(nil, "GET %s/moderation/live HTTP/1.1\r\nHost: %s\r\nCookie: docket_session=%s\r\n\r\n", http.Base, host, session))
		require.NoError(b, err)
		require.NoError(b, syscall.SetNonblock(fd, true))
		require.NoError(b, syscall.EpollCtl(f.epoll, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}))
	}
	pgtest.Eventually(b, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		require.Empty(b, f.refused)
		return len(f.answered) == len(sessions)
	}, "every feed is answered")
	return f
}

// close ends all feeds; none may have ended before.
func (f *feeds) close(b *testing.B) {
	b.Helper()
	f.stop.Store(true)
	<-f.ended
	require.NoError(b, syscall.Close(f.epoll))
	for _, fd := range f.all {
		require.NoError(b, syscall.Close(fd))
	}
	require.Zero(b, f.lost, "feeds that the server ended")
}

// expect begins to look for text on every feed: the channel gives how long each
// took from now, once all have it.
func (f *feeds) expect(text string) <-chan []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.want, f.since, f.took, f.arrived = []byte(text), time.Now(), nil, make(chan []time.Duration, 1)
	f.missing, f.tails = make(map[int]bool, len(f.all)), make(map[int][]byte)
	for _, fd := range f.all {
		f.missing[fd] = true
	}
	return f.arrived
}

func (f *feeds) read() {
	defer close(f.ended)
	events := make([]syscall.EpollEvent, 256)
	buffer := make([]byte, 256<<10)
	for !f.stop.Load() {
		n, _ := syscall.EpollWait(f.epoll, events, 100) // a signal ends it with -1
		f.mu.Lock()
		for _, e := range events[:max(n, 0)] {
			f.ready(int(e.Fd), buffer)
		}
		f.mu.Unlock()
	}
}

var accepted = []byte("HTTP/1.1 200 OK\r\n")

// ready reads one feed that has something; it needs the lock.
func (f *feeds) ready(fd int, buffer []byte) {
	flags := 0
	if f.answered[fd] && !f.missing[fd] {
		flags = syscall.MSG_TRUNC
	}
	n, _, err := syscall.Recvfrom(fd, buffer, flags)
	switch {
	case errors.Is(err, syscall.EAGAIN):
		return
	case err != nil || n == 0:
		f.lost++
		_ = syscall.EpollCtl(f.epoll, syscall.EPOLL_CTL_DEL, fd, nil)
		return
	}
	f.bytes += n
	if !f.answered[fd] {
		if f.answered[fd] = true; !bytes.HasPrefix(buffer[:n], accepted) {
			f.refused = bytes.Clone(buffer[:n])
		}
	}
	if !f.missing[fd] {
		return
	}
	text := append(f.tails[fd], buffer[:n]...)
	if !bytes.Contains(text, f.want) {
		f.tails[fd] = bytes.Clone(text[max(len(text)-len(f.want), 0):])
		return
	}
	delete(f.missing, fd)
	f.took = append(f.took, time.Since(f.since))
	if len(f.missing) == 0 {
		f.arrived <- f.took
	}
}
