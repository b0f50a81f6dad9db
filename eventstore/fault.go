package eventstore

import "fmt"

// Fault names the first event of a report that is not as it was appended.
type Fault struct {
	ReportID string
	Sequence int
	Problem  string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("report %s, sequence %d: %s", f.ReportID, f.Sequence, f.Problem)
}
