package served

import (
	"bytes"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/transparency"
)

// BenchmarkWholeLog lets the server read all of a long log while it answers 16 clients that read and write, by
// turns with the clients alone. Reads may take 1.5 times as long at the 99th percentile (ratio). A back-test may
// evaluate no fewer than 5,000 reports a second on two processors, and gives the same bytes twice. A transparency
// report over 300,000 reports may take a minute. An export then verifies it without a database: a changed cell and
// a removed event are named, and erased words change nothing.
func BenchmarkWholeLog(b *testing.B) {
	s := startBenchServer(b)
	s.addWorkers()
	old, _ := s.fillLog(b, benchReports(b))
	auditor := s.sessions("auditor", 1)[0]
	require.NoError(b, s.entries.Ensure(b.Context(), permission.Admin, auditor.User.ID, permission.Entry{Unrestricted: true}))
	l := &wholeLog{benchServer: s, auditor: auditor.ID}

	b.Run("a back-test", func(b *testing.B) {
		s.vacuum(b)
		l.backtest(b) // what the server holds afterwards, it holds for the first one already
		before := s.peakMemory(b)
		evaluated := 0
		took := s.beside(b, old, func() { evaluated += l.backtest(b).Evaluated })
		b.ReportMetric(float64(evaluated)/took.Seconds(), "reports/s")
		b.ReportMetric(before, "first-server-MB")
		b.ReportMetric(s.peakMemory(b), "server-MB")
		s.projected(b)
		first := l.backtest(b)
		require.Equal(b, first, l.backtest(b))
	})
	b.Run("a transparency report", func(b *testing.B) {
		var id string
		reports := 0
		took := s.beside(b, old, func() { id = l.report(b); reports++ })
		b.ReportMetric(took.Seconds()/float64(reports), "report-s")
		l.verify(b, id, old[0])
	})
}

// beside runs work again and again beside clients, by turns with clients alone, and returns how long it worked.
func (s *benchServer) beside(b *testing.B, old []string, work func()) (worked time.Duration) {
	b.Helper()
	const clients = 16
	var usual, during, usualWrites, writes []time.Duration
	for b.Loop() {
		alone := s.busy(b, clients, old, func() { time.Sleep(usually) })
		beside := s.busy(b, clients, old, func() {
			for start := time.Now(); time.Since(start) < usually; {
				began := time.Now()
				work()
				worked += time.Since(began)
			}
		})
		usual, during = append(usual, alone.reads...), append(during, beside.reads...)
		usualWrites, writes = append(usualWrites, alone.writes...), append(writes, beside.writes...)
	}
	b.ReportMetric(p99(usual), "usual-p99-ms")
	b.ReportMetric(p99(during), "p99-ms")
	b.ReportMetric(p99(during)/p99(usual), "ratio")
	b.ReportMetric(p99(writes)/p99(usualWrites), "writes-ratio")
	b.ReportMetric(0, "ns/op")
	return worked
}

// wholeLog is an auditor who asks for what is counted in the whole log.
type wholeLog struct {
	*benchServer
	auditor string // session
}

// asked gives the answer to a request by a client of its own.
func (l *wholeLog) asked(b *testing.B, ask func(c *wire) ([]byte, error)) []byte {
	b.Helper()
	c, err := dialWire(l.url)
	require.NoError(b, err)
	defer c.close()
	answer, err := ask(c)
	require.NoError(b, err)
	return answer
}

func (l *wholeLog) get(b *testing.B, path string) []byte {
	b.Helper()
	return l.asked(b, func(c *wire) ([]byte, error) { return c.get(l.auditor, path) })
}

func (l *wholeLog) post(b *testing.B, path string, status int, body string) []byte {
	b.Helper()
	return l.asked(b, func(c *wire) ([]byte, error) { return c.post(l.auditor, path, status, body) })
}

// await asks for something and returns it once it is done.
func (l *wholeLog) await(b *testing.B, path, body string, into any) (id string) {
	b.Helper()
	answer := l.post(b, path, nethttp.StatusAccepted, body)
	id = string(answeredID.FindSubmatch(answer)[1])
	for state := ""; state != "done"; {
		time.Sleep(thinkTime)
		answer = l.get(b, path+"/"+id)
		var now struct{ State string }
		require.NoError(b, json.Unmarshal(answer, &now))
		require.NotEqual(b, "failed", now.State, "%s", answer)
		state = now.State
	}
	require.NoError(b, json.Unmarshal(answer, into))
	return id
}

// backtested is what stays the same of a back-test that is done again: all of its result.
type backtested struct {
	Evaluated int
	bytes     string
}

func (l *wholeLog) backtest(b *testing.B) (done backtested) {
	b.Helper()
	var run struct{ Result json.RawMessage }
	l.await(b, "/admin/rules/backtests",
		`{"when":"reason == \"spam\" && (text.matches(\"(?i)visit (me|us)\") || links.exists(l, l.contains(\"shop\"))) && reporter.rejected < 300"}`, &run)
	require.NoError(b, json.Unmarshal(run.Result, &done))
	require.NotZero(b, done.Evaluated)
	done.bytes = string(run.Result)
	return done
}

// report counts a report of the whole history.
func (l *wholeLog) report(b *testing.B) (id string) {
	b.Helper()
	var counted struct{ Cells []transparency.PublishedCell }
	id = l.await(b, "/admin/transparency", fmt.Sprintf(`{"since":%q,"until":%q}`,
		time.Now().UTC().AddDate(0, 0, -31).Format(time.DateOnly), time.Now().UTC().Format(time.DateOnly)), &counted)
	require.NotEmpty(b, counted.Cells)
	return id
}

// verify publishes a report and verifies it from an export, also once a word of a report of the history was erased.
func (l *wholeLog) verify(b *testing.B, id, erased string) {
	b.Helper()
	l.post(b, "/admin/transparency/"+id+"/publish", nethttp.StatusOK, "{}")
	published := l.get(b, "/transparency/"+id)
	dir := b.TempDir()
	write := func(name string, content []byte) string {
		b.Helper()
		file := filepath.Join(dir, name)
		require.NoError(b, os.WriteFile(file, content, 0o600))
		return file
	}
	file, log := write("report.json", published), filepath.Join(dir, "log.ndjson")
	said := func(report string) string {
		b.Helper()
		command := exec.CommandContext(b.Context(), l.program, "transparency", "verify", report, "--log", log)
		command.Env = append(os.Environ(), "DATABASE_URL=postgres://nowhere.invalid/x", "DOCKET_DATA_DIR="+dir)
		out, _ := command.Output() // it fails if it finds a difference
		return string(out)
	}
	const whole = " positions of the log say"
	start := time.Now()
	l.docket(b, "audit", "export", "--output", log)
	b.ReportMetric(time.Since(start).Seconds(), "export-s")
	start = time.Now()
	require.Contains(b, said(file), whole)
	b.ReportMetric(time.Since(start).Seconds(), "verify-s")

	var r transparency.Report
	require.NoError(b, json.Unmarshal(published, &r))
	changed := r.Cells[0]
	r.Cells[0].Value = json.RawMessage("7")
	edited, err := json.Marshal(r)
	require.NoError(b, err)
	require.Contains(b, said(write("changed.json", edited)), fmt.Sprintf("%s: the report says 7, the log has %s", changed.Name, changed.Text()))

	exported, err := os.ReadFile(log)
	require.NoError(b, err)
	lines := bytes.SplitAfter(exported, []byte("\n"))
	at := len(lines) / 2
	write("log.ndjson", bytes.Join(append(lines[:at:at], lines[at+1:]...), nil))
	require.Contains(b, said(file), fmt.Sprintf("position %d is missing in the export", at+1))

	l.docket(b, "erase", "--report", erased)
	log = filepath.Join(dir, "erased.ndjson")
	l.docket(b, "audit", "export", "--output", log)
	require.Contains(b, said(file), whole)
}
