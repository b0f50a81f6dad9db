package target

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/measure"
)

// MeasureKind is a kind of measure on an author.
type MeasureKind = measure.Kind

// The kinds of measures, from the mildest. Only Restrict and Suspend may have an end.
const (
	Warn      = measure.Warn
	Restrict  = measure.Restrict
	Suspend   = measure.Suspend
	Terminate = measure.Terminate
)

// StandingMeasure is a measure that has not ended.
type StandingMeasure = measure.Standing

// People carries out measures on the authors of a target. Impose and End work inside the report's
// transaction, like the Run of an action; an error or a panic rolls back the whole command. They
// return durable tasks, which run after the commit.
type People struct {
	// Kinds are the measures that the platform carries out. Every target offers warn; the functions
	// are called for it only if it is in Kinds.
	Kinds  []MeasureKind
	Impose func(ctx context.Context, r MeasureRequest) ([]Effect, error)
	End    func(ctx context.Context, r MeasureRequest) ([]Effect, error)
	// Do replaces both for authors whose accounts live elsewhere, like the Do of an Action.
	Do func(ctx context.Context, r RemoteMeasure) (RemoteResult, error)
}

// MeasureRequest is a measure that is imposed or ended.
type MeasureRequest struct {
	MeasureID string
	AuthorID  string // as the snapshot names the author
	Kind      MeasureKind
	Until     *time.Time // nil means without an end
	ReportID  string
	ActorID   string // "" for one that ends by itself
	At        time.Time
	// Standing are the standing measures on the author, from every report.
	Standing []StandingMeasure
	Tx       pgx.Tx
}

// Latest returns the latest end of the author's standing measures of the request's kind; unending
// means that one of them has no end. Without any it returns nil and false.
func (r *MeasureRequest) Latest() (until *time.Time, unending bool) {
	return measure.Latest(r.Standing, r.Kind)
}
