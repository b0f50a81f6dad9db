package subscribers

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a listener that has written and ignores that its time is over, when another event is
// published, then the other groups hear of it, although its transaction held them up.
func TestAListenerThatIgnoresItsContextDoesNotHoldTheOthersUp(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `CREATE TABLE noted (what text)`)
	begun, over := make(chan struct{}, 1), make(chan struct{})
	var other recorder
	start(t, pool,
		event.Listener{Group: "deaf", Events: []string{event.ReportCreated}, Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
			if _, err := tx.Exec(ctx, `INSERT INTO noted VALUES ('half')`); err != nil {
				return err
			}
			select {
			case begun <- struct{}{}:
			default:
			}
			<-over
			return nil
		}},
		event.Listener{Group: "other", Events: []string{event.ReportCreated}, Handle: other.handle})
	t.Cleanup(func() { close(over) }) // before the router stops
	first, second := created(1), created(2)
	publish(t, pool, first)
	<-begun
	publish(t, pool, second)

	pgtest.Eventually(t, func() bool { return slices.Contains(other.seen(), second.ID.String()) }, "the other group hears of the second event")

	noted := pgtest.One[int](t, pool, `SELECT count(*) FROM noted`)
	require.Zero(t, noted)
}
