package served

import (
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// traffic is what the clients of a load run met.
type traffic struct {
	mu     sync.Mutex
	reads  []time.Duration
	writes []time.Duration
	failed []error
	took   time.Duration
}

// p99 is in milliseconds.
func p99(d []time.Duration) float64 {
	slices.Sort(d)
	return d[(len(d)-1)*99/100].Seconds() * 1000
}

// thinkTime is what a client waits before each request. Without it, 16 clients
// leave nothing of a small machine for anything else, and wait for each other.
const thinkTime = 50 * time.Millisecond

// busy lets clients read and write while work runs. Each reads a page of the
// board, the counts and a report for each command: files, claims, notes and
// resolves reports of its own, and reads them and the old ones.
func (s *benchServer) busy(b *testing.B, clients int, old []string, work func()) *traffic {
	b.Helper()
	t := &traffic{}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	start := time.Now()
	for i := range clients {
		wg.Go(func() {
			c, err := dialWire(s.url)
			if err != nil {
				t.fail(err)
				return
			}
			defer c.close()
			m := &member{server: s, wire: c, met: t, moderator: s.worker(), old: old, turn: i * 7919}
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := m.visit(); err != nil {
					t.fail(err)
					return
				}
			}
		})
	}
	work()
	close(stop)
	wg.Wait()
	t.took = time.Since(start)
	require.Empty(b, t.failed)
	require.NotEmpty(b, t.reads)
	return t
}

func (t *traffic) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = append(t.failed, err)
}

// perSecond is how many requests were answered.
func (t *traffic) perSecond() float64 { return float64(len(t.reads)+len(t.writes)) / t.took.Seconds() }

// member is a client that reports things and moderates them.
type member struct {
	server    *benchServer
	wire      *wire
	met       *traffic
	moderator string // session; another one for each report of its own
	old       []string
	turn      int

	reporter string // session
	left     int    // that it may file
	own      string // a report that it filed and has not resolved
	step     int    // of own
}

func (m *member) visit() error {
	m.turn++
	pages := []string{"first=25", "status=new&first=25", "status=in_progress&orderBy=updatedAt&first=25", "assigned=me&first=25"}
	id := m.own
	if id == "" || m.turn%2 == 0 {
		id = m.old[m.turn%len(m.old)]
	}
	for _, path := range []string{"/moderation/reports?" + pages[m.turn%len(pages)], "/moderation/reports/counts", "/moderation/reports/" + id} {
		time.Sleep(thinkTime)
		start := time.Now()
		if _, err := m.wire.get(m.moderator, path); err != nil {
			return err
		}
		m.met.mu.Lock()
		m.met.reads = append(m.met.reads, time.Since(start))
		m.met.mu.Unlock()
	}
	time.Sleep(thinkTime)
	start := time.Now()
	err := m.write()
	m.met.mu.Lock()
	m.met.writes = append(m.met.writes, time.Since(start))
	m.met.mu.Unlock()
	return err
}

// write does the next command of a report's life.
func (m *member) write() error {
	if m.own == "" {
		m.moderator = m.server.worker()
		return m.fileOne()
	}
	for i, command := range []struct {
		path   string
		status int
		body   string
	}{
		{"/claim", nethttp.StatusOK, `{"expectedVersion":1}`},
		{"/notes", nethttp.StatusCreated, `{"body":"Same text as the others."}`},
		{"/resolve", nethttp.StatusOK, `{"expectedVersion":2,"resolution":"action_taken","explanation":"Advertising."}`},
	} {
		if i != m.step {
			continue
		}
		_, err := m.wire.post(m.moderator, "/moderation/reports/"+m.own+command.path, command.status, command.body)
		if m.step++; m.step == 3 {
			m.own = ""
		}
		return err
	}
	return nil
}

func (m *member) fileOne() error {
	if m.left == 0 {
		select {
		case m.reporter = <-m.server.reporters:
			m.left = report.FilingsPerHour
		default:
			return fmt.Errorf("all %d reporters have filed what they may", benchReporters)
		}
	}
	m.left--
	answer, err := m.wire.post(m.reporter, "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(
		`{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam","description":"Advertising again."}`, m.server.posts[(m.turn+m.left)%len(m.server.posts)]))
	if err != nil {
		return err
	}
	id := answeredID.FindSubmatch(answer)
	if id == nil {
		return fmt.Errorf("no id in %s", strings.TrimSpace(string(answer)))
	}
	m.own, m.step = string(id[1]), 0
	return nil
}
