package statistics

import "github.com/docketmod/docket/domain/report"

// Record counts the reports by an account or of a target, and their outcomes.
type Record struct {
	Filed     int64 `json:"filed"`
	Open      int64 `json:"open"` // not done
	Upheld    int64 `json:"upheld"`
	NotUpheld int64 `json:"notUpheld"`
	Duplicate int64 `json:"duplicate"`
}

const recordSums = `coalesce(sum(r.filed), 0)::bigint, coalesce(sum(r.open), 0)::bigint, coalesce(sum(r.upheld), 0)::bigint,
	coalesce(sum(r.not_upheld), 0)::bigint, coalesce(sum(r.duplicate), 0)::bigint`

// recordCounters returns a report's counters: filed, open, upheld, not upheld, duplicate.
func recordCounters(s report.State) []int64 {
	n := make([]int64, 5)
	n[0] = 1
	if s.Status != report.Done {
		n[1] = 1
	}
	if s.Resolution != nil {
		switch *s.Resolution {
		case report.ActionTaken:
			n[2] = 1
		case report.NoViolation:
			n[3] = 1
		case report.Duplicate:
			n[4] = 1
		}
	}
	return n
}

func negative(n []int64) []int64 {
	out := make([]int64, len(n))
	for i := range n {
		out[i] = -n[i]
	}
	return out
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
