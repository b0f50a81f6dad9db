package broker_test

import (
	"os"
	"testing"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestMain takes a cluster of its own: a topic's readers see no message that is younger
// than the oldest transaction in the cluster, so tests of other packages would delay
// these.
func TestMain(m *testing.M) {
	if err := pgtest.OwnCluster("broker"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
