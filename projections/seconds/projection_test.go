package seconds_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/seconds"
)

type bundle struct {
	*logtest.Database
	store   *seconds.Store
	quality *quality.Store
	taken   []proof.Checkpoint
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{Database: logtest.New(t)}
	b.store, b.quality = seconds.New(b.Pool, b.Pool, ""), quality.New(b.Pool, ledger.Ledger{Now: b.Clock})
	return b
}

func (b *bundle) set(t *testing.T, percent int) {
	t.Helper()
	b.Wait(time.Second)
	_, err := b.quality.Set(t.Context(), b.Users[0], second.Settings{Percent: percent})
	require.NoError(t, err)
	b.Wait(time.Second)
}

func (b *bundle) checkpoint(t *testing.T) {
	t.Helper()
	b.Seal(t)
	c, err := proof.TakeUnkept(t.Context(), b.Pool, b.Key)
	require.NoError(t, err)
	b.taken = append(b.taken, c)
}

// again decides again what a user is given, and returns the report.
func (b *bundle) again(t *testing.T, user int, resolution report.Resolution) string {
	t.Helper()
	turn, err := b.store.Take(t.Context(), everything, everything, b.Users[user])
	require.NoError(t, err)
	if turn == nil {
		return ""
	}
	b.change(t, turn.ReportID, turn.Decision, user, func(s *moderation.StoredSecond) ([]report.Fact, error) {
		return s.Decide(second.Verdict{By: &b.Users[user], Resolution: resolution})
	})
	had, err := b.store.EndTurn(t.Context(), nil, b.Users[user], turn.SecondID)
	require.NoError(t, err)
	require.True(t, had)
	return turn.ReportID
}

func (b *bundle) change(t *testing.T, id, decision string, user int, decide func(*moderation.StoredSecond) ([]report.Fact, error)) {
	t.Helper()
	_, err := b.Store.Update(t.Context(), moderation.Ref{ReportID: id}, &b.Users[user], func(ctx context.Context, tx pgx.Tx, _ moderation.Loaded) (moderation.Change, error) {
		loaded, err := b.store.Load(ctx, tx, id, decision)
		if err != nil {
			return moderation.Change{}, err
		}
		facts, err := decide(loaded)
		return moderation.Change{Facts: facts}, err
	})
	require.NoError(t, err)
}

var everything = permission.Coverage{All: true}

func (b *bundle) drawn(t *testing.T) int {
	return pgtest.One[int](t, b.Pool, `SELECT count(*) FROM core_seconds`)
}

func TestTheFirstCheckpointDrawsByWhatWasInForce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	decide := func(post string) { b.Resolve(t, b.File(t, 0, post), 1, report.NoViolation) }
	decide("1")
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	require.Zero(t, pgtest.One[int](t, b.Pool, `SELECT count(*) FROM core_checkpoints`), "nobody wants second opinions")
	_, err := seconds.Projection.Verify(t.Context(), b.Pool, projector.Options{})
	require.ErrorIs(t, err, projector.ErrNotBuilt)

	b.set(t, 100)
	decide("2")
	b.set(t, 0)
	decide("3")
	b.Follow(t, seconds.Projection)
	require.Zero(t, b.drawn(t), "there is no checkpoint yet")
	decide("4")
	b.set(t, 100)
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	require.Equal(t, 1, b.drawn(t), "what was decided while everything was drawn")
	decide("5")
	b.checkpoint(t)
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	require.Equal(t, 2, b.drawn(t))
	require.Equal(t, fmt.Sprint([]int64{b.taken[1].N, b.taken[2].N}), pgtest.One[string](t, b.Pool, `SELECT '[' || string_agg(drawn_by::text, ' ' ORDER BY drawn_by) || ']' FROM core_seconds`))

	t.Log("by nobody is no decision of a person")
	_, err = b.Store.Update(t.Context(), moderation.Ref{ReportID: b.File(t, 0, "6")}, nil, func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
		facts, err := report.DecideResolve(l.State, "", report.Resolve{Resolution: report.NoViolation}, l.State.Version)
		return moderation.Change{Facts: facts}, err
	})
	require.NoError(t, err)
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	require.Equal(t, 2, b.drawn(t))
	require.Empty(t, b.Wrong(t, seconds.Projection))
	before := b.Dump(t)
	b.Rebuild(t, seconds.Projection)
	require.Empty(t, b.Wrong(t, seconds.Projection))
	require.Len(t, b.Dump(t), len(before))
	b.SQL(t, `UPDATE core_seconds SET resolution = 'duplicate' WHERE id = (SELECT min(id::text)::uuid FROM core_seconds)`)
	require.Len(t, b.Wrong(t, seconds.Projection), 1)
}

// Whatever happens, and wherever the follower stops, its rows are the fold of the log with its checkpoints,
// and the figures are those of what people did.
func TestSecondsAreTheFoldOfTheLog(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.set(t, 70)
	random := rand.New(rand.NewPCG(4, uint64(time.Now().UnixNano())))
	pick := func() report.Resolution { return report.Resolutions[random.IntN(3)] }
	b.File(t, 0, "0") // an empty log has no checkpoint
	first, said, n := map[string]report.Resolution{}, map[string]report.Resolution{}, 0
	for step := range 400 {
		b.Wait(6 * time.Minute) // an account files 20 reports an hour
		switch random.IntN(8) {
		case 0, 1, 2, 3:
			n++
			id, resolution := b.File(t, 0, fmt.Sprint(n)), pick()
			b.Resolve(t, id, 1, resolution)
			first[id] = resolution
		case 4, 5, 6:
			resolution := pick()
			if id := b.again(t, 2, resolution); id != "" {
				said[id] = resolution
			}
		default:
			b.checkpoint(t)
			if step%50 == 0 {
				b.set(t, 50+random.IntN(50))
			}
		}
		if random.IntN(2) == 0 {
			b.Follow(t, seconds.Projection)
		}
	}
	b.Follow(t, seconds.Projection)
	require.Empty(t, b.Wrong(t, seconds.Projection))
	b.Rebuild(t, seconds.Projection)
	require.Empty(t, b.Wrong(t, seconds.Projection))

	var tally second.Tally
	for id, s := range said {
		tally.Add(first[id], s, s == first[id], 1)
	}
	require.GreaterOrEqual(t, len(said), second.MinKappa, "too few to say anything")
	all, of, _, err := b.store.Agreement(t.Context(), everything, b.Users[3], false, seconds.ByReason)
	require.NoError(t, err)
	require.Equal(t, tally.Agreement(), all)
	require.Len(t, of, 1, "one reason")
	require.Equal(t, all, of[0].Agreement)
	none, _, _, err := b.store.Agreement(t.Context(), permission.Coverage{}, b.Users[3], false, seconds.ByModerator)
	require.NoError(t, err)
	require.Zero(t, none.N, "of what one may not see and did not decide")
	own, of, _, err := b.store.Agreement(t.Context(), permission.Coverage{}, b.Users[1], false, seconds.ByModerator)
	require.NoError(t, err)
	require.Equal(t, all, own)
	require.Equal(t, b.Users[1], *of[0].Key)
}

func TestTheGroupWithMostSecondOpinionsIsFirst(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.set(t, 100)
	n := 0
	answered := func(by int) {
		n++
		b.Resolve(t, b.File(t, 0, fmt.Sprint(n)), by, report.NoViolation)
		b.checkpoint(t)
		b.Follow(t, seconds.Projection)
		require.NotEmpty(t, b.again(t, 2, report.NoViolation))
	}
	first := func() seconds.Figures {
		_, of, _, err := b.store.Agreement(t.Context(), everything, b.Users[0], false, seconds.ByModerator)
		require.NoError(t, err)
		return of[0]
	}
	answered(1)
	answered(3)
	answered(3)
	require.Equal(t, b.Users[3], *first().Key)
	answered(1)
	answered(1)
	require.Equal(t, b.Users[1], *first().Key, "whatever the order of their ids")
	require.Equal(t, 3, first().N)
}
