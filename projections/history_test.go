package projections_test

import (
	"testing"

	"github.com/docketmod/docket/eventstore/logtest"
)

// history is a database whose reports came about through the log.
type history struct{ *logtest.Database }

func newHistory(t testing.TB) *history {
	t.Helper()
	return &history{logtest.New(t)}
}
