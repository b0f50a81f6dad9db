package served

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

// BenchmarkReplay edits a note of 60 KB 900 times by thirty moderators and replays the report
// by twelve more clients at once, over and over, while one more reads the board. The server
// may hold 400 MB (server-MB), and the board may take a third longer than alone (ratio).
func BenchmarkReplay(b *testing.B) {
	const editors, edits = 30, 30 // edits is what an account may do within a minute
	const reads = 400             // of the board, for each figure
	s := startBenchServer(b)
	auditors := s.sessions("auditor", 12) // who see superseded words
	for _, auditor := range auditors {
		require.NoError(b, s.entries.Ensure(b.Context(), permission.Admin, auditor.User.ID, permission.Entry{Unrestricted: true}))
	}
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	pace := time.NewTicker(10 * time.Millisecond) // so that the board itself causes little load
	defer pace.Stop()
	// board reads the board until reads follow the close of after.
	board := func(after <-chan struct{}) (took []time.Duration) {
		for left := reads; left > 0; {
			<-pace.C
			start := time.Now()
			_, err := c.get(s.moderators[editors], "/moderation/reports")
			require.NoError(b, err)
			took = append(took, time.Since(start))
			if isClosed(after) {
				left--
			}
		}
		return took
	}
	atOnce := make(chan struct{})
	close(atOnce)
	note := func(n int) string {
		words := strings.Repeat(fmt.Sprintf("as said the %d. time ", n), 60_000/22)
		return fmt.Sprintf(`{"body":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":%q}]}]}}`, words)
	}
	for b.Loop() {
		session := <-s.reporters
		answer, err := c.post(session, "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(benchFiling, s.posts[b.N%len(s.posts)]))
		require.NoError(b, err)
		report := "/moderation/reports/" + string(answeredID.FindSubmatch(answer)[1])
		answer, err = c.post(s.moderators[editors+1], report+"/notes", nethttp.StatusCreated, note(0))
		require.NoError(b, err)
		edit := report + "/notes/" + string(answeredID.FindSubmatch(answer)[1]) + "/edit"

		usual := board(atOnce)
		var editing, replaying sync.WaitGroup
		errs, edited, done := make([]error, editors+len(auditors)), make(chan struct{}), make(chan struct{})
		client := func(i int, more func(n int) bool, do func(n int, c *wire) error) {
			c, err := dialWire(s.url)
			if errs[i] = err; err != nil {
				return
			}
			defer c.close()
			for n := 0; more(n) && errs[i] == nil; n++ {
				errs[i] = do(n, c)
			}
		}
		for i := range editors {
			editing.Go(func() {
				client(i, func(n int) bool { return n < edits }, func(n int, c *wire) error {
					_, err := c.post(s.moderators[i], edit, nethttp.StatusOK, note(n))
					return err
				})
			})
		}
		for i := range auditors {
			replaying.Go(func() {
				client(editors+i, func(int) bool { return !isClosed(done) }, func(_ int, c *wire) error {
					_, err := c.get(auditors[i].ID, report+"/replay")
					return err
				})
			})
		}
		go func() { editing.Wait(); close(edited) }()
		meanwhile := board(edited)
		close(done)
		replaying.Wait()
		require.NoError(b, errors.Join(errs...))
		b.ReportMetric(milliseconds(usual), "usual-ms")
		b.ReportMetric(milliseconds(meanwhile), "meanwhile-ms")
		b.ReportMetric(milliseconds(meanwhile)/milliseconds(usual), "ratio")
	}
	b.ReportMetric(s.peakMemory(b), "server-MB")
	b.ReportMetric(0, "ns/op")
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
