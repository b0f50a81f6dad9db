// Package projector keeps read models up to date with the sealed log, verifies them against their
// sources, and rebuilds them. A server and the command line do so in the same way, through
// Projector and Projection.
//
// A new projection is a file of rules and a file of SQL. It is a Counted if it counts events, each once, a Derived if
// its rows are derived from the reports that events name, so that an event may be applied twice, or a Folded if its
// rows are the fold of the whole log. Other modules must not import it.
package projector

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Projection is a read model.
type Projection interface {
	// ID names the projection in its status, its metrics, its locks and on the command line.
	ID() string
	// Verify compares the projection with its source. It takes no lock that others wait for, and
	// changes nothing but to follow the log. The error is a *BehindError if the projection does not
	// reach the end of the log, and ErrNotBuilt if it was never complete.
	Verify(ctx context.Context, pool *pgxpool.Pool, o Options) (Result, error)
	// Rebuild rebuilds the projection while servers read and update it. After an interruption it
	// can be called again.
	Rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Result, error)
}

// Options are the options of a verification or a rebuild. The zero Options are valid.
type Options struct {
	Workers int           // batches of reports side by side; at least 1
	After   string        // begin after the report of this id; "" means from the start
	Force   bool          // also rewrite correct reports
	Wait    time.Duration // how long to wait for servers that make no progress; 0 means 30 s
	// Progress, if not nil, is called concurrently with the work done and the estimated total.
	Progress func(done, total int64)
	// Found, if not nil, is called with a description of each difference, one at a time.
	Found func(difference string)
}

func (o Options) progress(done, total int64) {
	if o.Progress != nil {
		o.Progress(done, max(done, total))
	}
}

func (o Options) found(difference string) {
	if o.Found != nil {
		o.Found(difference)
	}
}

// Result is the outcome of a verification or a rebuild.
type Result struct {
	Compared  int64  // rows, reports or targets
	Wrong     int64  // of them
	Rewritten int64  // reports
	Through   string // every report up to this id is done; a later run can begin after it
}

var (
	// ErrNotBuilt means that a projection was never complete.
	ErrNotBuilt = errors.New("the projection is not built yet")
	// ErrNotWhole means that some reports could not be rebuilt.
	ErrNotWhole = errors.New("some reports cannot be rebuilt, because their events are not whole: see docket audit verify")
)
