package proof

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An Erasure is an event that erased evidence.
type Erasure struct {
	ReportID  string
	At        time.Time
	ActorID   *string // nil for an operator at the command line and for a job
	Sequences []int   // of the events whose evidence was erased
	sequence  int     // of the event that records it
}

func (e Erasure) String() string {
	actor := "operator"
	if e.ActorID != nil {
		actor = *e.ActorID
	}
	return fmt.Sprintf("erasure: report %s, %s, %s, sequences %s", e.ReportID, e.At.Format(time.RFC3339Nano), actor, ranges(e.Sequences))
}

// ranges formats ascending numbers as 1-3,5.
func ranges(numbers []int) string {
	var out []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i == j {
			out = append(out, strconv.Itoa(numbers[i]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(out, ",")
}
