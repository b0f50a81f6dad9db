package served

import (
	"fmt"
	nethttp "net/http"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// load runs clients side by side and gives how much they did in a second.
func (s *benchServer) load(b *testing.B, clients int, run func(client int, c *wire, until time.Time) (int, error)) float64 {
	b.Helper()
	rate, _ := s.timed(b, clients, run)
	return rate
}

// timed is load that also gives how long each request took.
func (s *benchServer) timed(b *testing.B, clients int, run func(client int, c *wire, until time.Time) (int, error)) (float64, []time.Duration) {
	b.Helper()
	var wg sync.WaitGroup
	done, errs, latencies := make([]int, clients), make([]error, clients), make([][]time.Duration, clients)
	start := time.Now()
	for i := range clients {
		wg.Go(func() {
			c, err := dialWire(s.url)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.close()
			done[i], errs[i] = run(i, c, start.Add(roundTime))
			latencies[i] = c.took
		})
	}
	wg.Wait()
	took := time.Since(start)
	total := 0
	for i := range clients {
		require.NoError(b, errs[i])
		total += done[i]
	}
	return float64(total) / took.Seconds(), slices.Concat(latencies...)
}

// file reports posts, no account more than it may.
func (s *benchServer) file(client int, c *wire, until time.Time) (n int, err error) {
	return s.fileOn(c, until, func(n int) string {
		post := s.posts[(n*7+client*101)%len(s.posts)]
		return fmt.Sprintf(benchFiling, post)
	})
}

// fileOn sends the nth filing of a client, no account more than it may.
func (s *benchServer) fileOn(c *wire, until time.Time, filing func(n int) string) (int, error) {
	return s.fileAs(s.reporters, until, func(session string, n int) ([]byte, error) {
		return c.post(session, "/moderation/reports", nethttp.StatusCreated, filing(n))
	})
}

// fileAs files as one reporter after another, as none more often than it may.
func (s *benchServer) fileAs(reporters <-chan string, until time.Time, file func(reporter string, n int) (answer []byte, err error)) (n int, err error) {
	for {
		var reporter string
		select {
		case reporter = <-reporters:
		default:
			return n, fmt.Errorf("all %d reporters have filed what they may", cap(reporters))
		}
		for range report.FilingsPerHour {
			if time.Now().After(until) {
				return n, nil
			}
			answer, err := file(reporter, n)
			if err != nil {
				return n, err
			}
			id := answeredID.FindSubmatch(answer)
			if id == nil {
				return n, fmt.Errorf("no id in %s", answer)
			}
			s.mu.Lock()
			s.filed = append(s.filed, string(id[1]))
			s.mu.Unlock()
			n++
		}
	}
}

var answeredID = regexp.MustCompile(`"id":"([^"]+)"`)

// addWorkers signs in moderators who take turns, since one may write only so many notes a
// minute.
func (s *benchServer) addWorkers() { s.workers = s.staff("worker", 300) }

// worker returns the next of them.
func (s *benchServer) worker() string { return s.workers[int(s.turn.Add(1))%len(s.workers)] }

// work claims reports, notes something and resolves them: three commands each.
func (s *benchServer) work(_ int, c *wire, until time.Time) (n int, err error) {
	for time.Now().Before(until) {
		session := s.worker()
		s.mu.Lock()
		if len(s.filed) == 0 {
			s.mu.Unlock()
			return n, fmt.Errorf("no filed report is left to work")
		}
		id := s.filed[len(s.filed)-1]
		s.filed = s.filed[:len(s.filed)-1]
		s.mu.Unlock()
		path := "/moderation/reports/" + id
		for _, command := range []struct {
			path   string
			status int
			body   string
		}{
			{path + "/claim", nethttp.StatusOK, `{"expectedVersion":1}`},
			{path + "/notes", nethttp.StatusCreated, `{"body":"Same text as the others."}`},
			{path + "/resolve", nethttp.StatusOK, `{"expectedVersion":2,"resolution":"action_taken","explanation":"Advertising."}`},
		} {
			if _, err := c.post(session, command.path, command.status, command.body); err != nil {
				return n, err
			}
		}
		n++
	}
	return n, nil
}
