package subscribers

import (
	"context"
	"database/sql"
	"errors"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
)

// enter forgets what was of another batch.
func (g *group) enter(batch *sql.Tx) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batch != batch {
		g.batch, g.prepared, g.passed = batch, nil, nil
	}
}

func (g *group) pass(batch *sql.Tx, msg *message.Message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batch == batch {
		g.passed = msg
	}
}

// passedTo is the statement that records what was passed of the batch as read; nil
// when there is nothing.
func (g *group) passedTo(batch *sql.Tx) *watermillsql.Query {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batch != batch || g.passed == nil {
		return nil
	}
	return g.position(g.passed)
}

// handle handles an event of a batch, which is prepared with its first.
func (g *group) handle(batch *sql.Tx) event.Handler {
	return func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		g.mu.Lock()
		handle := g.prepared
		if g.batch != batch {
			handle = nil
		}
		g.mu.Unlock()
		if handle == nil {
			var err error
			if handle, err = g.prepare(ctx, tx); err != nil {
				return err
			}
			g.mu.Lock()
			if g.batch == batch {
				g.prepared = handle
			}
			g.mu.Unlock()
		}
		return handle(ctx, tx, e)
	}
}

// prepare makes the handler of one batch.
func (g *group) prepare(ctx context.Context, tx pgx.Tx) (event.Handler, error) {
	if g.Prepare == nil {
		return g.Handle, nil
	}
	return g.Prepare(ctx, tx)
}

// endBefore ends a batch before a message that has to wait. What earlier messages did
// stands, none of them is handled again, and no snapshot is held back meanwhile.
func (g *group) endBefore(ctx context.Context, batch *sql.Tx) error {
	if position := g.passedTo(batch); position != nil {
		if _, err := batch.ExecContext(ctx, position.Query, position.Args...); err != nil {
			return errors.Join(err, batch.Rollback())
		}
	}
	return batch.Commit()
}
