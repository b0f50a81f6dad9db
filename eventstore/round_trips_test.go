package eventstore_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// tripCounter counts round trips: a batch is one, a query is one.
type tripCounter struct{ trips atomic.Int64 }

func (c *tripCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.trips.Add(1)
	return ctx
}
func (*tripCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *tripCounter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.trips.Add(1)
	return ctx
}
func (*tripCounter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*tripCounter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

func TestACommandIsAtMostThreeRoundTrips(t *testing.T) {
	t.Parallel()
	counter := &tripCounter{}
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{MaxConns: 1, Tracer: counter})
	b := bundleOn(pool)
	user := b.users(t, 1)[0]
	var s report.State
	note := uuid.NewString()
	update := func(ref moderation.Ref, d func(report.State, *report.Note) ([]report.Fact, error)) func() error {
		return func() error {
			ref.ReportID = s.ID
			var err error
			s, err = b.store.Update(context.Background(), ref, &user, func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
				facts, err := d(l.State, l.Note)
				return moderation.Change{Facts: facts}, err
			})
			return err
		}
	}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"file", func() (err error) {
			s, err = b.store.File(context.Background(), filing(user, uuid.NewString()))
			return err
		}},
		{"claim", update(moderation.Ref{}, func(s report.State, _ *report.Note) ([]report.Fact, error) {
			return report.DecideClaim(s, user, s.Version)
		})},
		{"add note", update(moderation.Ref{}, func(report.State, *report.Note) ([]report.Fact, error) {
			return report.DecideAddNote(note, report.NoteBody{Kind: report.TextNote, JSON: []byte(`"words"`)}), nil
		})},
		{"edit note", update(moderation.Ref{NoteID: note}, func(s report.State, n *report.Note) ([]report.Fact, error) {
			return report.DecideEditNote(s, *n, report.NoteBody{Kind: report.TextNote, JSON: []byte(`"others"`)}, nil)
		})},
		{"resolve", update(moderation.Ref{}, func(s report.State, _ *report.Note) ([]report.Fact, error) {
			return report.DecideResolve(s, user, report.Resolve{Resolution: report.NoViolation}, s.Version)
		})},
		{"claim a done report", update(moderation.Ref{}, func(s report.State, _ *report.Note) ([]report.Fact, error) {
			return report.DecideClaim(s, user, s.Version)
		})},
	} {
		before := counter.trips.Load()
		require.NoError(t, c.run(), c.name)
		atMost := int64(2)
		if c.name == "file" {
			atMost = 1
		}
		require.LessOrEqual(t, counter.trips.Load()-before, atMost, c.name)
	}
}

func TestAPoolOfTwoServesThirtyTwoClients(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{MaxConns: 2})
	b := bundleOn(pool)
	users := b.users(t, 32)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for i, user := range users {
		wg.Go(func() {
			for n := range 5 {
				s, err := b.store.File(ctx, filing(user, fmt.Sprint(i, n)))
				if err == nil {
					_, err = b.store.Update(ctx, moderation.Ref{ReportID: s.ID}, &user, claim(user, s.Version))
				}
				if err != nil && domain.ErrorCode(err) == "" {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, ctx.Err())
}
