package served

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// boardReports is how many reports the board is measured with.
const boardReports = 100_000

// BenchmarkBoard visits the board of 100,000 reports with a browser that has
// nothing in its cache, as http/modcp/bench measures it: it may be interactive
// within a second of the navigation, and the visit may cost 400 KB.
func BenchmarkBoard(b *testing.B) {
	s := startBenchServer(b)
	s.fillForum(b, boardReports)
	panel, err := filepath.Abs("../../../http/modcp")
	require.NoError(b, err)
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), "npm", "run", "--silent", "bench")
		cmd.Dir, cmd.Env, cmd.Stderr = panel, append(os.Environ(), "DOCKET_URL="+s.url), os.Stderr
		out, err := cmd.Output()
		require.NoError(b, err, "the panel's browser; make bench installs what it needs")
		var visit struct{ Paint, Rows, Interactive, Slowest, Busy, Requests, Bytes, Largest float64 }
		require.NoError(b, json.Unmarshal(out, &visit), "%s", out)
		b.ReportMetric(visit.Paint, "paint-ms")
		b.ReportMetric(visit.Rows, "rows-ms")
		b.ReportMetric(visit.Interactive, "interactive-ms")
		b.ReportMetric(visit.Slowest, "slowest-ms")
		b.ReportMetric(visit.Busy, "busy-ms")
		b.ReportMetric(visit.Requests, "requests")
		b.ReportMetric(visit.Bytes/1000, "KB")
		b.ReportMetric(visit.Largest/1000, "largest-KB")
	}
	b.ReportMetric(0, "ns/op") // an iteration is several visits and their waits
}
